import { Type, type Static } from "typebox";
import { regionTypes } from "./nodes.ts";

export const publicRegions = [...regionTypes, "all"] as const;

/** A node as everybody may see it. Bandwidth in Mbit/s, traffic in GB. */
export const PublicNode = Type.Object({
  id: Type.Integer(),
  node_name: Type.String(),
  region_type: Type.Enum([...regionTypes]),
  region_detail: Type.String(),
  current_bandwidth: Type.Number(),
  tier_bandwidth: Type.Number(),
  max_bandwidth: Type.Number(),
  used_traffic: Type.Number(),
  max_traffic: Type.Number(),
  connection_count: Type.Integer(),
  max_connections: Type.Integer(),
  tags: Type.String(),
  status: Type.String(),
  allow_relay: Type.Union([Type.Literal(0), Type.Literal(1)]),
});
export type PublicNode = Static<typeof PublicNode>;

export const PublicNodeAnswer = Type.Object({ node: PublicNode });
export type PublicNodeAnswer = Static<typeof PublicNodeAnswer>;

/** Online nodes first, then the others, each by id. */
export const PublicListAnswer = Type.Object({ nodes: Type.Array(PublicNode) });
export type PublicListAnswer = Static<typeof PublicListAnswer>;

export const publicPageLimits = { nodes: 200, standardNodes: 50, tags: 200 };

/** A page of those that one looks for. */
export const PublicSearchAnswer = Type.Object({
  nodes: Type.Array(PublicNode),
  found: Type.Integer({ description: "How many fit, on all pages" }),
  total: Type.Integer({ description: "How many there are" }),
});
export type PublicSearchAnswer = Static<typeof PublicSearchAnswer>;

export const PublicSearchQuery = Type.Partial(
  Type.Object({
    text: Type.String({
      maxLength: 128,
      description: "Words that each stand in the name, the place or the tags, in any case",
    }),
    region: Type.Enum([...regionTypes]),
    tag: Type.String({ maxLength: 256, description: "Compared trimmed and without case" }),
    relay: Type.Boolean({ description: "true: only those that pass traffic on for others" }),
    limit: Type.Integer({ minimum: 1, maximum: publicPageLimits.nodes }),
    offset: Type.Integer({ minimum: 0, description: "How many are on the pages before" }),
  }),
  { additionalProperties: false },
);
export type PublicSearchQuery = Static<typeof PublicSearchQuery>;

export const PublicTagsAnswer = Type.Object({
  tags: Type.Array(Type.String(), {
    description: `In lower case and in order, ${publicPageLimits.tags} at most`,
  }),
});
export type PublicTagsAnswer = Static<typeof PublicTagsAnswer>;

/** Every parameter is optional; unknown ones are ignored. */
export const PublicListQuery = Type.Partial(
  Type.Object({
    limit: Type.Integer({ minimum: 1, description: "All when left out" }),
    after: Type.Integer({
      minimum: 0,
      description: "Id of the last node seen; the list goes on behind it, in its own order",
    }),
    region: Type.Enum([...publicRegions]),
    tag: Type.String({ minLength: 1, description: "Compared trimmed and without case" }),
    status: Type.String({ pattern: "^[a-z0-9_-]{1,32}$" }),
  }),
);
