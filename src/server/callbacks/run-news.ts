import type { Run } from "../../shared/api/callbacks.ts";
import type { Db } from "../database/database.ts";
import type { Logger } from "../lib/logger.ts";
import { NewsPoll, type NewsListener } from "../lib/news-poll.ts";
import { toWireRun } from "./run-record.ts";
import { findRuns, readNewestId, readStandings, type RunStanding } from "./run-store.ts";

export type RunListener = NewsListener<Run>;

/** What nobody in this process has done is found by then. */
const LOOK_EVERY_MS = 1_000;
/** The answers of targets may be large. */
const RUNS_AT_ONCE = 8;

/**
 * Tells of runs whose status has changed, whoever has changed it, as long as anybody listens. A
 * status that lasts for a moment only may be left out.
 */
export class RunNews {
  readonly #db: Db;
  readonly #poll: NewsPoll<Run>;
  /** What was told of the runs that are not finished. */
  readonly #told = new Map<number, string>();
  #newestId = 0;

  constructor(db: Db, logger: Logger) {
    this.#db = db;
    this.#poll = new NewsPoll({
      begin: () => this.#begin(),
      find: (tell) => this.#find(tell),
      everyMs: LOOK_EVERY_MS,
      what: "callback runs",
      logger,
    });
  }

  /** From its resolution on nothing is missed. @returns what ends it */
  subscribe(listener: RunListener): Promise<() => void> {
    return this.#poll.subscribe(listener);
  }

  /** Something may have changed just now. */
  look(): void {
    this.#poll.look();
  }

  async #begin(): Promise<void> {
    this.#newestId = await readNewestId(this.#db);
    this.#told.clear();
    for (const run of await readStandings(this.#db, this.#newestId)) {
      this.#told.set(run.id, wordOf(run));
    }
  }

  async #find(tell: RunListener): Promise<void> {
    const standings = await readStandings(this.#db, this.#newestId);
    const standing = new Set(standings.map(({ id }) => id));
    const gone = [...this.#told.keys()].filter((id) => !standing.has(id));
    const changed = standings.filter((run) => this.#told.get(run.id) !== wordOf(run));
    const ids = [...changed.map(({ id }) => id), ...gone].toSorted((a, b) => a - b);
    for (let first = 0; first < ids.length; first += RUNS_AT_ONCE) {
      if (!this.#poll.isHeard) return;
      await this.#tell(ids.slice(first, first + RUNS_AT_ONCE), tell);
    }
  }

  async #tell(ids: readonly number[], tell: RunListener): Promise<void> {
    const runs = await findRuns(this.#db, ids);
    for (const id of ids) {
      this.#told.delete(id);
      this.#newestId = Math.max(this.#newestId, id);
    }
    for (const run of runs) {
      if (run.dueAt !== null) this.#told.set(run.id, wordOf(run));
      await tell(toWireRun(run));
    }
  }
}

function wordOf({ status, attempts }: Pick<RunStanding, "status" | "attempts">): string {
  return `${status} ${attempts}`;
}
