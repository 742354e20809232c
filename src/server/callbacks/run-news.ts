import type { Run } from "../../shared/api/callbacks.ts";
import type { Db } from "../database/database.ts";
import type { Logger } from "../lib/logger.ts";
import { toWireRun } from "./run-record.ts";
import { findRuns, readNewestId, readStandings, type RunStanding } from "./run-store.ts";

/** Resolves when it can take more. */
export type RunListener = (run: Run) => Promise<void>;

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
  readonly #logger: Logger;
  readonly #listeners = new Set<RunListener>();
  /** What was told of the runs that are not finished. */
  readonly #told = new Map<number, string>();
  #newestId = 0;
  #turn: Promise<void> = Promise.resolve();
  #isWanted = false;
  #timer: NodeJS.Timeout | undefined;

  constructor(db: Db, logger: Logger) {
    this.#db = db;
    this.#logger = logger;
  }

  /** From its resolution on nothing is missed. @returns what ends it */
  async subscribe(listener: RunListener): Promise<() => void> {
    await this.#inTurn(async () => {
      if (this.#listeners.size === 0) await this.#begin();
      this.#listeners.add(listener);
      this.#timer ??= setInterval(() => this.look(), LOOK_EVERY_MS).unref();
    });
    return () => {
      this.#listeners.delete(listener);
      if (this.#listeners.size > 0) return;
      clearInterval(this.#timer);
      this.#timer = undefined;
    };
  }

  /** Something may have changed just now. */
  look(): void {
    if (this.#listeners.size === 0 || this.#isWanted) return;
    this.#isWanted = true;
    this.#inTurn(async () => {
      this.#isWanted = false;
      await this.#tellNews();
    }).catch((error: unknown) => {
      this.#logger.debug({ err: error }, "callback runs could not be read for those who listen");
    });
  }

  #inTurn(work: () => Promise<void>): Promise<void> {
    const turn = this.#turn.then(work);
    this.#turn = turn.catch(() => {});
    return turn;
  }

  async #begin(): Promise<void> {
    this.#newestId = await readNewestId(this.#db);
    this.#told.clear();
    for (const run of await readStandings(this.#db, this.#newestId)) {
      this.#told.set(run.id, wordOf(run));
    }
  }

  async #tellNews(): Promise<void> {
    const standings = await readStandings(this.#db, this.#newestId);
    const standing = new Set(standings.map(({ id }) => id));
    const gone = [...this.#told.keys()].filter((id) => !standing.has(id));
    const changed = standings.filter((run) => this.#told.get(run.id) !== wordOf(run));
    const ids = [...changed.map(({ id }) => id), ...gone].toSorted((a, b) => a - b);
    for (let first = 0; first < ids.length; first += RUNS_AT_ONCE) {
      if (this.#listeners.size === 0) return;
      await this.#tell(ids.slice(first, first + RUNS_AT_ONCE));
    }
  }

  async #tell(ids: readonly number[]): Promise<void> {
    const runs = await findRuns(this.#db, ids);
    for (const id of ids) {
      this.#told.delete(id);
      this.#newestId = Math.max(this.#newestId, id);
    }
    for (const run of runs) {
      if (run.dueAt !== null) this.#told.set(run.id, wordOf(run));
      for (const listener of this.#listeners) await listener(toWireRun(run));
    }
  }
}

function wordOf({ status, attempts }: Pick<RunStanding, "status" | "attempts">): string {
  return `${status} ${attempts}`;
}
