import type { Static } from "typebox";
// As a namespace, so that a bundle holds of it what is used.
import * as Type from "typebox";
import { Timestamp } from "./common.ts";

/** What answers the health of the check endpoints, wherever they run. */
export const CHECK_SERVICE = "waypost-edgecheck";

/** Nodes in one batch. */
export const MAX_BATCH = 20;

const checkLimits = { serverLength: 512, nameLength: 256, secretLength: 1024 } as const;

/** What the attempt at the overlay's handshake showed; it never decides `is_online`. */
export const handshakeWords = [
  "ok",
  "auth_failed",
  "shared",
  "refused",
  "secure_mode",
  "not_overlay",
  "not_tried",
] as const;

const target = {
  server: Type.String({
    minLength: 1,
    maxLength: checkLimits.serverLength,
    description:
      "`tcp://<host>:<port>`, `ws://<host>:<port>` or `wss://<host>:<port>`; the host is an IPv4 address, an IPv6 address in brackets or a DNS name",
    examples: ["tcp://203.0.113.7:11010"],
  }),
  network_name: Type.String({ minLength: 1, maxLength: checkLimits.nameLength }),
  network_secret: Type.String({
    maxLength: checkLimits.secretLength,
    description: "May be empty; neither stored nor logged",
  }),
};

/** Which node to check, and the network it should be a member of. */
export const CheckQuery = Type.Object(target);
export type CheckQuery = Static<typeof CheckQuery>;

export const BatchCheckBody = Type.Object({
  nodes: Type.Array(Type.Object(target), { minItems: 1, maxItems: MAX_BATCH }),
});
export type BatchCheckBody = Static<typeof BatchCheckBody>;

export const OnlineResult = Type.Object({
  is_online: Type.Literal(true),
  connection_count: Type.Integer({
    minimum: 0,
    description: "As last reported by the registered node with this address, else 0",
  }),
  latency_ms: Type.Integer({ minimum: 0, description: "How long the connection took to open" }),
  check_time: Timestamp,
  handshake: Type.Optional(Type.Enum([...handshakeWords])),
});

export const OfflineResult = Type.Object({
  is_online: Type.Literal(false),
  connection_count: Type.Literal(0),
  latency_ms: Type.Literal(-1),
  check_time: Timestamp,
  error: Type.String({ minLength: 1, description: "Why no connection opened" }),
});

/** `is_online` is whether a TCP connection to the address opened in time. */
export const CheckResult = Type.Union([OnlineResult, OfflineResult]);
export type CheckResult = Static<typeof CheckResult>;

/** One result per node, in the order of the request. */
export const BatchCheckAnswer = Type.Object({ results: Type.Array(CheckResult) });
export type BatchCheckAnswer = Static<typeof BatchCheckAnswer>;

/** `remote` when a check function does the work, `local` when whoever answers does. */
export const CheckHealth = Type.Object({
  status: Type.Literal("ok"),
  service: Type.Literal(CHECK_SERVICE),
  mode: Type.Enum(["remote", "local"]),
  timestamp: Timestamp,
});
export type CheckHealth = Static<typeof CheckHealth>;
