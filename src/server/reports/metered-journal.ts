import { Histogram } from "prom-client";
import type { Journal } from "./journal.ts";

/** A batch is a few milliseconds on a good disk; beyond five seconds its callers have gone. */
const BUCKETS = [0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 1, 5];

/** The journal, with the time that it takes to make a batch durable. */
export class MeteredJournal implements Journal {
  readonly durations = new Histogram({
    name: "waypost_report_commit_duration_seconds",
    help: "Time to make a batch of reports durable.",
    buckets: BUCKETS,
    registers: [],
  });
  readonly #journal: Journal;
  readonly #now: () => number;

  /** @param now milliseconds that never go back */
  constructor(journal: Journal, now: () => number) {
    this.#journal = journal;
    this.#now = now;
  }

  async append(batch: Buffer): Promise<void> {
    const startedAt = this.#now();
    await this.#journal.append(batch);
    this.durations.observe((this.#now() - startedAt) / 1000);
  }

  fold(): Promise<void> {
    return this.#journal.fold();
  }

  close(): Promise<void> {
    return this.#journal.close();
  }
}
