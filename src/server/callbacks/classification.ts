import type { Chance } from "../lib/chance.ts";
import { ExchangeError, type ExchangeFailure } from "../lib/exchange-error.ts";
import { ProviderError } from "../lib/provider-error.ts";
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

/** A bad certificate may come from a portal that is in the way while a line is dialled again. */
const transientExchanges: Readonly<Record<ExchangeFailure, boolean>> = {
  network: true,
  timeout: true,
  tls: true,
  refused_by_policy: false,
  too_large: false,
};

/** What an action threw; undefined when it is no failure of the target but one of ours. */
export function classify(error: unknown): Failure | undefined {
  if (error instanceof ProviderError) {
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
