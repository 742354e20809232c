import { Type, type Static } from "typebox";

/** The transports a connection may have, as stored: upper case. */
export const transports = ["TCP", "UDP", "WS", "WSS", "WG", "QUIC"] as const;
export type Transport = (typeof transports)[number];

export const regionTypes = ["domestic", "overseas"] as const;
export type RegionType = (typeof regionTypes)[number];

/** Largest values that are still believable; beyond them a number is refused. */
export const nodeLimits = {
  nameLength: 64,
  regionDetailLength: 128,
  tagsLength: 256,
  connections: 16,
  bandwidthMbps: 1e6,
  trafficGb: 1e9,
  count: 1e7,
  resetCycleDays: 366,
} as const;

/** Where a node is reached. */
export const Connection = Type.Object({
  type: Type.String(),
  ip: Type.String(),
  port: Type.Integer({ minimum: 1, maximum: 65535 }),
});
export type Connection = Static<typeof Connection>;

const traffic = Type.Number({ minimum: 0, maximum: nodeLimits.trafficGb });
const bandwidth = Type.Number({ minimum: 0, maximum: nodeLimits.bandwidthMbps });

/** What an owner may set. Bandwidth in Mbit/s, traffic in GB per cycle, `reset_cycle` in days. */
const settable = {
  node_name: Type.String(),
  region_type: Type.Enum([...regionTypes]),
  region_detail: Type.String({ maxLength: nodeLimits.regionDetailLength }),
  connections: Type.Array(Connection, { minItems: 1, maxItems: nodeLimits.connections }),
  tier_bandwidth: bandwidth,
  max_bandwidth: bandwidth,
  max_traffic: traffic,
  reset_cycle: Type.Integer({ minimum: 1, maximum: nodeLimits.resetCycleDays }),
  max_connections: Type.Integer({ minimum: 0, maximum: nodeLimits.count }),
  tags: Type.String({ maxLength: nodeLimits.tagsLength }),
  valid_until: Type.Union([Type.String(), Type.Null()]),
  allow_relay: Type.Union([Type.Literal(0), Type.Literal(1), Type.Boolean()]),
};

export const NodeInput = Type.Partial(Type.Object(settable));
export type NodeInput = Static<typeof NodeInput>;
