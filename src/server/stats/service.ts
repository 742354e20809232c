import {
  historyRanges,
  type FleetHistory,
  type FleetPoint,
  type HistoryRange,
  type NodeHistory,
} from "../../shared/api/stats.ts";
import type { Db } from "../database/database.ts";
import type { FleetRollupTable } from "../database/schema.ts";
import { toIso, type Clock } from "../lib/clock.ts";
import { AppError } from "../lib/errors.ts";
import type { Fleet } from "../nodes/fleet.ts";
import type { NodeService } from "../nodes/service.ts";
import { toShownGb } from "../reports/exact-sum.ts";
import type { Caller } from "../users/caller.ts";
import { BriefMemory } from "./brief-memory.ts";
import { bucketOf, bucketStarts, grids, rounded, toNodePoints, type NodeBucket } from "./series.ts";
import { readFleetBuckets, readFleetMean, readNodeBuckets } from "./store.ts";

/** Hands out the buckets of a node that are not over yet, of every length. */
export type OpenHistory = (nodeId: number) => Promise<(NodeBucket & { span: number })[]>;

export interface StatsParts {
  fleet: Fleet;
  clock: Clock;
  db: Db;
  nodes: Pick<NodeService, "findOwn">;
  openHistory: OpenHistory;
}

/** For how long a history that everybody may ask for is not read again. */
const HISTORY_KEPT_MS = 5_000;
/** How many histories of single nodes are remembered so long. */
const LISTED_KEPT = 64;

/** The fleet in numbers, now and over time. */
export class StatsService {
  readonly #parts: StatsParts;
  #text = "";
  #version = -1;
  readonly #fleets: BriefMemory<FleetHistory>;
  readonly #listed: BriefMemory<NodeHistory>;

  constructor(parts: StatsParts) {
    this.#parts = parts;
    this.#fleets = new BriefMemory(parts.clock, HISTORY_KEPT_MS, historyRanges.length);
    this.#listed = new BriefMemory(parts.clock, HISTORY_KEPT_MS, LISTED_KEPT);
  }

  /** The answer to `GET /api/stats` as JSON text. */
  answer(): string {
    const { fleet, clock } = this.#parts;
    fleet.expire(clock.now());
    if (fleet.version !== this.#version) {
      const { total, online, domestic, overseas, bandwidth } = fleet.totals;
      this.#text = `{"total_nodes":${total},"online_nodes":${online},"domestic_nodes":${domestic},"overseas_nodes":${overseas},"total_bandwidth":${toShownMbps(bandwidth)}}`;
      this.#version = fleet.version;
    }
    return this.#text;
  }

  /** Everybody may ask for it, so it is read once for all who ask within some seconds. */
  fleetHistory(range: HistoryRange): Promise<FleetHistory> {
    return this.#fleets.get(range, () => this.#readFleetHistory(range, this.#parts.clock.now()));
  }

  /** @throws AppError not_found, forbidden */
  async nodeHistory(caller: Caller, id: number, range: HistoryRange): Promise<NodeHistory> {
    return this.#readNodeHistory(id, this.#parts.nodes.findOwn(caller, id), range);
  }

  /**
   * Of a node of the public list, for everybody: read once for all who ask within some seconds.
   * @throws AppError not_found
   */
  listedHistory(id: number, range: HistoryRange): Promise<NodeHistory> {
    const { fleet, clock } = this.#parts;
    fleet.expire(clock.now());
    const slot = fleet.slotOf(id);
    if (slot === undefined || !fleet.isListed(slot)) {
      throw new AppError("not_found", "The list has no node with this id");
    }
    return this.#listed.get(`${id} ${range}`, () => this.#readNodeHistory(id, slot, range));
  }

  async #readNodeHistory(id: number, slot: number, range: HistoryRange): Promise<NodeHistory> {
    const { fleet, clock, db, openHistory } = this.#parts;
    const now = clock.now();
    const { columns } = fleet;
    const createdAt = columns.createdAt[slot] as number;
    const isOnline = columns.online[slot] === 1;
    const knownUntil = isOnline ? (columns.reportedAt[slot] as number) : now;
    const grid = grids[range];
    const starts = bucketStarts(grid, now, createdAt);
    // In this order: a bucket that is over in between is seen twice rather than never.
    const open = await openHistory(id);
    const stored = await readNodeBuckets(db, id, grid.span, starts);
    const buckets = new Map<number, NodeBucket>();
    for (const bucket of open) if (bucket.span === grid.span) buckets.set(bucket.at, bucket);
    for (const bucket of stored) buckets.set(bucket.at, bucket);
    return {
      range,
      step_seconds: grid.span,
      points: toNodePoints({ grid, starts, buckets, createdAt, knownUntil }),
    };
  }

  async #readFleetHistory(range: HistoryRange, now: number): Promise<FleetHistory> {
    const { db } = this.#parts;
    const grid = grids[range];
    const current = bucketOf(now, grid);
    const rows = await readFleetBuckets(db, grid.span, current - (grid.buckets - 1) * grid.stepMs);
    if (range !== "24h" && rows.at(-1)?.at !== current) {
      const mean = await readFleetMean(db, grid.span, current);
      if (mean) rows.push(mean);
    }
    return { range, step_seconds: grid.span, points: rows.map(toFleetPoint) };
  }
}

/** To a millionth: a sum of decimal numbers reads like one. */
function toShownMbps(bandwidth: number): number {
  return Math.round(bandwidth * 1e6) / 1e6;
}

function toFleetPoint(row: FleetRollupTable): FleetPoint {
  return {
    at: toIso(row.at),
    total_nodes: rounded(row.total_nodes),
    online_nodes: rounded(row.online_nodes),
    bandwidth: rounded(row.bandwidth),
    connections: rounded(row.connections),
    traffic: toShownGb(row.traffic),
  };
}
