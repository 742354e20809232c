import type { Db } from "../database/database.ts";
import type { Logger } from "../lib/logger.ts";
import { NewsPoll, type NewsListener } from "../lib/news-poll.ts";
import * as store from "./news-store.ts";
import type { MappingChange } from "./rule.ts";
import type { Neighbours } from "./stand-ins.ts";

/** What has happened to a rule; what it is now can be asked for. */
export type NeighbourEvent =
  | { kind: "state"; ruleId: number }
  | { kind: "change"; ruleId: number; change: MappingChange };

const LOOK_EVERY_MS = 1_000;
/** A change may be stored after so many that have higher ids. */
const LATE_CHANGES = 100;

/** Tells of rules that other instances run or change, as long as anybody listens. */
export class NeighbourNews {
  readonly #db: Db;
  readonly #instance: string;
  readonly #neighbours: Pick<Neighbours, "isAlone">;
  readonly #poll: NewsPoll<NeighbourEvent>;
  #appearances: ReadonlyMap<number, string> = new Map();
  #newestChange = 0;
  /** Of the latest ones. */
  #toldChanges: ReadonlySet<number> = new Set();

  constructor(db: Db, instance: string, neighbours: Pick<Neighbours, "isAlone">, logger: Logger) {
    this.#db = db;
    this.#instance = instance;
    this.#neighbours = neighbours;
    this.#poll = new NewsPoll({
      begin: () => this.#begin(),
      find: (tell) => this.#find(tell),
      everyMs: LOOK_EVERY_MS,
      what: "rules of other instances",
      logger,
    });
  }

  /** From its resolution on nothing is missed. @returns what ends it */
  subscribe(listener: NewsListener<NeighbourEvent>): Promise<() => void> {
    return this.#poll.subscribe(listener);
  }

  async #begin(): Promise<void> {
    this.#appearances = await store.readAppearances(this.#db, this.#instance);
    this.#newestChange = await store.readNewestChangeId(this.#db);
    this.#note(await this.#latestChanges());
  }

  async #find(tell: NewsListener<NeighbourEvent>): Promise<void> {
    if (this.#neighbours.isAlone) return;
    const changes = await this.#latestChanges();
    for (const change of changes) {
      if (this.#toldChanges.has(change.id)) continue;
      await tell({ kind: "change", ruleId: change.ruleId, change });
    }
    this.#note(changes);
    const before = this.#appearances;
    const now = await store.readAppearances(this.#db, this.#instance);
    this.#appearances = now;
    for (const ruleId of new Set([...before.keys(), ...now.keys()])) {
      if (before.get(ruleId) !== now.get(ruleId)) await tell({ kind: "state", ruleId });
    }
  }

  #latestChanges(): Promise<MappingChange[]> {
    const after = this.#newestChange - LATE_CHANGES;
    return store.readChangesElsewhere(this.#db, this.#instance, after);
  }

  #note(changes: readonly MappingChange[]): void {
    this.#toldChanges = new Set(changes.map(({ id }) => id));
    this.#newestChange = Math.max(this.#newestChange, changes.at(-1)?.id ?? 0);
  }
}
