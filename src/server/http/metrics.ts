import type { FastifyRequest } from "fastify";
import ipaddr from "ipaddr.js";
import { collectDefaultMetrics, Counter, Gauge, Registry, type Metric } from "prom-client";
import { Type } from "typebox";
import { AppError } from "../lib/errors.ts";
import { sameSecret } from "../lib/tokens.ts";
import type { Fleet } from "../nodes/fleet.ts";
import type { QueryService } from "../query/service.ts";
import { requestDurations } from "./metrics-text.ts";
import { refusals } from "./refusals.ts";
import type { RequestMeter } from "./request-meter.ts";
import type { App } from "./typed-app.ts";

/** Numbers about reports since the start of the process. */
export interface ReportStatistics {
  batches: number;
  reports: number;
  failedBatches: number;
  /** Accepted and not durable yet. */
  queued: number;
  suspectsItself: boolean;
}

export interface MetricsParts {
  /** Opens /metrics to whoever sends it; undefined: to callers on this machine. */
  metricsToken: string | undefined;
  meter: RequestMeter;
  fleet: Pick<Fleet, "totals">;
  query: Pick<QueryService, "fleetQuality">;
  reportStatistics: () => ReportStatistics;
  checkMetrics: readonly Metric[];
  stunMetrics: readonly Metric[];
  callbackMetrics: readonly Metric[];
  eventMetrics: readonly Metric[];
}

/** Numbers for Prometheus. */
export function registerMetricsRoute(app: App, parts: MetricsParts): void {
  const registry = new Registry();
  collectDefaultMetrics({ register: registry });
  addReportMetrics(registry, parts);
  addFleetMetrics(registry, parts);
  const { checkMetrics, stunMetrics, callbackMetrics, eventMetrics } = parts;
  for (const metric of [...checkMetrics, ...stunMetrics, ...callbackMetrics, ...eventMetrics])
    registry.registerMetric(metric);
  app.get(
    "/metrics",
    {
      onRequest: async (request) => admit(request, parts.metricsToken),
      schema: {
        tags: ["system"],
        security: [{ metrics: [] }],
        summary: "Numbers in the Prometheus text format",
        description: "Without a configured token, callers on the same machine only.",
        response: {
          200: { content: { "text/plain": { schema: Type.String() } } },
          ...refusals(401, 403),
        },
      },
    },
    async (_request, reply) => {
      const text = `${await registry.metrics()}\n${requestDurations(parts.meter)}\n`;
      return reply.type(registry.contentType).send(text);
    },
  );
}

function admit(request: FastifyRequest, token: string | undefined): void {
  if (token !== undefined) {
    const given = /^bearer +(\S+)$/i.exec(request.headers.authorization ?? "")?.[1];
    if (given !== undefined && sameSecret(given, token)) return;
    throw new AppError("unauthorized", "Send the header Authorization: Bearer <metrics token>");
  }
  if (isOnThisMachine(request)) return;
  throw new AppError(
    "forbidden",
    "Without WAYPOST_METRICS_TOKEN, only callers on the same machine may read the metrics",
  );
}

/** A proxy on this machine passes on callers from everywhere, so its mark is reason to refuse. */
function isOnThisMachine({ socket, headers }: FastifyRequest): boolean {
  const marks = ["forwarded", "x-forwarded-for", "x-forwarded-host", "x-real-ip", "via"];
  if (marks.some((mark) => headers[mark] !== undefined)) return false;
  const address = socket.remoteAddress ?? "";
  return ipaddr.isValid(address) && ipaddr.process(address).range() === "loopback";
}

function addReportMetrics(registry: Registry, { reportStatistics }: MetricsParts): void {
  const counters = [
    ["waypost_reports_total", "Reports made durable.", "reports"],
    ["waypost_report_batches_total", "Group commits of reports.", "batches"],
    ["waypost_report_batches_failed_total", "Group commits that failed.", "failedBatches"],
  ] as const;
  for (const [name, help, field] of counters) {
    const collect = function (this: Counter): void {
      this.reset();
      this.inc(reportStatistics()[field]);
    };
    registry.registerMetric(new Counter({ name, help, registers: [], collect }));
  }
  addGauge(
    registry,
    "waypost_reports_queued",
    "Reports that wait for their commit.",
    () => reportStatistics().queued,
  );
  addGauge(
    registry,
    "waypost_silence_suspended",
    "1 while so many nodes are silent that the service suspects its own connection.",
    () => (reportStatistics().suspectsItself ? 1 : 0),
  );
}

function addFleetMetrics(registry: Registry, { fleet, query }: MetricsParts): void {
  const gauges: [name: string, help: string, read: () => number][] = [
    ["waypost_nodes", "Nodes that are neither expired nor switched off.", () => fleet.totals.total],
    ["waypost_nodes_online", "Nodes that are online.", () => fleet.totals.online],
    ["waypost_nodes_domestic", "Nodes of the region domestic.", () => fleet.totals.domestic],
    ["waypost_nodes_overseas", "Nodes of the region overseas.", () => fleet.totals.overseas],
    [
      "waypost_fleet_bandwidth_mbps",
      "Sum of the reported bandwidth of the online nodes.",
      () => fleet.totals.bandwidth,
    ],
    [
      "waypost_fleet_connections",
      "Sum of the reported connections of the online nodes.",
      () => fleet.totals.connections,
    ],
    [
      "waypost_fleet_fairness",
      "Jain's index of the utilisation of the online nodes; 1 = all alike.",
      () => query.fleetQuality().jain,
    ],
    [
      "waypost_fleet_utilisation_variation",
      "Standard deviation of the utilisation of the online nodes over its mean.",
      () => query.fleetQuality().variation,
    ],
  ];
  for (const [name, help, read] of gauges) addGauge(registry, name, help, read);
}

function addGauge(registry: Registry, name: string, help: string, read: () => number): void {
  const collect = function (this: Gauge): void {
    this.set(read());
  };
  registry.registerMetric(new Gauge({ name, help, registers: [], collect }));
}
