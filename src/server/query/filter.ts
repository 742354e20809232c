import type { QueryPriority, QueryRegion } from "../../shared/api/query.ts";
import { transports, type Transport } from "../../shared/api/nodes.ts";
import { queryPriorities, queryRegions } from "../../shared/api/query.ts";
import type { FleetColumns } from "../nodes/fleet-columns.ts";

/** Which nodes are wanted, apart from those a single caller excludes. */
export interface QueryFilter {
  region: QueryRegion;
  /** null = balanced. */
  priority: QueryPriority | null;
  relayOnly: boolean;
  /** Trimmed and in lower case; "" = any. */
  tagKey: string;
  transport: Transport | null;
}

export const anyNode: QueryFilter = {
  region: "all",
  priority: null,
  relayOnly: false,
  tagKey: "",
  transport: null,
};

/** A number for everything but the tag. */
export function filterCode(filter: QueryFilter): number {
  let code = filter.transport === null ? 0 : transports.indexOf(filter.transport) + 1;
  code = code * 4 + (filter.priority === null ? 0 : queryPriorities.indexOf(filter.priority) + 1);
  code = code * 3 + queryRegions.indexOf(filter.region);
  return code * 2 + (filter.relayOnly ? 1 : 0);
}

/** The filter's words as the fleet's columns hold them, for a test that runs for every node. */
export interface FilterBits {
  /** 0 or 1 as in the column `overseas`; -1 = any. */
  overseas: number;
  relay: boolean;
  /** 0 = any. */
  transport: number;
}

/** Whether a node is up and of the kind that is asked for; reads a byte per property. */
export function fits(c: FleetColumns, slot: number, bits: FilterBits): boolean {
  return (
    c.online[slot] === 1 &&
    c.unreachable[slot] === 0 &&
    c.enabled[slot] === 1 &&
    (bits.overseas < 0 || c.overseas[slot] === bits.overseas) &&
    (!bits.relay || c.relay[slot] === 1) &&
    (bits.transport === 0 || ((c.transports[slot] as number) & bits.transport) !== 0)
  );
}

/** Whether a node may be answered at all, quota aside. */
export function isWanted(c: FleetColumns, slot: number, bits: FilterBits, now: number): boolean {
  return fits(c, slot, bits) && (c.expiresAt[slot] as number) > now;
}

/** Whether the node has traffic left in the period that holds `now`. */
export function hasQuota(c: FleetColumns, slot: number, now: number): boolean {
  const quota = c.maxTraffic[slot] as number;
  return (
    quota === 0 || (c.usedHigh[slot] as number) < quota || now >= (c.periodEnd[slot] as number)
  );
}
