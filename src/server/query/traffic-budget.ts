import { DAY_MS } from "../lib/clock.ts";
import type { FleetColumns } from "../nodes/fleet-columns.ts";

/** GB that today may take so that the quota lasts to the end of the period; 0 = unlimited. */
export function budgetToday(c: FleetColumns, slot: number, now: number): number {
  const quota = c.maxTraffic[slot] as number;
  if (quota === 0) return 0;
  const periodEnd = c.periodEnd[slot] as number;
  if (now >= periodEnd) return quota / Math.max(1, c.cycleDays[slot] as number);
  const left = quota - (c.usedHigh[slot] as number) + usedToday(c, slot, now);
  return left / Math.max(1, Math.ceil(periodEnd / DAY_MS) - Math.floor(now / DAY_MS));
}

/** GB used since the day began, as far as reports have said. */
export function usedToday(c: FleetColumns, slot: number, now: number): number {
  if (c.reportDay[slot] !== Math.floor(now / DAY_MS) || now >= (c.periodEnd[slot] as number)) return 0;
  return Math.max(0, (c.usedHigh[slot] as number) - (c.usedAtDayStart[slot] as number));
}
