import type { Chance } from "../lib/chance.ts";
import { ExchangeError, type ExchangeFailure } from "../lib/exchange-error.ts";
import { parseRetryAfter } from "../lib/retry-after.ts";
import { ActionError } from "./actions/action.ts";
import { TemplateError } from "./template-error.ts";

/** Whether trying again can help, and what is said about it. */
export interface Failure {
  kind: "transient" | "permanent";
  errorClass: string;
  /** A sentence without secrets. */
  message: string;
  retryAfterMs?: number | undefined;
  httpStatus?: number | undefined;
  responseBody?: string | undefined;
}

const SCHEDULE_MS = [5, 15, 60, 300, 900, 3600].map((seconds) => seconds * 1000);
const JITTER = 0.2;

const transientStatuses: ReadonlySet<number> = new Set([408, 425, 429]);

/** A bad certificate may come from a portal that is in the way while a line is dialled again. */
const transientExchanges: Readonly<Record<ExchangeFailure, boolean>> = {
  network: true,
  timeout: true,
  tls: true,
  refused_by_policy: false,
  too_large: false,
};

export function isTransientStatus(status: number): boolean {
  return transientStatuses.has(status) || status >= 500;
}

/** What an action threw; undefined when it is no failure of the target but one of ours. */
export function classify(error: unknown): Failure | undefined {
  if (error instanceof ActionError) {
    const { kind, errorClass, message, retryAfterMs, httpStatus, responseBody } = error;
    return { kind, errorClass, message, retryAfterMs, httpStatus, responseBody };
  }
  if (error instanceof ExchangeError) {
    const kind = transientExchanges[error.kind] ? "transient" : "permanent";
    return { kind, errorClass: error.kind, message: error.message };
  }
  if (error instanceof TemplateError) {
    return { kind: "permanent", errorClass: "template", message: error.message };
  }
  return undefined;
}

/**
 * How long to wait before the next try, ±20 %, and never less than the target asked for; undefined
 * when it was the last one.
 * @param failures tries so far, at least 1
 */
export function retryDelayMs(
  failures: number,
  retryAfterMs: number | undefined,
  chance: Chance,
): number | undefined {
  const baseMs = SCHEDULE_MS[failures - 1];
  if (baseMs === undefined) return undefined;
  const jitteredMs = Math.round(baseMs * (1 - JITTER + 2 * JITTER * chance()));
  return Math.max(jitteredMs, retryAfterMs ?? 0);
}

/** The failure of an answer that is not 2xx, by its status alone. */
export function statusError(
  status: number,
  headers: Readonly<Record<string, string>>,
  message: string,
  now: number,
): ActionError {
  const retryAfterMs = parseRetryAfter(headers["retry-after"], now);
  const kind = isTransientStatus(status) ? "transient" : "permanent";
  return new ActionError(kind, `http_${status}`, message, { retryAfterMs, httpStatus: status });
}
