import type { HistoryRange, NodePoint } from "../../shared/api/stats.ts";
import { DAY_MS, HOUR_MS, MINUTE_MS, toIso } from "../lib/clock.ts";
import { toShownGb } from "../reports/exact-sum.ts";

/** How a range is divided. */
export interface Grid {
  /** Length of a bucket in seconds, as the storage names it. */
  span: number;
  stepMs: number;
  buckets: number;
}

export const grids: Readonly<Record<HistoryRange, Grid>> = {
  "24h": { span: 60, stepMs: MINUTE_MS, buckets: 1440 },
  "30d": { span: 3600, stepMs: HOUR_MS, buckets: 720 },
  "1y": { span: 86_400, stepMs: DAY_MS, buckets: 365 },
};

/** Start of the bucket that holds `at`. */
export function bucketOf(at: number, { stepMs }: Grid): number {
  return at - (at % stepMs);
}

/** Starts of the buckets of the range that ends now and begins no earlier than `since`. */
export function bucketStarts(grid: Grid, now: number, since: number): number[] {
  const last = bucketOf(now, grid);
  const first = Math.max(last - (grid.buckets - 1) * grid.stepMs, bucketOf(since, grid));
  const starts: number[] = [];
  for (let at = first; at <= last; at += grid.stepMs) starts.push(at);
  return starts;
}

/** A stretch of a node's history. */
export interface NodeBucket {
  at: number;
  /** Milliseconds for which an online report stood. */
  upMs: number;
  /** Means over `upMs`. */
  bandwidth: number;
  connections: number;
  /** GB. */
  traffic: number;
}

/** What is known of a node, and from when to when. */
export interface NodeSeries {
  grid: Grid;
  starts: readonly number[];
  buckets: ReadonlyMap<number, NodeBucket>;
  createdAt: number;
  /** Until when the reports say whether the node was up. */
  knownUntil: number;
}

/** One point per bucket; where nothing is stored the node was not up. */
export function toNodePoints(series: NodeSeries): NodePoint[] {
  const { grid, starts, buckets, createdAt, knownUntil } = series;
  return starts.flatMap((at) => {
    const lengthMs = Math.min(at + grid.stepMs, knownUntil) - Math.max(at, createdAt);
    const bucket = buckets.get(at);
    if (lengthMs <= 0 && !bucket) return [];
    const upMs = bucket?.upMs ?? 0;
    return [
      {
        at: toIso(at),
        bandwidth: rounded(bucket?.bandwidth ?? 0),
        connections: rounded(bucket?.connections ?? 0),
        traffic: toShownGb(bucket?.traffic ?? 0),
        uptime: lengthMs <= 0 ? Number(upMs > 0) : rounded(Math.min(1, upMs / lengthMs)),
      },
    ];
  });
}

/** To three places, as far as people read. */
export function rounded(value: number): number {
  return Math.round(value * 1000) / 1000;
}
