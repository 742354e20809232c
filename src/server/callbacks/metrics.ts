import { Counter, Gauge, type Metric } from "prom-client";
import type { Db } from "../database/database.ts";
import type { Clock } from "../lib/clock.ts";
import type { Logger } from "../lib/logger.ts";
import { readQueue } from "./run-store.ts";
import type { Ended } from "./settler.ts";

export interface MetricsParts {
  db: Db;
  clock: Clock;
  /** Tries that are under way here. */
  active: () => number;
  logger: Logger;
}

/** Numbers about callbacks. */
export class CallbackMetrics {
  readonly #parts: MetricsParts;
  readonly #tries = new Counter({
    name: "waypost_callback_attempts_total",
    help: "Tries of callback runs by the type of their account and what became of the run.",
    labelNames: ["type", "outcome"],
    registers: [],
  });
  #queue = { length: 0, oldestSeconds: 0 };

  constructor(parts: MetricsParts) {
    this.#parts = parts;
  }

  count(ended: readonly Ended[]): void {
    for (const { run, result, status } of ended) {
      if (result.end.kind === "given back") continue;
      this.#tries.inc({ type: run.account.type, outcome: status ?? "lost" });
    }
  }

  list(): Metric[] {
    const { active } = this.#parts;
    const refresh = () => this.#readQueue();
    const queue = () => this.#queue;
    return [
      this.#tries,
      new Gauge({
        name: "waypost_callback_runs_open",
        help: "Callback runs that are not finished.",
        registers: [],
        async collect() {
          await refresh();
          this.set(queue().length);
        },
      }),
      new Gauge({
        name: "waypost_callback_runs_oldest_seconds",
        help: "Age of the oldest callback run that is not finished.",
        registers: [],
        async collect() {
          await refresh();
          this.set(queue().oldestSeconds);
        },
      }),
      new Gauge({
        name: "waypost_callback_attempts_active",
        help: "Tries of callback runs that are under way in this process.",
        registers: [],
        collect() {
          this.set(active());
        },
      }),
    ];
  }

  /** The numbers stay as they were while the storage does not answer. */
  async #readQueue(): Promise<void> {
    const { db, clock, logger } = this.#parts;
    try {
      const { length, oldest } = await readQueue(db);
      const ageMs = oldest === null ? 0 : clock.now() - oldest;
      this.#queue = { length, oldestSeconds: Math.max(0, ageMs / 1000) };
    } catch (error) {
      logger.debug({ err: error }, "the queue of callback runs could not be counted");
    }
  }
}
