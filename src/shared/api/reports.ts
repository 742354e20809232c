import { Type, type Static } from "typebox";
import { nodeLimits } from "./nodes.ts";

const reportLimits = {
  /** GB in one report. */
  trafficGb: 1e6,
  reportIdLength: 64,
  versionLength: 64,
  intervalSeconds: 86_400,
} as const;

/**
 * What a node says about itself. Bandwidth in Mbit/s now, `reported_traffic` in GB since the last
 * report. A `report_id` seen within 24 hours is answered again and not counted again.
 */
export const ReportInput = Type.Object({
  node_name: Type.String(),
  email: Type.String(),
  token: Type.String(),
  current_bandwidth: Type.Number({ minimum: 0, maximum: nodeLimits.bandwidthMbps }),
  reported_traffic: Type.Number({ minimum: 0, maximum: reportLimits.trafficGb }),
  connection_count: Type.Integer({ minimum: 0, maximum: nodeLimits.count }),
  /** Any word but `expired`, which only a date can bring about; `online` makes a node selectable. */
  status: Type.String({ pattern: "^(?!expired$)[a-z0-9_-]{1,32}$" }),
  report_id: Type.Optional(Type.String({ minLength: 1, maxLength: reportLimits.reportIdLength })),
  tier_bandwidth: Type.Optional(Type.Number({ minimum: 0, maximum: nodeLimits.bandwidthMbps })),
  version: Type.Optional(Type.String({ maxLength: reportLimits.versionLength })),
  interval_seconds: Type.Optional(
    Type.Number({ minimum: 1, maximum: reportLimits.intervalSeconds }),
  ),
});
export type ReportInput = Static<typeof ReportInput>;

/** `used_traffic` of the running period and `max_traffic` in GB; the period ends at `reset_date`. */
export const ReportAnswer = Type.Object({
  message: Type.String(),
  used_traffic: Type.Number(),
  max_traffic: Type.Number(),
  reset_date: Type.String({ format: "date-time" }),
});
export type ReportAnswer = Static<typeof ReportAnswer>;
