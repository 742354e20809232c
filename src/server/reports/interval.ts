import { MINUTE_MS } from "../lib/clock.ts";

const SHORTEST_WAIT_MS = 90_000;
const LONGEST_WAIT_MS = 30 * MINUTE_MS;
/** Assumed until a second report shows the rhythm. */
const ASSUMED_INTERVAL_MS = MINUTE_MS;
const MISSED_INTERVALS = 3;
const WEIGHT_OF_LATEST = 0.3;

/** How long a node may be silent before it counts as offline; `intervalMs` 0 = unknown. */
export function waitBeforeOffline(intervalMs: number): number {
  const wait = MISSED_INTERVALS * (intervalMs || ASSUMED_INTERVAL_MS);
  return Math.min(Math.max(wait, SHORTEST_WAIT_MS), LONGEST_WAIT_MS);
}

/**
 * The time between a node's reports after one more: what it states, else a moving average of what
 * was observed. A gap so long that the node was offline says nothing about its rhythm.
 * @param gapMs time since the previous report, or undefined when there was none
 */
export function nextInterval(
  intervalMs: number,
  gapMs: number | undefined,
  statedSeconds: number | undefined,
): number {
  if (statedSeconds !== undefined) return Math.round(statedSeconds * 1000);
  if (gapMs === undefined || gapMs < 0) return intervalMs;
  if (intervalMs === 0) return gapMs <= LONGEST_WAIT_MS ? gapMs : 0;
  if (gapMs > waitBeforeOffline(intervalMs)) return intervalMs;
  return Math.round(intervalMs + WEIGHT_OF_LATEST * (gapMs - intervalMs));
}
