import { DAY_MS, startOfDay } from "../lib/clock.ts";

/** A stretch of time over which traffic is summed: `start <= t < end`. */
export interface Period {
  start: number;
  end: number;
}

/** The boundaries of a cycle lie a whole number of cycles after the UTC day of creation. */
function boundaryAfter(createdAt: number, cycleDays: number, at: number): number {
  const origin = startOfDay(createdAt);
  const lengthMs = cycleDays * DAY_MS;
  return origin + (Math.floor((at - origin) / lengthMs) + 1) * lengthMs;
}

/** The first period of a node. */
export function firstPeriod(createdAt: number, cycleDays: number): Period {
  return { start: startOfDay(createdAt), end: boundaryAfter(createdAt, cycleDays, createdAt) };
}

/**
 * The period that holds `at`, given the one in force when the cycle was last set.
 * A pure function of the node's settings: no report is needed for a period to end.
 */
export function periodAt(set: Period, createdAt: number, cycleDays: number, at: number): Period {
  if (at < set.end) return set;
  const end = boundaryAfter(createdAt, cycleDays, at);
  return { start: Math.max(end - cycleDays * DAY_MS, set.end), end };
}

/**
 * What to store when the cycle changes at `at`: the running sum goes on until the next boundary of
 * the new cycle.
 */
export function periodAfterChange(
  current: Period,
  createdAt: number,
  cycleDays: number,
  at: number,
): Period {
  return { start: current.start, end: boundaryAfter(createdAt, cycleDays, at) };
}
