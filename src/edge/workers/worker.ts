import { Probe } from "../../probe/probe.ts";
import { TargetPolicy } from "../../probe/target-policy.ts";
import { toCallerKey } from "../../shared/caller-key.ts";
import { Access } from "../access.ts";
import { createCheckFunction, type CheckFunction } from "../check-function.ts";
import { Refusal } from "../refusal.ts";
import { BODY_LIMIT_BYTES } from "../request-input.ts";
import { PREFIX, readCheckSettings, SettingError } from "../settings.ts";
import { connectLimitMs, InvocationPlaces } from "./invocation-places.ts";
import { HttpsResolver, toQuestionUrl } from "./https-resolver.ts";
import { WorkersSockets } from "./sockets.ts";

type Variables = Readonly<Record<string, unknown>>;

/** Checks that run at once in one isolate. */
const CHECKS_AT_ONCE = 64;

const clock = { now: () => Date.now() };

function assemble(variables: Variables): CheckFunction {
  const read = (name: string) => {
    const value = variables[PREFIX + name];
    return typeof value === "string" ? value.trim() : "";
  };
  const settings = readCheckSettings(read);
  const resolver = new HttpsResolver(toQuestionUrl("CHECK_DNS_URL", read), fetch);
  const sockets = new WorkersSockets();
  const policy = new TargetPolicy("public", settings.allow);
  return createCheckFunction({
    access: new Access(settings, clock),
    places: new InvocationPlaces(CHECKS_AT_ONCE),
    policyFor: () => policy,
    probeFor: (checks) =>
      new Probe({
        sockets,
        resolver,
        now: () => performance.now(),
        timeoutMs: connectLimitMs(checks),
      }),
    clock,
    onDefect: (error) => console.error(error),
  });
}

/** What an isolate keeps from one request to the next. */
const assembled = new WeakMap<Variables, CheckFunction>();

function functionFor(variables: Variables): CheckFunction {
  let ready = assembled.get(variables);
  if (!ready) assembled.set(variables, (ready = assemble(variables)));
  return ready;
}

/** A short body that was refused unread would end the connection, and with it the next request. */
async function finishReading(request: Request): Promise<void> {
  const length = Number(request.headers.get("content-length"));
  if (!request.bodyUsed && length > 0 && length <= BODY_LIMIT_BYTES) await request.arrayBuffer();
}

export default {
  async fetch(request: Request, variables: Variables): Promise<Response> {
    try {
      const check = functionFor(variables);
      const caller = toCallerKey(request.headers.get("cf-connecting-ip") ?? "");
      const answer = await check(request, caller);
      await finishReading(request);
      return answer;
    } catch (error) {
      if (!(error instanceof SettingError)) throw error;
      return new Refusal("internal", error.message).toResponse();
    }
  },
};
