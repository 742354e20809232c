import type { Database, Db } from "../database/database.ts";
import type { Clock } from "../lib/clock.ts";
import { AppError } from "../lib/errors.ts";
import type { Fleet } from "./fleet.ts";
import type { NodeRecord } from "./node.ts";
import { readNodesOf } from "./store.ts";
import { Turns } from "./turns.ts";

/** What a transaction has come to, and what it means for the fleet. */
export interface Committed<T> {
  result: T;
  put?: NodeRecord;
  /** Id of a node that is gone. */
  remove?: number;
}

/**
 * Changes the storage first and the fleet after it. The changes of one owner's nodes take turns,
 * so the fleet takes them in the order in which they were committed.
 */
export class FleetMutations {
  readonly #database: Database;
  readonly #fleet: Fleet;
  readonly #clock: Clock;
  readonly #turns = new Turns();
  /** Owners of whose last change nobody knows whether it was committed. */
  readonly #doubtful = new Set<number>();
  /** Accounts that were deleted; their ids are never used again. */
  readonly #gone = new Set<number>();

  constructor(database: Database, fleet: Fleet, clock: Clock) {
    this.#database = database;
    this.#fleet = fleet;
    this.#clock = clock;
  }

  /** Runs `work` in a transaction and takes over what it has come to, once that is stored. */
  run<T>(ownerId: number, work: (transaction: Db) => Promise<Committed<T>>): Promise<T> {
    return this.#turns.take(ownerId, async () => {
      if (this.#doubtful.has(ownerId)) await this.#reload(ownerId);
      const { result, put, remove } = await this.#commit(ownerId, work);
      if (put && !this.#gone.has(ownerId)) this.#fleet.put(put, this.#clock.now());
      if (remove !== undefined) this.#fleet.remove(remove);
      return result;
    });
  }

  /** Somebody else's transaction touches the owner's nodes. */
  doubt(ownerId: number): void {
    this.#doubtful.add(ownerId);
  }

  /** Takes out the nodes of an account that was deleted, for good: changes under way come too late. */
  forgetOwner(ownerId: number, nodeIds: readonly number[]): void {
    this.#gone.add(ownerId);
    for (const id of nodeIds) this.#fleet.remove(id);
  }

  /** Reads again what is in doubt. */
  async settle(): Promise<void> {
    for (const ownerId of this.#doubtful) {
      await this.#turns.take(ownerId, () => this.#reload(ownerId));
    }
  }

  async #commit<T>(
    ownerId: number,
    work: (transaction: Db) => Promise<Committed<T>>,
  ): Promise<Committed<T>> {
    try {
      return await this.#database.db.transaction().execute(work);
    } catch (error) {
      // The storage may have committed although its answer was lost.
      if (!(error instanceof AppError)) this.#doubtful.add(ownerId);
      throw error;
    }
  }

  async #reload(ownerId: number): Promise<void> {
    if (!this.#doubtful.has(ownerId)) return;
    const nodes = await readNodesOf(this.#database.db, ownerId);
    const now = this.#clock.now();
    const stored = new Set(nodes.map((node) => node.id));
    for (const slot of this.#fleet.slotsOfOwner(ownerId)) {
      const id = this.#fleet.columns.id[slot] as number;
      if (!stored.has(id)) this.#fleet.remove(id);
    }
    if (!this.#gone.has(ownerId)) for (const node of nodes) this.#fleet.put(node, now);
    this.#doubtful.delete(ownerId);
  }
}
