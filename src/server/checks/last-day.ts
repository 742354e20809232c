import type { LastDay } from "../../shared/api/node-checks.ts";
import type { NodeCheckTable } from "../database/schema.ts";
import { DAY_MS, HOUR_MS } from "../lib/clock.ts";

/** The first of the hours that reach into the last 24. */
export function firstHour(now: number): number {
  return now - (now % HOUR_MS) - DAY_MS;
}

/** The sum of one connection's hours. */
export function toLastDay(hours: readonly NodeCheckTable[]): LastDay {
  const sum = (read: (hour: NodeCheckTable) => number) =>
    hours.reduce((total, hour) => total + read(hour), 0);
  const checks = sum((hour) => hour.checks);
  const reachable = sum((hour) => hour.reachable);
  return {
    checks,
    reachable,
    uptime_percent: checks === 0 ? 0 : rounded((100 * reachable) / checks),
    mean_latency_ms: reachable === 0 ? null : rounded(sum((hour) => hour.latency_sum) / reachable),
    overlay_answers: sum((hour) => hour.overlay),
  };
}

function rounded(value: number): number {
  return Math.round(value * 100) / 100;
}
