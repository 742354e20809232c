import type { Database } from "../database/database.ts";
import type { Chance } from "../lib/chance.ts";
import { DAY_MS, type Clock } from "../lib/clock.ts";
import type { Part } from "../lib/lifecycle.ts";
import type { Logger } from "../lib/logger.ts";
import type { OutgoingHttp } from "../lib/outgoing-http.ts";
import { PeriodicWorker } from "../lib/worker.ts";
import { carryOut, toOrders, type Ending, type Order, type RecordDoor } from "./attempt.ts";
import { compose, type Composition } from "./composition.ts";
import type { Membership } from "./membership.ts";
import { pauseMs } from "./pause.ts";
import { isWithdrawn, type Member, type PublicationRecord } from "./publication.ts";
import * as store from "./store.ts";

export interface RunnerParts {
  database: Database;
  clock: Clock;
  chance: Chance;
  logger: Logger;
  http: Pick<OutgoingHttp, "exchange">;
  domains: RecordDoor;
  membership: Membership;
  /** `<instance>:<process>`, of this process alone. */
  owner: string;
}

/** What is to be published, as of now. */
export interface Plan extends Composition {
  nodes: readonly Member[];
  held: readonly store.HeldSet[];
  orders: readonly Order[];
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
    await store.endLeases(database.db, prefix, clock.now());
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
      const all = await store.readAll(database.db);
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

  async plan(publication: PublicationRecord): Promise<Plan> {
    const { database, membership } = this.#parts;
    const held = await store.readSets(database.db, publication.id);
    const nodes = isWithdrawn(publication) ? [] : membership.next(publication);
    const composition = compose(publication, nodes);
    return { ...composition, nodes, held, orders: toOrders(publication, composition.sets, held) };
  }

  /** What the next publication would change; it only reads. */
  async compare({ orders }: Plan): Promise<Ending> {
    const { http, domains } = this.#parts;
    const exchange = http.exchange([], this.#signal());
    return carryOut(orders, (order) => domains.rehearseSets(order), exchange);
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
    const lease = { owner, now, until: now + LEASE_MS };
    const publication = await store.lease(database.db, id, lease);
    if (!publication) return false;
    try {
      await this.#publish(publication);
    } catch (error) {
      await store.giveBack(database.db, id, owner, clock.now() + LOOK_EVERY_MS);
      if (!this.#stopping.signal.aborted) throw error;
    }
    return true;
  }

  async #publish(publication: PublicationRecord): Promise<void> {
    const { http, domains } = this.#parts;
    const plan = await this.plan(publication);
    await this.#writeAhead(publication.id, plan);
    const exchange = http.exchange([], this.#signal());
    const ending = await carryOut(plan.orders, (order) => domains.publishSets(order), exchange);
    await this.#settle(publication, plan, ending);
  }

  /** Before it is written: what was written and not settled is ours, too. */
  async #writeAhead(publicationId: number, { orders }: Plan): Promise<void> {
    const { db } = this.#parts.database;
    for (const { accountId, sets } of orders) {
      for (const { name, type, ours, values } of sets) {
        const all = [...new Set([...ours, ...values])];
        if (all.length === ours.length) continue;
        await store.putSet(db, { publicationId, accountId, name, type, values: all });
      }
    }
  }

  async #settle(publication: PublicationRecord, plan: Plan, ending: Ending): Promise<void> {
    const { database, clock, owner, logger, chance } = this.#parts;
    const { id, removed, name, type } = publication;
    const now = clock.now();
    await this.#settleSets(id, plan, ending);
    if (ending.failure) {
      const { failure } = ending;
      const failures = publication.failures + 1;
      const error = failure.message;
      if (failures === 1) logger.warn({ publication: id, name, type }, `not published: ${error}`);
      const dueAt = now + pauseMs(failures, failure, chance);
      await store.settle(database.db, publication, owner, { dueAt, failures, error });
      return;
    }
    if (removed) {
      await store.deletePublication(database.db, id);
      return;
    }
    const isChanged = ending.results.some(({ result }) => result.result === "updated");
    if (isChanged) logger.info({ publication: id, name, type }, "published");
    const { nodes, note } = plan;
    await store.settle(database.db, publication, owner, {
      dueAt: now + (isWithdrawn(publication) ? DAY_MS : publication.intervalSeconds * 1000),
      failures: 0,
      error: null,
      success: { at: now, nodes, note, isChanged },
    });
  }

  /** Of what went well, only what is wanted stands now. */
  async #settleSets(publicationId: number, { orders }: Plan, ending: Ending): Promise<void> {
    const { db } = this.#parts.database;
    const done = ending.results.filter(({ result }) => result.result !== "failed");
    for (const { accountId, sets } of orders) {
      for (const { name, type, values, ours } of sets) {
        const isDone = done.some(
          ({ accountId: account, result }) =>
            account === accountId && result.name === name && result.type === type,
        );
        const isSame = ours.length === values.length && ours.every((one) => values.includes(one));
        if (!isDone || isSame) continue;
        await store.putSet(db, { publicationId, accountId, name, type, values: [...values] });
      }
    }
  }
}
