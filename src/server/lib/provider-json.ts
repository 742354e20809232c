import type { IncomingAnswer } from "./exchange.ts";
import { isSuccess, statusError } from "./http-status.ts";
import { ProviderError } from "./provider-error.ts";

export type JsonObject = Readonly<Record<string, unknown>>;

export function isObject(value: unknown): value is JsonObject {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/**
 * The JSON object that a provider answered, whatever the status.
 * @throws ProviderError when it is none: what stands in between answered, or the answer broke off
 */
export function readJsonObject(answer: IncomingAnswer, provider: string, now: number): JsonObject {
  const value = parse(answer.body.toString("utf8"));
  if (isObject(value)) return value;
  if (!isSuccess(answer.status)) throw statusError(answer, provider, "no JSON", now);
  throw new ProviderError("transient", "not_json", `${provider} answered no JSON`, {
    httpStatus: answer.status,
  });
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    if (error instanceof SyntaxError) return undefined;
    throw error;
  }
}
