import type { NodeLiveTable } from "../database/schema.ts";
import type { LiveNode } from "./fold.ts";
import { OpenHistory } from "./history.ts";

/** What the fold reads of a row of `node_live`. */
export type LiveRow = Omit<NodeLiveTable, "journal_seq" | "silent">;

export function toLive(row: LiveRow): LiveNode {
  return {
    nodeId: row.node_id,
    reportedAt: row.reported_at,
    bandwidth: row.bandwidth,
    connections: row.connections,
    status: row.status,
    used: row.used,
    usedRest: row.used_rest,
    periodStart: row.period_start,
    tierBandwidth: row.tier_bandwidth,
    tierAt: row.tier_at,
    intervalMs: row.interval_ms,
    version: row.version,
    history: new OpenHistory(row.open_history),
    ended: [],
  };
}
