import type { Database } from "../database/database.ts";
import type { Logger } from "../lib/logger.ts";
import * as store from "./stand-in-store.ts";
import type { Watcher } from "./watcher.ts";

/** Which instances there are on the same storage. */
export interface Neighbours {
  readonly isAlone: boolean;
  readonly living: ReadonlySet<string>;
  /** Those that were there and have been silent for too long. */
  readonly dead: ReadonlySet<string>;
}

export interface StandInParts {
  database: Database;
  instance: string;
  watcher: Pick<Watcher, "release" | "sync">;
  neighbours: Neighbours;
  logger: Logger;
}

/** Holds the rules of instances that are dead, and gives them back when these return. */
export class StandIns {
  readonly #parts: StandInParts;

  constructor(parts: StandInParts) {
    this.#parts = parts;
  }

  async tick(): Promise<void> {
    const { database, instance, watcher, neighbours, logger } = this.#parts;
    const { living, dead } = neighbours;
    const { db } = database;
    for (const id of await store.readRulesToGiveBack(db, instance, [...living])) {
      // Closed before the other one may open its own.
      await watcher.release(id);
      await store.giveBack(db, id, instance);
      logger.info({ rule: id }, "a rule is given back to its instance");
    }
    for (const id of await store.readOrphans(db, [...dead])) {
      if (await store.takeOver(database, id, instance, dead)) {
        logger.warn({ rule: id }, "the instance of a rule is dead; its hole is held here");
      }
    }
    if (!neighbours.isAlone || dead.size > 0) await watcher.sync();
  }
}
