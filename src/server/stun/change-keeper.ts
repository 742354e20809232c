import { randomUUID } from "node:crypto";
import { Slots } from "../../probe/slots.ts";
import type { Database, Db } from "../database/database.ts";
import type { Clock } from "../lib/clock.ts";
import type { Logger } from "../lib/logger.ts";
import type { ChangeSubscriber } from "./change-port.ts";
import { formatEndpoint, sameEndpoint, type Endpoint } from "./endpoint.ts";
import type { ConfirmedMapping } from "./judge.ts";
import { differences, holderOf, type MappingChange, type StunRule } from "./rule.ts";
import * as store from "./store.ts";
import type { TimerWheel, Timekeeper, WheelTimer } from "./timer-wheel.ts";

const FIRST_RETRY_MS = 1_000;
const LONGEST_RETRY_MS = 30_000;
/** Thousands of rules that find their first mapping together wait here and not for the storage. */
const TRANSACTIONS_AT_ONCE = 16;

export interface ChangeKeeperParts {
  database: Database;
  instance: string;
  clock: Clock;
  time: Timekeeper;
  wheel: TimerWheel;
  subscriber: ChangeSubscriber;
  logger: Logger;
  /** A mapping is stored now; null: it was stored already, and nothing has changed. */
  onStored(ruleId: number, change: MappingChange | null): void;
  /** It could not be stored; it is tried again. */
  onFailed(ruleId: number): void;
}

/** A confirmed mapping on its way to the storage. */
interface Wanted {
  /** The change is stored once under this key, however often that is tried. */
  key: string;
  mapping: Endpoint;
  isFirst: boolean;
  servers: readonly string[];
  at: number;
}

export interface WaitingChange extends Pick<Wanted, "mapping" | "isFirst"> {
  /** It was tried in vain. */
  hasFailed: boolean;
}

interface Errand {
  wanted: Wanted;
  run: Promise<void>;
  failures: number;
  retry: WheelTimer | undefined;
}

interface Stored {
  change: MappingChange | null;
  rule: StunRule;
}

/**
 * Brings confirmed mappings to the storage, each rule's one after the other, and tries until it
 * succeeds; of several that wait, the newest one wins. What the change is, it finds by what is stored.
 */
export class ChangeKeeper {
  readonly #parts: ChangeKeeperParts;
  readonly #errands = new Map<number, Errand>();
  readonly #slots = new Slots(TRANSACTIONS_AT_ONCE, Number.POSITIVE_INFINITY);
  #isStopping = false;

  constructor(parts: ChangeKeeperParts) {
    this.#parts = parts;
  }

  /** Changes that are not stored yet. */
  get waiting(): number {
    return this.#errands.size;
  }

  /** What of a rule is not stored yet. */
  waitingFor(ruleId: number): WaitingChange | undefined {
    const errand = this.#errands.get(ruleId);
    return errand && { ...errand.wanted, hasFailed: errand.failures > 0 };
  }

  keep(ruleId: number, { mapping, previous, servers }: ConfirmedMapping): void {
    const wanted = {
      key: randomUUID(),
      mapping,
      isFirst: previous === null,
      servers,
      at: this.#parts.clock.now(),
    };
    const errand = this.#errands.get(ruleId);
    if (errand) {
      errand.wanted = wanted;
      return;
    }
    const begun: Errand = { wanted, run: Promise.resolve(), failures: 0, retry: undefined };
    this.#errands.set(ruleId, begun);
    begun.run = this.#run(ruleId, begun);
  }

  /** What waits for the storage is tried now. Never rejects. */
  async flush(): Promise<void> {
    for (const [ruleId, errand] of this.#errands) this.#retryNow(ruleId, errand);
    await Promise.all([...this.#errands.values()].map((each) => each.run));
  }

  /** Tries once more. What is not stored then, the next start finds again. */
  async stop(): Promise<void> {
    this.#isStopping = true;
    await this.flush();
  }

  #retryNow(ruleId: number, errand: Errand): void {
    if (errand.retry === undefined) return;
    this.#parts.wheel.cancel(errand.retry);
    errand.retry = undefined;
    errand.run = this.#run(ruleId, errand);
  }

  async #run(ruleId: number, errand: Errand): Promise<void> {
    for (;;) {
      const { wanted } = errand;
      let stored: Stored | undefined;
      try {
        stored = await this.#slots.run(() =>
          this.#parts.database.db.transaction().execute((tx) => this.#store(tx, ruleId, wanted)),
        );
      } catch (error) {
        this.#postpone(ruleId, errand, error);
        return;
      }
      errand.failures = 0;
      const isDone = errand.wanted === wanted;
      if (isDone) this.#errands.delete(ruleId);
      if (stored) this.#tell(ruleId, stored);
      if (isDone) return;
    }
  }

  /** @returns undefined when the rule is gone, or held by another instance */
  async #store(tx: Db, ruleId: number, wanted: Wanted): Promise<Stored | undefined> {
    const { database, instance, subscriber } = this.#parts;
    const rule = await store.lockRule(tx, database.dialect, ruleId);
    // Who wakes up and is replaced has no say any more.
    if (!rule || holderOf(rule) !== instance) return undefined;
    // The answer to an earlier try was lost.
    const known = await store.findChangeByKey(tx, wanted.key);
    if (known) return { change: known, rule };
    const { mapping, servers: confirmedBy, at } = wanted;
    const previous = await store.lockMapping(tx, database.dialect, ruleId);
    if (previous && sameEndpoint(previous, mapping)) return { change: null, rule };
    const changed = previous ? differences(previous, mapping) : [];
    const unstored = { ruleId, mapping, previous, changed, confirmedBy, at };
    const id = await store.insertChange(tx, wanted.key, unstored);
    const change: MappingChange = { id, ...unstored };
    if (previous && rule.triggerCallbacks) await subscriber.onConfirmed(change, rule, tx);
    return { change, rule };
  }

  #tell(ruleId: number, { change, rule }: Stored): void {
    const { subscriber, logger } = this.#parts;
    this.#parts.onStored(ruleId, change);
    if (!change) return;
    const { mapping, previous, confirmedBy } = change;
    logger.info(
      {
        rule: rule.name,
        mapping: formatEndpoint(mapping),
        previous: previous && formatEndpoint(previous),
        confirmedBy,
      },
      previous ? "a public address has changed" : "a public address is known",
    );
    if (previous && rule.triggerCallbacks) subscriber.onStored(change, rule);
  }

  #postpone(ruleId: number, errand: Errand, error: unknown): void {
    const { logger, time, wheel } = this.#parts;
    if (errand.failures === 0) {
      logger.warn({ err: error, rule: ruleId }, "a changed address could not be stored yet");
    }
    const waitMs = Math.min(FIRST_RETRY_MS * 2 ** errand.failures, LONGEST_RETRY_MS);
    errand.failures++;
    this.#parts.onFailed(ruleId);
    if (this.#isStopping) return;
    errand.retry = wheel.at(time.now() + waitMs, () => this.#retryNow(ruleId, errand));
  }
}
