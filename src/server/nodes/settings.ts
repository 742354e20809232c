import type { Connection, RegionType } from "../../shared/api/nodes.ts";
import type { NodeRecord } from "./node.ts";

/** What an owner decides about a node. */
export type NodeSettings = Pick<
  NodeRecord,
  | "name"
  | "regionType"
  | "regionDetail"
  | "connections"
  | "tierBandwidth"
  | "maxBandwidth"
  | "maxTraffic"
  | "resetCycleDays"
  | "maxConnections"
  | "tags"
  | "validUntil"
  | "allowRelay"
>;

/** The settings as the wire names them, for the audit log. */
export const wireNames = {
  name: "node_name",
  regionType: "region_type",
  regionDetail: "region_detail",
  connections: "connections",
  tierBandwidth: "tier_bandwidth",
  maxBandwidth: "max_bandwidth",
  maxTraffic: "max_traffic",
  resetCycleDays: "reset_cycle",
  maxConnections: "max_connections",
  tags: "tags",
  validUntil: "valid_until",
  allowRelay: "allow_relay",
} as const satisfies Record<keyof NodeSettings, string>;

/** Creation needs the first three. */
export type NewNodeSettings = Partial<NodeSettings> & {
  name: string;
  regionType: RegionType;
  connections: Connection[];
};

/** Fills in what the owner left out. */
export function withDefaults(given: NewNodeSettings): NodeSettings {
  const maxBandwidth = given.maxBandwidth ?? 0;
  return {
    regionDetail: "",
    tierBandwidth: maxBandwidth,
    maxBandwidth,
    maxTraffic: 0,
    resetCycleDays: 30,
    maxConnections: 0,
    tags: "",
    validUntil: null,
    allowRelay: false,
    ...given,
  };
}
