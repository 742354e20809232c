import { Type, type Static } from "typebox";
import { Connection, nodeLimits, regionTypes } from "./nodes.ts";

export const queryRegions = [...regionTypes, "all"] as const;
export type QueryRegion = (typeof queryRegions)[number];

/** What the answer shall spread best; none named: the tightest of the three. */
export const queryPriorities = ["traffic", "bandwidth", "latency"] as const;
export type QueryPriority = (typeof queryPriorities)[number];

export const queryLimits = { nodes: 20, nodesUnasked: 3, excluded: 1000 } as const;

/** Which nodes are wanted. An absent body means all defaults; unknown fields are ignored. */
export const QueryInput = Type.Partial(
  Type.Object({
    region: Type.Enum([...queryRegions], { default: "all" }),
    priority: Type.Enum([...queryPriorities]),
    relay_only: Type.Boolean({ default: false }),
    limit: Type.Integer({
      minimum: 1,
      maximum: queryLimits.nodes,
      default: queryLimits.nodesUnasked,
    }),
    tag: Type.String({ maxLength: nodeLimits.tagsLength }),
    transport: Type.String({ description: "A connection type, in any case" }),
    exclude: Type.Array(Type.Integer({ minimum: 1 }), {
      maxItems: queryLimits.excluded,
      description: "Ids of nodes that are not wanted",
    }),
  }),
);
export type QueryInput = Static<typeof QueryInput>;

/** A node as the query answers it. Bandwidth in Mbit/s, traffic in GB. */
const QueriedNode = Type.Object({
  id: Type.Integer(),
  node_name: Type.String(),
  region_type: Type.Enum([...regionTypes]),
  region_detail: Type.String(),
  connections: Type.Array(Connection),
  current_bandwidth: Type.Number(),
  tier_bandwidth: Type.Number(),
  connection_count: Type.Integer(),
  max_connections: Type.Integer(),
  used_traffic: Type.Number(),
  max_traffic: Type.Number(),
  tags: Type.String(),
  allow_relay: Type.Union([Type.Literal(0), Type.Literal(1)]),
});

/** The best draw comes first; empty when no node passes. */
export const QueryAnswer = Type.Object({ nodes: Type.Array(QueriedNode) });
export type QueryAnswer = Static<typeof QueryAnswer>;
