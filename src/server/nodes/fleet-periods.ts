import type { FleetColumns } from "./fleet-columns.ts";
import type { NodeRecord } from "./node.ts";
import { periodAt, type Period } from "./period.ts";

/**
 * Starts the sums of a node again when its period has ended. Cheap when it has not.
 * @returns whether it has
 */
export function rollPeriod(c: FleetColumns, slot: number, now: number): boolean {
  const end = c.periodEnd[slot] as number;
  if (now < end) return false;
  const current = { start: c.periodStart[slot] as number, end };
  start(c, slot, periodAt(current, c.createdAt[slot] as number, c.cycleDays[slot] as number, now));
  return true;
}

/** A changed cycle moves the end of the period in force; only a new period starts at zero. */
export function takeUpPeriod(
  c: FleetColumns,
  slot: number,
  { period: given, createdAt, resetCycleDays }: NodeRecord,
  now: number,
): void {
  const period = periodAt(given, createdAt, resetCycleDays, now);
  if (period.start > (c.periodStart[slot] as number)) start(c, slot, period);
  c.periodStart[slot] = period.start;
  c.periodEnd[slot] = period.end;
}

function start(c: FleetColumns, slot: number, period: Period): void {
  c.periodStart[slot] = period.start;
  c.periodEnd[slot] = period.end;
  c.usedHigh[slot] = c.usedLow[slot] = c.stagedHigh[slot] = c.stagedLow[slot] = 0;
}
