import type { TargetPolicy } from "../probe/target-policy.ts";
import {
  BatchCheckBody,
  CHECK_SERVICE,
  CheckQuery,
  type CheckHealth,
} from "../shared/api/checks.ts";
import type { Access } from "./access.ts";
import { toAnswer } from "./answer.ts";
import { reserve, runChecks, toTargets, type CheckRunParts } from "./checks.ts";
import { Refusal } from "./refusal.ts";
import { readBody, readQuery } from "./request-input.ts";

export interface CheckFunctionParts extends CheckRunParts {
  access: Access;
  /** Which targets may be dialled for a request. */
  policyFor: (request: Request) => TargetPolicy;
  /** Takes what should not have happened; nothing of the request is in it. */
  onDefect: (error: unknown) => void;
}

/** @param caller what callers are told apart by */
export type CheckFunction = (request: Request, caller: string) => Promise<Response>;

interface Call {
  request: Request;
  url: URL;
  caller: string;
}

interface Route {
  /** Methods, sorted. */
  allow: readonly string[];
  answer(call: Call): Promise<Response>;
}

/** HEAD is answered like GET, without the body. */
const READING = ["GET", "HEAD", "OPTIONS"];
const WRITING = ["OPTIONS", "POST"];

/** The whole check function: three paths, the same as those of the service. Never rejects. */
export function createCheckFunction(parts: CheckFunctionParts): CheckFunction {
  const routes = new Map<string, Route>([
    ["/api/edgecheck/check", { allow: READING, answer: (call) => checkOne(parts, call) }],
    ["/api/edgecheck/batch-check", { allow: WRITING, answer: (call) => checkBatch(parts, call) }],
    ["/api/edgecheck/health", { allow: READING, answer: async () => health(parts.clock.now()) }],
  ]);
  const answer = async (request: Request, caller: string): Promise<Response> => {
    const url = new URL(request.url);
    const route = routes.get(url.pathname.replace(/(?<=.)\/$/, ""));
    if (!route) throw new Refusal("not_found", "There is nothing at this path");
    const headers = { allow: route.allow.join(", ") };
    if (request.method === "OPTIONS") return toAnswer(204, undefined, headers);
    if (!route.allow.includes(request.method)) {
      const sentence = `This path answers ${headers.allow}, not ${request.method}`;
      throw new Refusal("method_not_allowed", sentence, { headers });
    }
    await parts.access.admit(request.headers.get("x-api-key"), caller);
    return route.answer({ request, url, caller });
  };
  return async (request, caller) => {
    const response = await answer(request, caller).catch((error: unknown) => {
      if (error instanceof Refusal) return error.toResponse();
      if (request.signal.aborted) return unheard();
      parts.onDefect(error);
      return new Refusal("internal", "Something went wrong in the check function").toResponse();
    });
    return request.method === "HEAD" ? withoutBody(response) : response;
  };
}

function withoutBody({ status, headers }: Response): Response {
  return new Response(null, { status, headers });
}

/** For a caller that has gone. */
function unheard(): Response {
  return new Response(null, { status: 499 });
}

async function checkOne(parts: CheckFunctionParts, call: Call): Promise<Response> {
  const query = readQuery(call.url.searchParams, CheckQuery);
  const [result] = await check(parts, call, [query], () => "server");
  return toAnswer(200, result);
}

async function checkBatch(parts: CheckFunctionParts, call: Call): Promise<Response> {
  const { nodes } = await readBody(call.request, BatchCheckBody);
  return toAnswer(200, {
    results: await check(parts, call, nodes, (index) => `nodes.${index}.server`),
  });
}

/** Refused checks do not count. */
function check(
  parts: CheckFunctionParts,
  { request, caller }: Call,
  queries: readonly CheckQuery[],
  pathOf: (index: number) => string,
): ReturnType<typeof runChecks> {
  const targets = toTargets(queries, pathOf);
  parts.access.refuseExcess(caller, targets.length);
  const reservation = reserve(parts.places, targets.length);
  parts.access.count(caller, targets.length);
  return runChecks(parts, targets, reservation, parts.policyFor(request), request.signal);
}

function health(now: number): Response {
  const timestamp = new Date(now).toISOString();
  const body: CheckHealth = { status: "ok", service: CHECK_SERVICE, mode: "local", timestamp };
  return toAnswer(200, body);
}
