import { Type, type Static } from "typebox";
import { MessageBody, Timestamp } from "./common.ts";

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
  type: Type.String({
    description: `${transports.join(", ")}, in any case; stored in upper case`,
    examples: ["TCP"],
  }),
  ip: Type.String({ description: "IPv4 address, IPv6 address or DNS name" }),
  port: Type.Integer({ minimum: 1, maximum: 65535 }),
});
export type Connection = Static<typeof Connection>;

const bandwidth = (description: string) =>
  Type.Number({ minimum: 0, maximum: nodeLimits.bandwidthMbps, description });
const count = (description: string) =>
  Type.Integer({ minimum: 0, maximum: nodeLimits.count, description });

/** What an owner may set. */
const settings = {
  node_name: Type.String({ description: "1–64 characters, unique among the nodes of its owner" }),
  region_type: Type.Enum([...regionTypes]),
  region_detail: Type.String({ description: "Up to 128 characters" }),
  connections: Type.Array(Connection, { minItems: 1, maxItems: nodeLimits.connections }),
  tier_bandwidth: bandwidth("Mbit/s; max_bandwidth when left out at creation"),
  max_bandwidth: bandwidth("Mbit/s, 0 = unknown"),
  max_traffic: Type.Number({
    minimum: 0,
    maximum: nodeLimits.trafficGb,
    description: "GB per reset cycle, 0 = unlimited",
  }),
  reset_cycle: Type.Integer({
    minimum: 1,
    maximum: nodeLimits.resetCycleDays,
    description: "Days",
  }),
  max_connections: count("0 = unlimited"),
  tags: Type.String({ description: "Comma-separated, up to 256 characters in all" }),
  valid_until: Type.Union([Type.String({ format: "date" }), Type.Null()], {
    description: "Last day of validity, UTC; null = for ever",
  }),
  allow_relay: Type.Union([Type.Literal(0), Type.Literal(1), Type.Boolean()]),
};

/** Body of a change; every field is optional. */
export const NodeChange = Type.Partial(Type.Object(settings));

export type NodeChange = Static<typeof NodeChange>;

/** Body of a creation. */
export const NewNode = Type.Object({
  ...NodeChange.properties,
  node_name: settings.node_name,
  region_type: settings.region_type,
  connections: settings.connections,
});
export type NewNode = Static<typeof NewNode>;

const flag = Type.Union([Type.Literal(0), Type.Literal(1)]);

const live = {
  current_bandwidth: Type.Number({ description: "Mbit/s as last reported" }),
  used_traffic: Type.Number({ description: "GB in the running cycle" }),
  connection_count: Type.Integer({ description: "As last reported" }),
  status: Type.String({ description: "As last reported, `offline` or `expired`" }),
};

/** Everything about a node but its report token. */
export const NodeDetails = Type.Object({
  id: Type.Integer(),
  ...settings,
  allow_relay: flag,
  ...live,
  enabled: Type.Boolean({ description: "False while an administrator has switched the node off" }),
  version: Type.String({ description: "As last reported" }),
  reset_date: Timestamp,
  reported_at: Type.Union([Timestamp, Type.Null()]),
  created_at: Timestamp,
});
export type NodeDetails = Static<typeof NodeDetails>;

export const MyNode = Type.Object({
  id: Type.Integer(),
  node_name: settings.node_name,
  region_type: settings.region_type,
  region_detail: settings.region_detail,
  connections: settings.connections,
  current_bandwidth: live.current_bandwidth,
  tier_bandwidth: settings.tier_bandwidth,
  max_bandwidth: settings.max_bandwidth,
  used_traffic: live.used_traffic,
  max_traffic: settings.max_traffic,
  connection_count: live.connection_count,
  max_connections: settings.max_connections,
  tags: settings.tags,
  status: live.status,
});
export type MyNode = Static<typeof MyNode>;

export const MyNodesAnswer = Type.Object({ nodes: Type.Array(MyNode) });
/** Every node of the caller, each whole. */
export const OwnNodesAnswer = Type.Object({ nodes: Type.Array(NodeDetails) });
export type OwnNodesAnswer = Static<typeof OwnNodesAnswer>;
export const NodeAnswer = Type.Object({ node: NodeDetails });
export type NodeAnswer = Static<typeof NodeAnswer>;

/** The token is shown here and never again. */
export const NewNodeAnswer = Type.Object({
  ...MessageBody.properties,
  node_id: Type.Integer(),
  report_token: Type.String(),
});
export type NewNodeAnswer = Static<typeof NewNodeAnswer>;
export const NewTokenAnswer = Type.Object({
  ...MessageBody.properties,
  report_token: Type.String(),
});
export type NewTokenAnswer = Static<typeof NewTokenAnswer>;

export const AdminNode = Type.Object({
  ...NodeDetails.properties,
  owner_id: Type.Integer(),
  owner_email: Type.String(),
});
export type AdminNode = Static<typeof AdminNode>;
export const AdminNodesAnswer = Type.Object({ nodes: Type.Array(AdminNode) });
export type AdminNodesAnswer = Static<typeof AdminNodesAnswer>;

export const nodesPerPage = 1000;

/** Pages run by id; `after` is the last id of the page before. */
export const AdminNodesQuery = Type.Object(
  {
    limit: Type.Optional(Type.Integer({ minimum: 1, maximum: nodesPerPage })),
    after: Type.Optional(Type.Integer({ minimum: 0 })),
    search: Type.Optional(
      Type.String({
        maxLength: 256,
        description: "A part of name, region_detail, tags or the owner's address, in any case",
      }),
    ),
    status: Type.Optional(Type.String({ maxLength: 32, description: "As it is shown" })),
    region: Type.Optional(Type.Enum([...regionTypes])),
    enabled: Type.Optional(Type.Boolean()),
  },
  { additionalProperties: false },
);
export type AdminNodesQuery = Static<typeof AdminNodesQuery>;

export const AdminNodeChange = Type.Object(
  { enabled: Type.Optional(Type.Boolean()) },
  { additionalProperties: false },
);
export type AdminNodeChange = Static<typeof AdminNodeChange>;

export const NodePath = Type.Object({ id: Type.Integer({ minimum: 1 }) });
