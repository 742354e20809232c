import { Type, type Static } from "typebox";
import { MessageBody, Timestamp } from "./common.ts";
import { domainLimits, recordTypes, type ProviderName } from "./domains.ts";
import { nodeLimits, transports } from "./nodes.ts";
import { queryLimits, queryPriorities, queryRegions } from "./query.ts";

/** As clients of the overlay look peers up: `txt://` and `srv://`. */
export const publicationTypes = ["TXT", "SRV"] as const;
export type PublicationType = (typeof publicationTypes)[number];

/** Providers whose records can be read, and so withdrawn, and that hold both types. */
export const publicationProviders: readonly ProviderName[] = [
  "cloudflare",
  "alidns",
  "dnspod",
  "rfc2136",
  "powerdns",
  "desec",
];

export const publicationLimits = {
  nodes: queryLimits.nodes,
  nodesUnasked: queryLimits.nodesUnasked,
  /** Names below it must fit into a name, too. */
  recordNameLength: 200,
  leastIntervalSeconds: 60,
  intervalSeconds: 300,
  mostIntervalSeconds: 86_400,
  ttlSeconds: 60,
  mostTtlSeconds: 86_400,
} as const;

export const publicationStatuses = [
  "pending",
  "published",
  "stale",
  "empty",
  "failing",
  "withdrawing",
  "disabled",
  "deleting",
] as const;
export type PublicationStatus = (typeof publicationStatuses)[number];

const strict = { additionalProperties: false };
const Id = Type.Integer({ minimum: 1 });
const NullableTime = Type.Union([Timestamp, Type.Null()]);
const NullableText = Type.Union([Type.String(), Type.Null()]);

/** Which nodes, as in `POST /api/query`. */
const wish = {
  node_count: Type.Integer({
    minimum: 1,
    maximum: publicationLimits.nodes,
    description: `At most so many nodes; ${publicationLimits.nodesUnasked} when left out`,
  }),
  region: Type.Enum([...queryRegions], { description: "`all` when left out" }),
  priority: Type.Union([Type.Enum([...queryPriorities]), Type.Null()], {
    description: "As in the query; null = balanced",
  }),
  relay_only: Type.Boolean(),
  tag: Type.Union([Type.String({ maxLength: nodeLimits.tagsLength }), Type.Null()]),
  transport: Type.Union([Type.Enum([...transports]), Type.Null()], {
    description: "Nodes and their connections of this transport; null = the first of each node",
  }),
};

const settings = {
  domain_account_id: Type.Integer({
    minimum: 1,
    description: `At one of ${publicationProviders.join(", ")}: what is published must be readable`,
  }),
  name: Type.String({
    minLength: 1,
    maxLength: domainLimits.recordNameLength,
    description: `Of the record, fully qualified, up to ${publicationLimits.recordNameLength} characters; a final dot is optional`,
    examples: ["peers.example.com"],
  }),
  type: Type.Enum([...publicationTypes], {
    description:
      "TXT: one text with the URLs at the name itself. SRV: `_easytier._tcp.<name>` and so on by transport, and addresses below the name for nodes that have no name of their own.",
  }),
  ...wish,
  interval_seconds: Type.Integer({
    minimum: publicationLimits.leastIntervalSeconds,
    maximum: publicationLimits.mostIntervalSeconds,
    description: `Between two looks at nodes and records; ${publicationLimits.intervalSeconds} when left out. A node that is lost is replaced at once.`,
  }),
  ttl_seconds: Type.Integer({
    minimum: 1,
    maximum: publicationLimits.mostTtlSeconds,
    description: `${publicationLimits.ttlSeconds} when left out`,
  }),
  enabled: Type.Boolean({ description: "false: the records are withdrawn" }),
};

const { domain_account_id, name, type, ...optional } = settings;
export const NewPublication = Type.Object(
  { domain_account_id, name, type, ...Type.Partial(Type.Object(optional)).properties },
  strict,
);
export type NewPublication = Static<typeof NewPublication>;
export const PublicationChange = Type.Partial(Type.Object(settings), strict);
export type PublicationChange = Static<typeof PublicationChange>;

const PublishedNode = Type.Object({
  id: Id,
  node_name: NullableText,
  url: Type.String({ description: "As clients read it" }),
  weight: Type.Integer({ minimum: 1, description: "1–100, of 100 for the largest" }),
});
export type PublishedNode = Static<typeof PublishedNode>;

const RecordSet = Type.Object({
  name: Type.String(),
  type: Type.Enum([...recordTypes]),
  values: Type.Array(Type.String(), { description: "As a zone file has them" }),
});
export type RecordSet = Static<typeof RecordSet>;

export const Publication = Type.Object({
  id: Id,
  domain_account_name: Type.String(),
  ...settings,
  peer_url: Type.String({ description: "What a client is given", examples: ["txt://example.com"] }),
  created_at: Timestamp,
  updated_at: Timestamp,
  state: Type.Object({
    status: Type.Enum([...publicationStatuses], {
      description:
        "`stale`: no node fits now, and those are kept that are only down. `empty`: there is none to publish. `withdrawing`: switched off, and records are left. `deleting`: it goes with its last record.",
    }),
    nodes: Type.Array(PublishedNode, { description: "As of the last success" }),
    records: Type.Array(RecordSet, { description: "What stands, or may stand, at the provider" }),
    note: NullableText,
    error: NullableText,
    failures: Type.Integer({ minimum: 0, description: "Tries in a row that failed" }),
    last_attempt_at: NullableTime,
    last_success_at: NullableTime,
    last_change_at: NullableTime,
    next_attempt_at: NullableTime,
  }),
});
export type Publication = Static<typeof Publication>;

/** With the id of a publication, its nodes are kept where they can be. */
export const PublicationPreviewQuery = Type.Object({ id: Type.Optional(Id) }, strict);
export const PublicationPath = Type.Object({ id: Id });
export const PublicationList = Type.Object({ publications: Type.Array(Publication) });
export const PublicationAnswer = Type.Object({ publication: Publication });
export const PublicationChanged = Type.Object({
  ...MessageBody.properties,
  publication: Publication,
});
export const PublicationRemoval = Type.Object(
  {
    keep_records: Type.Optional(
      Type.Boolean({ description: "Leaves the records where they are, and asks nobody" }),
    ),
  },
  strict,
);
/** What would be published, before anybody at the provider is asked. */
export const PublicationPreview = Type.Object({
  nodes: Type.Array(PublishedNode),
  records: Type.Array(RecordSet),
  note: NullableText,
});
export type PublicationPreview = Static<typeof PublicationPreview>;
export const PublicationPreviewAnswer = Type.Object({ preview: PublicationPreview });

const ComparedSet = Type.Object({
  name: Type.String(),
  type: Type.Enum([...recordTypes]),
  result: Type.Enum(["updated", "current", "failed"], {
    description: "`updated`: it would be",
  }),
  before: Type.Union([Type.Array(Type.String()), Type.Null()]),
  after: Type.Union([Type.Array(Type.String()), Type.Null()]),
  error: NullableText,
});
/** What the next publication would change at the provider. */
export const PublicationComparison = Type.Object({
  changed: Type.Boolean(),
  nodes: Type.Array(PublishedNode),
  records: Type.Array(ComparedSet),
  note: NullableText,
});
export type PublicationComparison = Static<typeof PublicationComparison>;
export const PublicationComparisonAnswer = Type.Object({ comparison: PublicationComparison });
