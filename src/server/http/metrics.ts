import type { FastifyRequest } from "fastify";
import ipaddr from "ipaddr.js";
import { Gauge, Registry, type Metric } from "prom-client";
import { Type } from "typebox";
import { AppError } from "../lib/errors.ts";
import { gaugeOf } from "../lib/metric.ts";
import { sameSecret } from "../lib/tokens.ts";
import type { Fleet } from "../nodes/fleet.ts";
import type { QueryService } from "../query/service.ts";
import { requestDurations } from "./metrics-text.ts";
import { addProcessMetrics, type BuildLabels } from "./process-metrics.ts";
import { refusals } from "./refusals.ts";
import type { RequestMeter } from "./request-meter.ts";
import type { App } from "./typed-app.ts";

export interface MetricsParts {
  /** Opens /metrics to whoever sends it; undefined: to callers on this machine. */
  metricsToken: string | undefined;
  meter: RequestMeter;
  /** What runs, as labels. */
  build: BuildLabels;
  fleet: Pick<Fleet, "totals">;
  query: Pick<QueryService, "fleetQuality">;
  storageMetrics: readonly Metric[];
  reportMetrics: readonly Metric[];
  mailMetrics: readonly Metric[];
  checkMetrics: readonly Metric[];
  stunMetrics: readonly Metric[];
  callbackMetrics: readonly Metric[];
  eventMetrics: readonly Metric[];
}

/** Numbers for Prometheus. */
export function registerMetricsRoute(app: App, parts: MetricsParts): void {
  const registry = new Registry();
  addProcessMetrics(registry, parts.build);
  const features = [
    ...parts.storageMetrics,
    ...parts.reportMetrics,
    ...fleetMetrics(parts),
    ...parts.checkMetrics,
    ...parts.stunMetrics,
    ...parts.callbackMetrics,
    ...parts.eventMetrics,
    ...parts.mailMetrics,
  ];
  for (const metric of features) registry.registerMetric(metric);
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

const BYTES_PER_MEGABIT = 125_000;

function fleetMetrics({ fleet, query }: MetricsParts): Metric[] {
  const totals = (): Fleet["totals"] => fleet.totals;
  return [
    new Gauge({
      name: "waypost_nodes",
      help: "Nodes that are neither expired nor switched off, by region.",
      labelNames: ["region"],
      registers: [],
      collect() {
        this.set({ region: "domestic" }, totals().domestic);
        this.set({ region: "overseas" }, totals().overseas);
      },
    }),
    gaugeOf("waypost_nodes_online", "Nodes that are online.", () => totals().online),
    gaugeOf(
      "waypost_fleet_bandwidth_bytes_per_second",
      "Sum of the reported bandwidth of the online nodes.",
      () => totals().bandwidth * BYTES_PER_MEGABIT,
    ),
    gaugeOf(
      "waypost_fleet_connections",
      "Sum of the reported connections of the online nodes.",
      () => totals().connections,
    ),
    gaugeOf(
      "waypost_fleet_fairness_ratio",
      "Jain's index of the utilisation of the online nodes; 1 = all alike.",
      () => query.fleetQuality().jain,
    ),
    gaugeOf(
      "waypost_fleet_utilisation_variation_ratio",
      "Standard deviation of the utilisation of the online nodes over its mean.",
      () => query.fleetQuality().variation,
    ),
  ];
}
