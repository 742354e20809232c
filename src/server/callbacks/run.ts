import type { RunStatus } from "../../shared/api/callbacks.ts";
import type { Chance } from "../lib/chance.ts";
import { retryDelayMs, type Failure } from "./classification.ts";

/** What decides how a run goes on. */
export interface RunState {
  status: RunStatus;
  /** Tries that were begun. */
  attempts: number;
  /** Whether it is tried again by itself: runs that a person asks for are not. */
  retries: boolean;
  /** Somebody wants it to end. */
  cancelRequested: boolean;
  /** A newer mapping is on its way to the same target. */
  isOutdated: boolean;
}

/** How a try ended. */
export type AttemptEnd =
  | { kind: "done"; status: "succeeded" | "skipped" }
  | { kind: "failed"; failure: Pick<Failure, "kind" | "retryAfterMs"> }
  /** Broken off by us; whether the target heard of it is not known. */
  | { kind: "interrupted" }
  /** Never begun. */
  | { kind: "given back" };

export type FinishedStatus = Exclude<RunStatus, "queued" | "running" | "retrying">;

export type NextState =
  | { status: FinishedStatus }
  /** It may be taken up again from `dueAt` on. */
  | { status: "queued" | "retrying"; dueAt: number };

/** The first try and one after each pause of the schedule. */
export const MOST_ATTEMPTS = 7;

const finished: ReadonlySet<RunStatus> = new Set([
  "succeeded",
  "skipped",
  "failed",
  "superseded",
  "cancelled",
]);

export function isFinished(status: RunStatus): status is FinishedStatus {
  return finished.has(status);
}

/** Whether it is not on its way now: nothing of it can reach the target. */
export function isWaiting(status: RunStatus): boolean {
  return status === "queued" || status === "retrying";
}

export function mayCancel(status: RunStatus): boolean {
  return !isFinished(status);
}

/** One that is about to be tried anyway needs nobody to ask for it. */
export function mayRetry(status: RunStatus): boolean {
  return status === "retrying" || isFinished(status);
}

/**
 * What becomes of a run that is due. A running one is due when the process that ran it has not been
 * heard of since its lease ended: that try counts as interrupted.
 */
export function takeUp(run: RunState): "attempt" | FinishedStatus {
  if (run.cancelRequested) return "cancelled";
  if (run.isOutdated) return "superseded";
  if (run.attempts >= MOST_ATTEMPTS) return "failed";
  return "attempt";
}

/** What becomes of a run when a try has ended; `run.attempts` counts it. */
export function afterAttempt(
  run: Omit<RunState, "status">,
  end: AttemptEnd,
  now: number,
  chance: Chance,
): NextState {
  if (end.kind === "done") return { status: end.status };
  if (run.cancelRequested) return { status: "cancelled" };
  if (end.kind === "failed") {
    if (end.failure.kind === "permanent" || !run.retries) return { status: "failed" };
    if (run.isOutdated) return { status: "superseded" };
    const delayMs = retryDelayMs(run.attempts, end.failure.retryAfterMs, chance);
    return delayMs === undefined
      ? { status: "failed" }
      : { status: "retrying", dueAt: now + delayMs };
  }
  if (run.isOutdated) return { status: "superseded" };
  const isFirst = end.kind === "given back" && run.attempts <= 1;
  return { status: isFirst ? "queued" : "retrying", dueAt: now };
}
