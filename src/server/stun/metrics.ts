import { Counter, Gauge, type Metric } from "prom-client";
import { ruleStatuses } from "../../shared/api/stun.ts";
import { counterOf, gaugeOf } from "../lib/metric.ts";
import type { Watcher } from "./watcher.ts";

/** What is read of the watcher. */
export type WatcherNumbers = Pick<Watcher, "counts" | "statuses" | "waitingChanges" | "traffic">;

export function stunMetrics(watcher: WatcherNumbers): Metric[] {
  const { counts } = watcher;
  return [
    new Gauge({
      name: "waypost_stun_rules",
      help: "Rules that this instance runs, by status.",
      labelNames: ["status"],
      registers: [],
      collect() {
        this.reset();
        const statuses = watcher.statuses();
        for (const status of ruleStatuses) {
          if (status !== "disabled") this.set({ status }, statuses.get(status) ?? 0);
        }
      },
    }),
    new Counter({
      name: "waypost_stun_probes_total",
      help: "Probes through holes, by outcome.",
      labelNames: ["outcome"],
      registers: [],
      collect() {
        this.reset();
        this.inc({ outcome: "answered" }, counts.answered);
        this.inc({ outcome: "unanswered" }, counts.unanswered);
      },
    }),
    counterOf("waypost_stun_changes_total", "Confirmed changes stored.", () => counts.changes),
    gaugeOf(
      "waypost_stun_changes_waiting",
      "Confirmed changes that wait for the database.",
      () => watcher.waitingChanges,
    ),
    gaugeOf(
      "waypost_stun_relayed_open",
      "Connections and sessions that are relayed now.",
      () => watcher.traffic().open,
    ),
    gaugeOf(
      "waypost_stun_relayed_bytes",
      "Bytes that the holes which are open now have relayed, both ways.",
      () => watcher.traffic().bytesIn + watcher.traffic().bytesOut,
    ),
  ];
}
