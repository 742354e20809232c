import type { Database } from "../database/database.ts";
import type { Chance } from "../lib/chance.ts";
import { DAY_MS, type Clock } from "../lib/clock.ts";
import type { Logger } from "../lib/logger.ts";
import type { OutgoingHttp } from "../lib/outgoing-http.ts";
import { carryOut, toOrders, type Ending, type Order, type RecordDoor } from "./attempt.ts";
import { compose, type Composition } from "./composition.ts";
import { settle } from "./lease-store.ts";
import type { Membership } from "./membership.ts";
import { pauseMs } from "./pause.ts";
import { isWithdrawn, type Member, type PublicationRecord } from "./publication.ts";
import { putSet, readSets, type HeldSet } from "./set-store.ts";
import { deletePublication } from "./store.ts";

export interface PublishingParts {
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
  held: readonly HeldSet[];
  orders: readonly Order[];
}

/** Brings the records of one list in step, and writes down what stands where. */
export class Publishing {
  readonly #parts: PublishingParts;

  constructor(parts: PublishingParts) {
    this.#parts = parts;
  }

  async plan(publication: PublicationRecord): Promise<Plan> {
    const { database, membership } = this.#parts;
    const held = await readSets(database.db, publication.id);
    const nodes = isWithdrawn(publication) ? [] : membership.next(publication);
    const composition = compose(publication, nodes);
    return { ...composition, nodes, held, orders: toOrders(publication, composition.sets, held) };
  }

  /** What the next publication would change; it only reads. */
  async compare({ orders }: Plan, signal: AbortSignal): Promise<Ending> {
    const { http, domains } = this.#parts;
    const exchange = http.exchange([], signal);
    return carryOut(orders, (order) => domains.rehearseSets(order), exchange);
  }

  /**
   * One try of a list that is leased. A failure of the provider is stored with the time of the next one.
   * @throws the reason of the signal, but for a time-out; what is no failure of the provider
   */
  async publish(publication: PublicationRecord, signal: AbortSignal): Promise<void> {
    const { http, domains } = this.#parts;
    const plan = await this.plan(publication);
    await this.#writeAhead(publication.id, plan);
    const exchange = http.exchange([], signal);
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
        await putSet(db, { publicationId, accountId, name, type, values: all });
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
      await settle(database.db, publication, owner, { dueAt, failures, error });
      return;
    }
    if (removed) {
      await deletePublication(database.db, id);
      return;
    }
    const isChanged = ending.results.some(({ result }) => result.result === "updated");
    if (isChanged) logger.info({ publication: id, name, type }, "published");
    const { nodes, note } = plan;
    await settle(database.db, publication, owner, {
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
        await putSet(db, { publicationId, accountId, name, type, values: [...values] });
      }
    }
  }
}
