import { randomUUID } from "node:crypto";
import { setTimeout as sleep } from "node:timers/promises";
import { DatabaseOpenError, type PostgresDatabase } from "../database/database.ts";
import { DAY_MS, MINUTE_MS } from "../lib/clock.ts";
import type { Logger } from "../lib/logger.ts";
import { PeriodicWorker } from "../lib/worker.ts";
import * as store from "./store.ts";

const BEAT_EVERY_MS = 500;
/** Who is silent for so long counts as dead: what it held may be held by others. */
const DEAD_AFTER_MS = 15_000;
/** Who could not say so itself for this long cannot say how long others have been silent. */
const LAPSE_MS = 3_000;
/** Who has not ended in order may have been asleep, and take reports when it wakes up. */
const MAY_WAKE_UP_MS = 10 * MINUTE_MS;
const FORGOTTEN_AFTER_MS = 7 * DAY_MS;
/** How long a process that has the name already may take to end. */
const HANDOVER_MS = 3_000;
const LOOK_AGAIN_MS = 250;

export interface PresenceParts {
  database: PostgresDatabase;
  instance: string;
  logger: Logger;
  deadAfterMs?: number;
  /** Whether no other process that lives has the name; tried again, it may be. */
  claimName(): Promise<boolean>;
  /** Another process has taken the name: this one must not write any more. */
  onReplaced(error: Error): void;
}

/** Says that this instance lives, and knows which others do. */
export class Presence {
  readonly process = randomUUID();
  readonly #parts: PresenceParts;
  readonly #beating: PeriodicWorker;
  readonly #deadAfterMs: number;
  #others: store.InstanceRow[] = [];
  #beatAt = Number.NEGATIVE_INFINITY;
  /** From when on it can be told who is dead. */
  #judgesFrom = Number.POSITIVE_INFINITY;

  private constructor(parts: PresenceParts) {
    this.#parts = parts;
    this.#deadAfterMs = parts.deadAfterMs ?? DEAD_AFTER_MS;
    this.#beating = new PeriodicWorker("heartbeat", BEAT_EVERY_MS, () => this.beat(), parts.logger);
  }

  /**
   * Takes the name of the instance; when it returns, all others know.
   * @throws DatabaseOpenError when a process that lives has it
   */
  static async open(parts: PresenceParts): Promise<Presence> {
    const presence = new Presence(parts);
    await presence.#takeName();
    await presence.beat();
    presence.#beating.start();
    if (!presence.isAlone) await sleep(1.5 * BEAT_EVERY_MS);
    return presence;
  }

  /** Whether nobody else takes reports, and nobody may begin to unseen. */
  get isAlone(): boolean {
    return !this.#others.some((each) => !each.hasEnded && each.silentMs < MAY_WAKE_UP_MS);
  }

  /** The instances that speak, this one among them. */
  get living(): ReadonlySet<string> {
    const others = this.#others.filter((each) => each.silentMs < this.#deadAfterMs);
    return new Set([this.#parts.instance, ...others.map((each) => each.name)]);
  }

  /**
   * Those that were there and have been silent for too long. While the storage was away, nobody
   * could say that he lives: then everybody is given the time once more.
   */
  get dead(): ReadonlySet<string> {
    if (performance.now() < this.#judgesFrom) return new Set();
    const others = this.#others.filter((each) => each.silentMs >= this.#deadAfterMs);
    return new Set(others.map((each) => each.name));
  }

  async beat(): Promise<void> {
    const { database, instance } = this.#parts;
    const { db, dialect } = database;
    if (!(await store.beat(db, dialect, instance, this.process, 0))) {
      this.#parts.onReplaced(new Error(`another process runs as the instance ${instance}`));
      return;
    }
    const all = await store.readInstances(db, dialect);
    const now = performance.now();
    if (now - this.#beatAt > LAPSE_MS) this.#judgesFrom = now + this.#deadAfterMs;
    this.#beatAt = now;
    this.#others = all.filter((each) => each.name !== instance);
  }

  /** Nothing will be written any more. */
  async close(): Promise<void> {
    await this.#beating.stop();
    const { database, instance } = this.#parts;
    await store.beat(database.db, database.dialect, instance, this.process, 1);
  }

  async #takeName(): Promise<void> {
    const { database, instance } = this.#parts;
    const { db, dialect } = database;
    const deadline = performance.now() + HANDOVER_MS;
    while (!(await this.#parts.claimName())) {
      const all = await store.readInstances(db, dialect);
      const holder = all.find((each) => each.name === instance);
      // The connection of a process that is gone may outlive it.
      if (!holder || holder.silentMs > 4 * BEAT_EVERY_MS) break;
      if (performance.now() > deadline) {
        throw new DatabaseOpenError(
          `Another process on this database is the instance ${instance}; give each one a WAYPOST_INSTANCE of its own`,
        );
      }
      await sleep(LOOK_AGAIN_MS);
    }
    await store.register(db, dialect, instance, this.process);
    await store.forgetInstances(db, dialect, FORGOTTEN_AFTER_MS);
  }
}
