import { performance } from "node:perf_hooks";
import { collectDefaultMetrics, Gauge, type Registry } from "prom-client";
import { counterOf } from "../lib/metric.ts";

/** What runs here, and as which of several. */
export interface BuildLabels {
  version: string;
  database: string;
  instance_name: string;
}

/** Gauges whose names end as those of counters do; what they count is there by type as well. */
const misnamed = ["handles", "requests", "resources"].map((of) => `nodejs_active_${of}_total`);

/** Numbers about the process: memory, processor, event loop, garbage collection. */
export function addProcessMetrics(registry: Registry, labels: BuildLabels): void {
  collectDefaultMetrics({ register: registry });
  for (const name of misnamed) registry.removeSingleMetric(name);
  const build = new Gauge({
    name: "waypost_build_info",
    help: "Always 1; its labels say what runs.",
    labelNames: Object.keys(labels),
    registers: [registry],
  });
  build.set({ ...labels }, 1);
  registry.registerMetric(
    counterOf(
      "waypost_event_loop_busy_seconds_total",
      "Time that the event loop has had something to do.",
      () => performance.eventLoopUtilization().active / 1000,
    ),
  );
}
