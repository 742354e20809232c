import { setImmediate as turn } from "node:timers/promises";
import type { Db } from "../database/database.ts";
import { DAY_MS, type Clock } from "../lib/clock.ts";
import { dropRuns, findOldRuns, findRunBehind } from "./retention-store.ts";

export interface RetentionParts {
  db: Db;
  clock: Clock;
  days: number;
  runs: number;
}

/** Runs dropped at a time: a report of a node that arrives meanwhile waits for it. */
const RUNS_AT_ONCE = 200;

/** Drops finished runs with their attempts: those that are too old, and those that are too many. */
export class RunRetention {
  readonly #parts: RetentionParts;

  constructor(parts: RetentionParts) {
    this.#parts = parts;
  }

  async run(): Promise<void> {
    const { db, clock, days, runs } = this.#parts;
    const before = clock.now() - days * DAY_MS;
    await this.#dropAll((limit) => findOldRuns(db, { finishedBefore: before, limit }));
    const last = await findRunBehind(db, runs);
    if (last === undefined) return;
    await this.#dropAll((limit) => findOldRuns(db, { upTo: last, limit }));
  }

  async #dropAll(find: (limit: number) => Promise<number[]>): Promise<void> {
    for (;;) {
      const ids = await find(RUNS_AT_ONCE);
      if (ids.length === 0) return;
      await dropRuns(this.#parts.db, ids);
      await turn();
    }
  }
}
