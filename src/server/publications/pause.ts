import type { Chance } from "../lib/chance.ts";
import { ExchangeError, type ExchangeFailure } from "../lib/exchange-error.ts";
import { ProviderError } from "../lib/provider-error.ts";

/** Why a try failed. */
export interface Failure {
  /** A sentence without secrets. */
  message: string;
  /** Whether only a person can help. */
  isPermanent: boolean;
  retryAfterMs: number | undefined;
}

const SCHEDULE_MS = [5, 15, 60, 300, 900, 3600].map((seconds) => seconds * 1000);
/** What only a person can mend is not asked for each second. */
const PERMANENT_FROM = 3;
const JITTER = 0.2;
const permanentExchanges: readonly ExchangeFailure[] = ["refused_by_policy", "too_large"];

/** Undefined when it is no failure of the provider but one of ours. */
export function toFailure(error: unknown): Failure | undefined {
  if (error instanceof ProviderError) {
    const { message, kind, retryAfterMs } = error;
    return { message, isPermanent: kind === "permanent", retryAfterMs };
  }
  if (error instanceof ExchangeError) {
    const isPermanent = permanentExchanges.includes(error.kind);
    return { message: error.message, isPermanent, retryAfterMs: undefined };
  }
  if (error instanceof DOMException && error.name === "TimeoutError") {
    return { message: "There was no result in time", isPermanent: false, retryAfterMs: undefined };
  }
  return undefined;
}

/**
 * How long to wait before the next try, ±20 %, and never less than the provider asked for. It never
 * gives up.
 * @param failures in a row, at least 1
 */
export function pauseMs(failures: number, failure: Failure, chance: Chance): number {
  const step = failures - 1 + (failure.isPermanent ? PERMANENT_FROM : 0);
  const baseMs = SCHEDULE_MS[Math.min(step, SCHEDULE_MS.length - 1)] ?? 0;
  const jitteredMs = Math.round(baseMs * (1 - JITTER + 2 * JITTER * chance()));
  return Math.max(jitteredMs, failure.retryAfterMs ?? 0);
}
