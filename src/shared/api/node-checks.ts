import { Type, type Static } from "typebox";
import { handshakeWords } from "./checks.ts";
import { Timestamp } from "./common.ts";
import { Connection } from "./nodes.ts";

/** Checks by themselves, not those that somebody asked for. */
export const LastDay = Type.Object({
  checks: Type.Integer({ minimum: 0 }),
  reachable: Type.Integer({ minimum: 0, description: "Checks in which a connection opened" }),
  uptime_percent: Type.Number({ minimum: 0, maximum: 100 }),
  mean_latency_ms: Type.Union([Type.Number({ minimum: 0 }), Type.Null()]),
  overlay_answers: Type.Integer({
    minimum: 0,
    description: "Checks in which the overlay answered",
  }),
});
export type LastDay = Static<typeof LastDay>;

/** The latest check of one connection. */
export const ConnectionCheck = Type.Object({
  ...Connection.properties,
  is_online: Type.Boolean(),
  latency_ms: Type.Integer({ minimum: -1, description: "-1 when it is offline" }),
  handshake: Type.Optional(
    Type.Enum([...handshakeWords], { description: "Without the network's secret; when online" }),
  ),
  error: Type.Optional(Type.String({ description: "Why no connection opened; when offline" })),
  check_time: Timestamp,
  last_24h: LastDay,
});
export type ConnectionCheck = Static<typeof ConnectionCheck>;

const UncheckedConnection = Type.Object({
  ...Connection.properties,
  reason: Type.String({ description: "Why there is no check of it" }),
});

/** What background checks show of a node. */
export const NodeChecks = Type.Object({
  enabled: Type.Boolean({ description: "Whether the service checks nodes by itself" }),
  interval_seconds: Type.Integer({ minimum: 0, description: "0 while it does not" }),
  healthy: Type.Boolean({
    description: "False after three failed checks in a row: queries leave the node out then",
  }),
  checks: Type.Array(ConnectionCheck),
  not_checked: Type.Array(UncheckedConnection),
});
export type NodeChecks = Static<typeof NodeChecks>;
