import type { FleetColumns } from "./fleet-columns.ts";
import type { AppliedReport, LiveState } from "./node.ts";

/** What a report says in numbers, written into the columns of its node. */
export function writeReport(c: FleetColumns, slot: number, report: AppliedReport): void {
  c.reportedAt[slot] = report.at;
  c.bandwidth[slot] = report.bandwidth;
  c.connections[slot] = report.connections;
  c.usedHigh[slot] = report.usedHigh;
  c.usedLow[slot] = report.usedLow;
  c.intervalMs[slot] = report.intervalMs;
  c.silentAt[slot] = report.silentAt;
  c.online[slot] = report.status === "online" ? 1 : 0;
  c.pending[slot] = 0;
  if (report.tierBandwidth !== null) reportTier(c, slot, report.tierBandwidth, report.at);
}

/** The same of what the storage holds, when a node is loaded or read again. */
export function writeLive(c: FleetColumns, slot: number, live: LiveState): void {
  c.reportedAt[slot] = live.reportedAt;
  c.bandwidth[slot] = live.bandwidth;
  c.connections[slot] = live.connections;
  c.intervalMs[slot] = live.intervalMs;
  c.online[slot] = live.status === "online" && !live.silent ? 1 : 0;
  if (live.tierBandwidth !== null) reportTier(c, slot, live.tierBandwidth, live.tierAt);
  const current = live.periodStart >= (c.periodStart[slot] as number);
  c.usedHigh[slot] = c.stagedHigh[slot] = current ? live.used : 0;
  c.usedLow[slot] = c.stagedLow[slot] = current ? live.usedRest : 0;
}

/** The newest word counts, be it the owner's or the node's. */
function reportTier(c: FleetColumns, slot: number, tierBandwidth: number, at: number): void {
  if (at <= (c.tierSince[slot] as number) || at < (c.tierAt[slot] as number)) return;
  c.tierBandwidth[slot] = tierBandwidth;
  c.tierAt[slot] = at;
}
