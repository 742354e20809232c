import type { Database } from "../database/database.ts";
import type { Clock } from "../lib/clock.ts";
import type { Part } from "../lib/lifecycle.ts";
import type { Logger } from "../lib/logger.ts";
import { PeriodicWorker } from "../lib/worker.ts";
import type { Ending } from "./attempt.ts";
import { endLeases, giveBack, lease } from "./lease-store.ts";
import type { Membership } from "./membership.ts";
import type { PublicationRecord } from "./publication.ts";
import type { Plan, Publishing } from "./publishing.ts";
import { readAll } from "./store.ts";

export interface RunnerParts {
  database: Database;
  clock: Clock;
  logger: Logger;
  membership: Membership;
  publishing: Publishing;
  /** `<instance>:<process>`, of this process alone. */
  owner: string;
}

const LOOK_EVERY_MS = 1_000;
/** All that a try may take; the lease is longer, so that nobody else begins meanwhile. */
const LIMIT_MS = 30_000;
const LEASE_MS = 60_000;
/** A node that comes and goes does not have records rewritten more often. */
const URGENT_EVERY_MS = 10_000;

/**
 * Keeps published lists in step: each at its time, at once when a node of it is lost, and again after a
 * failure. Of several instances one is at a list at a time.
 */
export class PublicationRunner implements Part {
  readonly name = "publications";
  readonly #parts: RunnerParts;
  readonly #looking: PeriodicWorker;
  readonly #active = new Map<number, Promise<void>>();
  #stopping = new AbortController();
  #failing = 0;
  #isAway = false;

  constructor(parts: RunnerParts) {
    this.#parts = parts;
    this.#looking = new PeriodicWorker(
      "publications",
      LOOK_EVERY_MS,
      () => this.look(),
      parts.logger,
    );
  }

  /** What an earlier life of this instance was at may be taken up at once. */
  async start(): Promise<void> {
    const { database, clock, owner } = this.#parts;
    const prefix = database.kind === "sqlite" ? "" : owner.slice(0, owner.indexOf(":") + 1);
    await endLeases(database.db, prefix, clock.now());
    this.#stopping = new AbortController();
    this.#looking.start();
  }

  async stop(): Promise<void> {
    this.#stopping.abort();
    await this.#looking.stop();
    await this.idle();
  }

  /** Lists whose last try failed, as of the last look. */
  get failing(): number {
    return this.#failing;
  }

  /** Begins what is due. */
  async look(): Promise<void> {
    const { clock } = this.#parts;
    const all = await this.#readAll();
    const now = clock.now();
    this.#failing = all.filter(({ failures }) => failures > 0).length;
    for (const each of all) {
      if (this.#active.has(each.id) || (each.leaseUntil ?? now) > now) continue;
      if (each.dueAt <= now || this.#isUrgent(each, now)) void this.#begin(each.id);
    }
  }

  /** Nothing while the storage is away. */
  async #readAll(): Promise<PublicationRecord[]> {
    const { database, logger } = this.#parts;
    try {
      const all = await readAll(database.db);
      if (this.#isAway) logger.info("published lists are looked at again");
      this.#isAway = false;
      return all;
    } catch (error) {
      if (!database.dialect.isUnavailable(error)) throw error;
      if (!this.#isAway) logger.warn({ err: error }, "published lists wait for the database");
      this.#isAway = true;
      return [];
    }
  }

  /** Resolves when nothing is under way. */
  async idle(): Promise<void> {
    while (this.#active.size > 0) await Promise.all(this.#active.values());
  }

  /** Publishes without a wait. @returns false when another instance is at it */
  async runNow(id: number): Promise<boolean> {
    await this.#active.get(id);
    return this.#begin(id);
  }

  plan(publication: PublicationRecord): Promise<Plan> {
    return this.#parts.publishing.plan(publication);
  }

  /** What the next publication would change; it only reads. */
  compare(plan: Plan): Promise<Ending> {
    return this.#parts.publishing.compare(plan, this.#signal());
  }

  #isUrgent(publication: PublicationRecord, now: number): boolean {
    if (publication.failures > 0) return false;
    if (now < (publication.attemptedAt ?? 0) + URGENT_EVERY_MS) return false;
    return this.#parts.membership.isUrgent(publication);
  }

  #signal(): AbortSignal {
    return AbortSignal.any([AbortSignal.timeout(LIMIT_MS), this.#stopping.signal]);
  }

  /** @returns whether it was tried here */
  #begin(id: number): Promise<boolean> {
    const running = this.#run(id);
    const active = this.#watch(id, running).finally(() => {
      if (this.#active.get(id) === active) this.#active.delete(id);
    });
    this.#active.set(id, active);
    return running;
  }

  async #watch(id: number, running: Promise<unknown>): Promise<void> {
    try {
      await running;
    } catch (error) {
      this.#parts.logger.error({ err: error, publication: id }, "a publication broke off");
    }
  }

  async #run(id: number): Promise<boolean> {
    const { database, clock, owner } = this.#parts;
    const now = clock.now();
    const until = now + LEASE_MS;
    const publication = await lease(database.db, id, { owner, now, until });
    if (!publication) return false;
    try {
      await this.#parts.publishing.publish(publication, this.#signal());
    } catch (error) {
      await giveBack(database.db, id, owner, clock.now() + LOOK_EVERY_MS);
      if (!this.#stopping.signal.aborted) throw error;
    }
    return true;
  }
}
