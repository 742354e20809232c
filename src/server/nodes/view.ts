import type { AdminNode, MyNode, NodeDetails } from "../../shared/api/nodes.ts";
import { toIso } from "../lib/clock.ts";
import { toShownGb } from "../reports/exact-sum.ts";
import type { Fleet } from "./fleet.ts";
import { validUntilOf } from "./node.ts";

/** A node as its owner sees it in the list. */
export function toMyNode(fleet: Fleet, slot: number, now: number): MyNode {
  const { columns: c, texts } = fleet;
  return {
    id: c.id[slot] as number,
    node_name: texts.names[slot] as string,
    region_type: c.overseas[slot] === 1 ? "overseas" : "domestic",
    region_detail: texts.regionDetails[slot] as string,
    connections: texts.connectionsOf(slot),
    current_bandwidth: c.bandwidth[slot] as number,
    tier_bandwidth: c.tierBandwidth[slot] as number,
    max_bandwidth: c.maxBandwidth[slot] as number,
    used_traffic: toShownGb(fleet.usedTraffic(slot, now)),
    max_traffic: c.maxTraffic[slot] as number,
    connection_count: c.connections[slot] as number,
    max_connections: c.maxConnections[slot] as number,
    tags: texts.tags[slot] as string,
    status: fleet.shownStatus(slot, now),
  };
}

export function toNodeDetails(fleet: Fleet, slot: number, now: number): NodeDetails {
  const c = fleet.columns;
  const reportedAt = c.reportedAt[slot] as number;
  return {
    ...toMyNode(fleet, slot, now),
    reset_cycle: c.cycleDays[slot] as number,
    valid_until: validUntilOf(c.expiresAt[slot] as number),
    allow_relay: c.relay[slot] === 1 ? 1 : 0,
    enabled: c.enabled[slot] === 1,
    version: fleet.versions[slot] as string,
    reset_date: toIso(fleet.period(slot, now).end),
    reported_at: reportedAt === 0 ? null : toIso(reportedAt),
    created_at: toIso(c.createdAt[slot] as number),
  };
}

/** @param ownerEmail as the owner registered it */
export function toAdminNode(
  fleet: Fleet,
  slot: number,
  now: number,
  ownerEmail: string,
): AdminNode {
  return {
    ...toNodeDetails(fleet, slot, now),
    owner_id: fleet.columns.owner[slot] as number,
    owner_email: ownerEmail,
  };
}
