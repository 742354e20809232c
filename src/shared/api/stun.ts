import { Type, type Static } from "typebox";
import { MessageBody, Timestamp } from "./common.ts";

export const holeTransports = ["udp", "tcp"] as const;
export type HoleTransport = (typeof holeTransports)[number];

export const ruleStatuses = [
  "disabled",
  "starting",
  "open",
  "suspect",
  "lost",
  "unstable",
  "endpoint_dependent",
  "error",
] as const;
export type RuleStatus = (typeof ruleStatuses)[number];

export const stunLimits = {
  nameLength: 64,
  hostPortLength: 300,
  servers: 16,
  keepaliveHosts: 8,
  probeIntervalSeconds: 3600,
  settleSeconds: 300,
  changes: 200,
  changesUnasked: 50,
  observations: 1000,
  observationsUnasked: 200,
} as const;

const strict = { additionalProperties: false };
const Id = Type.Integer({ minimum: 1 });
const Port = Type.Integer({ minimum: 1, maximum: 65_535 });
const NullablePort = Type.Union([Port, Type.Null()]);
const NullableText = Type.Union([Type.String(), Type.Null()]);
const NullableTime = Type.Union([Timestamp, Type.Null()]);
const HostPortText = Type.String({ maxLength: stunLimits.hostPortLength });

/** Where traffic goes that arrives at the public address. */
export const Forward = Type.Object(
  {
    host: Type.String({ description: "IPv4 address, IPv6 address or DNS name" }),
    port: Port,
    proxy_protocol: Type.Optional(
      Type.Boolean({
        description: "Announce the client's address by the PROXY protocol, version 2; TCP only",
      }),
    ),
  },
  strict,
);
export type Forward = Static<typeof Forward>;

const settings = {
  name: Type.String({
    description: `1–${stunLimits.nameLength} characters, unique`,
    examples: ["home"],
  }),
  enabled: Type.Boolean({ default: true }),
  transport: Type.Enum([...holeTransports]),
  local_address: Type.Union([Type.String(), Type.Null()], {
    description:
      "Source address; null = whichever the system chooses, IPv4; `::` = whichever it chooses, IPv6",
    default: null,
  }),
  local_port: Type.Integer({
    minimum: 0,
    maximum: 65_535,
    description: "0 = pick one and keep it for the life of the rule",
    default: 0,
  }),
  stun_servers: Type.Array(HostPortText, {
    maxItems: stunLimits.servers,
    description: "host:port; empty = WAYPOST_STUN_SERVERS, else the built-in list",
    default: [],
  }),
  keepalive_hosts: Type.Array(HostPortText, {
    maxItems: stunLimits.keepaliveHosts,
    description: "host:port of web servers that hold a TCP mapping open; UDP needs none",
    default: [],
  }),
  probe_interval_seconds: Type.Integer({
    minimum: 1,
    maximum: stunLimits.probeIntervalSeconds,
    default: 20,
  }),
  settle_seconds: Type.Integer({
    minimum: 0,
    maximum: stunLimits.settleSeconds,
    description: "How long a change is waited with, so that what follows it becomes one with it",
    default: 3,
  }),
  forward_to: Type.Union([Forward, Type.Null()], { default: null }),
  trigger_callbacks: Type.Boolean({
    description: "Whether a change starts linked tasks",
    default: true,
  }),
  instance: Type.String({
    description: "The instance of the service that holds the hole; default the one that is asked",
  }),
};

export const RuleChange = Type.Partial(Type.Object(settings, strict), strict);
export type RuleChange = Static<typeof RuleChange>;

export const NewRule = Type.Object(
  { ...RuleChange.properties, name: settings.name, transport: settings.transport },
  strict,
);

export const RuleState = Type.Object({
  status: Type.Enum([...ruleStatuses]),
  public_ip: NullableText,
  public_port: NullablePort,
  local_address: Type.Union([Type.String(), Type.Null()], {
    description: "What the hole is bound to; 0.0.0.0 or :: when the system chooses",
  }),
  local_port: NullablePort,
  server: Type.Union([Type.String(), Type.Null()], {
    description: "The server that answered last, by its address",
  }),
  last_probe_at: NullableTime,
  last_change_at: NullableTime,
  consecutive_failures: Type.Integer({ minimum: 0, description: "Probe rounds without an answer" }),
  last_error: NullableText,
});
export type RuleState = Static<typeof RuleState>;

export const Rule = Type.Object({ id: Id, ...settings, state: RuleState });
export type Rule = Static<typeof Rule>;

export const RulePath = Type.Object({ id: Id });
export const RuleList = Type.Object({ rules: Type.Array(Rule) });
export const RuleAnswer = Type.Object({ rule: Rule });
export const RuleChanged = Type.Object({ ...MessageBody.properties, rule: Rule });

/** A hole that is held in another's place. */
export const StandIn = Type.Object({
  rule_id: Id,
  instance: Type.String({
    description: "The instance that holds the hole while the one that the rule names is dead",
  }),
});
export type StandIn = Static<typeof StandIn>;
export const StandInList = Type.Object({ stand_ins: Type.Array(StandIn) });

export const MappingChange = Type.Object({
  id: Id,
  rule_id: Id,
  public_ip: Type.String(),
  public_port: Port,
  previous_ip: NullableText,
  previous_port: NullablePort,
  changed: Type.Array(Type.Enum(["ip", "port"]), {
    description: "Empty for the first mapping of a rule",
  }),
  confirmed_by: Type.Array(Type.String(), {
    description: "Servers that agreed, by their addresses",
  }),
  at: Timestamp,
});
export type MappingChange = Static<typeof MappingChange>;

/** Newest first; `before` is the last id of the page before. */
export const ChangesQuery = Type.Object(
  {
    limit: Type.Optional(
      Type.Integer({ minimum: 1, maximum: stunLimits.changes, default: stunLimits.changesUnasked }),
    ),
    before: Type.Optional(Id),
  },
  strict,
);
export const ChangeList = Type.Object({ changes: Type.Array(MappingChange) });

export const StunObservation = Type.Object({
  at: Timestamp,
  server: Type.String(),
  public_ip: NullableText,
  public_port: NullablePort,
  rtt_ms: Type.Union([Type.Number({ minimum: 0 }), Type.Null()]),
  error: NullableText,
});
export type StunObservation = Static<typeof StunObservation>;

/** Newest first; `before` is the time of the last one of the page before. */
export const ObservationsQuery = Type.Object(
  {
    limit: Type.Optional(
      Type.Integer({
        minimum: 1,
        maximum: stunLimits.observations,
        default: stunLimits.observationsUnasked,
      }),
    ),
    before: Type.Optional(Timestamp),
  },
  strict,
);
export const ObservationList = Type.Object({ observations: Type.Array(StunObservation) });
export const ProbeAnswer = Type.Object({
  ...MessageBody.properties,
  observation: StunObservation,
});
