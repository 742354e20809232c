import type { Selectable } from "kysely";
import type { Connection, RegionType } from "../../shared/api/nodes.ts";
import type { NodeTable } from "../database/schema.ts";
import type { NodeRecord } from "./node.ts";

/** A stored node, with its owner's `email_key`. */
export type NodeRow = Selectable<NodeTable> & { email_key: string };

export function toRecord(row: NodeRow): NodeRecord {
  return {
    id: row.id,
    ownerId: row.owner_id,
    ownerEmailKey: row.email_key,
    name: row.node_name,
    regionType: row.region_type as RegionType,
    regionDetail: row.region_detail,
    connections: JSON.parse(row.connections) as Connection[],
    tierBandwidth: row.tier_bandwidth,
    tierSince: row.tier_since,
    maxBandwidth: row.max_bandwidth,
    maxTraffic: row.max_traffic,
    resetCycleDays: row.reset_cycle,
    maxConnections: row.max_connections,
    tags: row.tags,
    validUntil: row.valid_until,
    allowRelay: row.allow_relay === 1,
    enabled: row.enabled === 1,
    tokenHash: Buffer.from(row.token_hash, "hex"),
    previousToken: toPreviousToken(row),
    period: { start: row.period_start, end: row.period_end },
    createdAt: row.created_at,
  };
}

function toPreviousToken(row: NodeRow): NodeRecord["previousToken"] {
  const { previous_token_hash: hash, previous_token_until: until } = row;
  return hash === null || until === null ? null : { hash: Buffer.from(hash, "hex"), until };
}
