import type { Database, Db } from "../database/database.ts";
import type { Clock } from "../lib/clock.ts";
import { AppError } from "../lib/errors.ts";
import type { Fleet } from "./fleet.ts";
import type { LoggedChange } from "./change-cursor.ts";
import { logNodeChange } from "./change-log-store.ts";
import type { NodeRecord } from "./node.ts";
import { readNodes, readNodesOf } from "./store.ts";
import { Turns } from "./turns.ts";

/** Whose nodes are read at the same time, by a connection each. */
const OWNERS_AT_ONCE = 4;

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

  /** Reads again what has been changed, by whichever instance; in turn with changes from here. */
  async refresh(changes: readonly LoggedChange[]): Promise<void> {
    const owners = [...Map.groupBy(changes, (each) => each.ownerId)];
    for (let at = 0; at < owners.length; at += OWNERS_AT_ONCE) {
      const some = owners.slice(at, at + OWNERS_AT_ONCE);
      await Promise.all(some.map(([ownerId, those]) => this.#refresh(ownerId, those)));
    }
  }

  #refresh(ownerId: number, changes: readonly LoggedChange[]): Promise<void> {
    return this.#turns.take(ownerId, async () => {
      if (changes.some(({ nodeId }) => nodeId === 0)) {
        this.#doubtful.add(ownerId);
        await this.#reload(ownerId);
        return;
      }
      const ids = [...new Set(changes.map(({ nodeId }) => nodeId))];
      const nodes = await readNodes(this.#database.db, ids);
      const stored = new Set(nodes.map((node) => node.id));
      for (const id of ids) if (!stored.has(id)) this.#fleet.remove(id);
      const now = this.#clock.now();
      if (!this.#gone.has(ownerId)) for (const node of nodes) this.#fleet.put(node, now);
    });
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
    const { db, dialect } = this.#database;
    try {
      return await db.transaction().execute(async (transaction) => {
        const committed = await work(transaction);
        const nodeId = committed.put?.id ?? committed.remove;
        if (nodeId !== undefined) await logNodeChange(transaction, dialect, ownerId, nodeId);
        return committed;
      });
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
