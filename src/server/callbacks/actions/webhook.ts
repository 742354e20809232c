import { WebhookConfig } from "../../../shared/api/callback-configs.ts";
import type { OutgoingRequest } from "../../lib/exchange.ts";
import { isSuccess, statusError } from "../../lib/http-status.ts";
import { isWebhookSecret, signWebhook } from "../../lib/standard-webhooks.ts";
import {
  ActionError,
  type Action,
  type ActionInput,
  type ActionOutcome,
  type DryRun,
  type TestFinding,
} from "./action.ts";
import { lastAnswer, toFinding } from "./finding.ts";
import { compileWebhook, renderWebhook, webhookObjections } from "./webhook-request.ts";

type Input = ActionInput<WebhookConfig>;

const TIMEOUT_MS = 30_000;
/** What is read of an answer, to look for a text in it; the rest is left unread. */
const READ_BYTES = 1_048_576;

/** Sends an HTTP request that says what happened. */
export const webhook: Action<WebhookConfig> = {
  type: "webhook",
  config: WebhookConfig,

  objections(config) {
    const { signing_secret: secret } = config;
    const objections = webhookObjections(config);
    if (secret === undefined || isWebhookSecret(secret)) return objections;
    const message = "must have Base64 behind whsec_";
    return [...objections, { path: "signing_secret", message }];
  },

  run: send,

  test: (input): Promise<TestFinding> =>
    toFinding(async () => {
      const { httpStatus } = await send(input);
      const message = `The target answered ${httpStatus} to an event "${input.values.event}"`;
      return { ok: true, message, details: { status: httpStatus } };
    }),

  async dryRun(input): Promise<DryRun> {
    const { method, url, request_headers, request_body } = input.exchange.preview(toRequest(input));
    const after = { method, url, headers: request_headers, body: request_body };
    return { changed: true, before: null, after };
  },
};

async function send(input: Input): Promise<ActionOutcome> {
  const request = toRequest(input);
  const answer = await input.exchange.send(request);
  if (!isSuccess(answer.status)) {
    throw statusError(answer, "The target", "no success", input.now());
  }
  const { success_contains: wanted = "" } = input.config;
  if (!answer.body.toString("utf8").includes(wanted)) {
    const where = answer.truncated ? "the first MiB of the answer" : "the answer";
    const message = `The target answered ${answer.status}, but ${where} does not contain "${wanted}"`;
    throw new ActionError("permanent", "success_text_missing", message, {
      httpStatus: answer.status,
    });
  }
  return { status: "succeeded", ...lastAnswer(input.exchange) };
}

/** @throws TemplateError */
function toRequest({ config, values, run, now }: Input): OutgoingRequest {
  const { method = "POST" } = config;
  const compiled = compileWebhook(config);
  const { url, headers, body } = renderWebhook(config, compiled, values);
  const at = now();
  const id = run.id === 0 ? `test_${at}` : `run_${run.id}`;
  const { signingKey: key } = compiled;
  const signature = key === undefined ? {} : signWebhook(key, { id, at, body: body ?? "" });
  return {
    stage: "write",
    method,
    url,
    headers: override(override({ "User-Agent": "Waypost" }, headers), signature),
    ...(body === undefined ? {} : { body }),
    timeoutMs: TIMEOUT_MS,
    largestBytes: READ_BYTES,
    oversize: "cut",
  };
}

/** The headers of both; of those with one name, in any case, the second ones. */
function override(first: Record<string, string>, second: Record<string, string>) {
  const names = new Set(Object.keys(second).map((name) => name.toLowerCase()));
  const kept = Object.entries(first).filter(([name]) => !names.has(name.toLowerCase()));
  return { ...Object.fromEntries(kept), ...second };
}
