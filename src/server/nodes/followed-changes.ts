import type { Database, Db } from "../database/database.ts";
import { MINUTE_MS } from "../lib/clock.ts";
import { ChangeCursor } from "./change-cursor.ts";
import { dropNodeChanges, readNodeChanges } from "./change-log-store.ts";
import type { FleetMutations } from "./fleet-mutations.ts";

const KEPT_MS = 10 * MINUTE_MS;
/** Who has not read for so long may have missed what was dropped. */
const LONGEST_ABSENCE_MS = KEPT_MS / 2;

/** Changes of nodes, made by whichever instance. */
export class FollowedChanges {
  readonly #database: Database;
  readonly #mutations: FleetMutations;
  readonly #cursor: ChangeCursor;
  #readAt: number;

  private constructor(
    database: Database,
    mutations: FleetMutations,
    oldestOpen: number,
    readAt: number,
  ) {
    this.#database = database;
    this.#mutations = mutations;
    this.#cursor = new ChangeCursor(oldestOpen);
    this.#readAt = readAt;
  }

  /** @param transaction in which the fleet is loaded, all of one moment */
  static async begin(
    database: Database,
    transaction: Db,
    mutations: FleetMutations,
  ): Promise<FollowedChanges> {
    const nothing = Number.MAX_SAFE_INTEGER;
    const { oldestOpen, at } = await readNodeChanges(transaction, database.dialect, nothing);
    return new FollowedChanges(database, mutations, oldestOpen, at);
  }

  /** @returns false when something may have been missed */
  async catchUp(): Promise<boolean> {
    const { db, dialect } = this.#database;
    const { changes, oldestOpen, at } = await readNodeChanges(db, dialect, this.#cursor.from);
    if (at - this.#readAt > LONGEST_ABSENCE_MS) return false;
    await this.#mutations.refresh(this.#cursor.fresh(changes));
    this.#cursor.advance(changes, oldestOpen);
    this.#readAt = at;
    return true;
  }
}

export function dropOldChanges({ db, dialect }: Database): Promise<void> {
  return dropNodeChanges(db, dialect, KEPT_MS);
}
