import type { LiveState } from "../nodes/node.ts";
import { addExactly } from "./exact-sum.ts";
import { OpenHistory, type HistoryBucket } from "./history.ts";
import { waitBeforeOffline } from "./interval.ts";
import type { ReportRecord } from "./record.ts";

/** A row of `node_live` while reports are folded into it. */
export interface LiveNode extends Omit<LiveState, "silent"> {
  nodeId: number;
  history: OpenHistory;
  /** History buckets that ended and are not stored yet. */
  ended: HistoryBucket[];
}

/**
 * Takes one report into the node's state; pure but for `live`. Reports come in the order in which
 * they were accepted; one that is older than what stands (another instance's) adds its traffic only.
 */
export function foldReport(live: LiveNode, record: ReportRecord): void {
  const emit = (bucket: HistoryBucket) => live.ended.push(bucket);
  foldTraffic(live, record);
  if (record.at >= live.reportedAt) {
    foldUptime(live, record, emit);
    live.reportedAt = record.at;
    live.bandwidth = record.bandwidth;
    live.connections = record.connections;
    live.status = record.status;
    live.intervalMs = record.intervalMs;
    if (record.version !== null) live.version = record.version;
    if (record.tierBandwidth !== null) {
      live.tierBandwidth = record.tierBandwidth;
      live.tierAt = record.at;
    }
  }
  live.history.addTraffic(record.at, record.traffic, emit);
}

function foldTraffic(live: LiveNode, record: ReportRecord): void {
  if (record.periodStart < live.periodStart) return;
  if (record.periodStart > live.periodStart) {
    live.periodStart = record.periodStart;
    live.used = 0;
    live.usedRest = 0;
  }
  const sum = addExactly({ high: live.used, low: live.usedRest }, record.traffic);
  live.used = sum.high;
  live.usedRest = sum.low;
}

/** The previous report stood until this one, unless the node had fallen silent in between. */
function foldUptime(
  live: LiveNode,
  record: ReportRecord,
  emit: (bucket: HistoryBucket) => void,
): void {
  const { reportedAt, bandwidth, connections } = live;
  if (live.status !== "online" || reportedAt === 0) return;
  if (record.at - reportedAt > waitBeforeOffline(live.intervalMs)) return;
  live.history.addStretch({ from: reportedAt, to: record.at, bandwidth, connections }, emit);
}
