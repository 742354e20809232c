import { DAY_MS } from "../lib/clock.ts";
import type { FleetColumns } from "../nodes/fleet-columns.ts";

/** UTC days since 1970. */
export function dayOf(at: number): number {
  return Math.floor(at / DAY_MS);
}

/**
 * GB that `today`, given as by `dayOf`, may take so that the quota lasts to the end of the period;
 * 0 = unlimited.
 */
export function budgetToday(c: FleetColumns, slot: number, today: number): number {
  const quota = c.maxTraffic[slot] as number;
  if (quota === 0) return 0;
  // Periods end at midnight UTC.
  const daysLeft = (c.periodEnd[slot] as number) / DAY_MS - today;
  if (daysLeft <= 0) return quota / (c.cycleDays[slot] as number);
  return (quota - (c.usedHigh[slot] as number) + usedToday(c, slot, today)) / daysLeft;
}

/** GB used since the day began, as far as reports have said. */
export function usedToday(c: FleetColumns, slot: number, today: number): number {
  if (c.reportDay[slot] !== today) return 0;
  return Math.max(0, (c.usedHigh[slot] as number) - (c.usedAtDayStart[slot] as number));
}
