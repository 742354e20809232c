import { Type, type Static } from "typebox";
import { Timestamp } from "./common.ts";

/** Nodes that are neither expired nor switched off; bandwidth in Mbit/s over the online ones. */
export const Stats = Type.Object({
  total_nodes: Type.Integer(),
  online_nodes: Type.Integer(),
  domestic_nodes: Type.Integer(),
  overseas_nodes: Type.Integer(),
  total_bandwidth: Type.Number(),
});
export type Stats = Static<typeof Stats>;

export const historyRanges = ["24h", "30d", "1y"] as const;
export type HistoryRange = (typeof historyRanges)[number];

export const HistoryQuery = Type.Object(
  {
    range: Type.Optional(
      Type.Enum([...historyRanges], {
        default: "24h",
        description: "24h in minutes, 30d in hours, 1y in days",
      }),
    ),
  },
  { additionalProperties: false },
);

/** One stretch of `step_seconds` that begins at `at`; traffic in GB within it. */
export const FleetPoint = Type.Object({
  at: Timestamp,
  total_nodes: Type.Number({ description: "Mean" }),
  online_nodes: Type.Number({ description: "Mean" }),
  bandwidth: Type.Number({ description: "Mean Mbit/s over all online nodes" }),
  connections: Type.Number({ description: "Mean over all online nodes" }),
  traffic: Type.Number(),
});
export type FleetPoint = Static<typeof FleetPoint>;

export const NodePoint = Type.Object({
  at: Timestamp,
  bandwidth: Type.Number({ description: "Mean Mbit/s while online" }),
  connections: Type.Number({ description: "Mean while online" }),
  traffic: Type.Number(),
  uptime: Type.Number({ minimum: 0, maximum: 1, description: "Share of the time" }),
});
export type NodePoint = Static<typeof NodePoint>;

const range = Type.Enum([...historyRanges]);
const step = Type.Integer({ description: "60, 3600 or 86400" });

/** Stretches in which the service did not run are absent. */
export const FleetHistory = Type.Object({
  range,
  step_seconds: step,
  points: Type.Array(FleetPoint),
});
export type FleetHistory = Static<typeof FleetHistory>;

/** From the creation of the node or the begin of the range on, without gaps. */
export const NodeHistory = Type.Object({
  range,
  step_seconds: step,
  points: Type.Array(NodePoint),
});
export type NodeHistory = Static<typeof NodeHistory>;
