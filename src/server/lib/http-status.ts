import type { IncomingAnswer } from "./exchange.ts";
import { ProviderError } from "./provider-error.ts";
import { parseRetryAfter } from "../../shared/retry-after.ts";

/** Too slow, too early, too many. */
const transientStatuses: ReadonlySet<number> = new Set([408, 425, 429]);

export function isSuccess(status: number): boolean {
  return status >= 200 && status < 300;
}

export function isTransientStatus(status: number): boolean {
  return transientStatuses.has(status) || status >= 500;
}

/**
 * The failure of an answer by its status. @param said what the answer itself says, without secrets
 */
export function statusError(
  answer: Pick<IncomingAnswer, "status" | "headers">,
  target: string,
  said: string,
  now: number,
): ProviderError {
  const { status, headers } = answer;
  const kind = isTransientStatus(status) ? "transient" : "permanent";
  const isRedirect = status >= 300 && status < 400 && headers.location !== undefined;
  const what = isRedirect ? "wants to redirect, which is not followed" : said;
  return new ProviderError(kind, `http_${status}`, `${target} answered ${status}: ${what}`, {
    retryAfterMs: parseRetryAfter(headers["retry-after"], now),
    httpStatus: status,
  });
}
