import type { Journal } from "./journal.ts";
import {
  acknowledge,
  beganAgain,
  count,
  emptyLedger,
  propose,
  settle,
  type Answer,
  type Direction,
  type Ledger,
  type Settlement,
} from "./ledger.ts";
import { Meter } from "./meter.ts";
import type { Load, Report } from "./report.ts";
import type { Source } from "./source.ts";
import type { World } from "./world.ts";

export interface BooksParts {
  journal: Pick<Journal, "load" | "save">;
  source: Source;
  direction: Direction;
  world: Pick<World, "now" | "elapsed" | "newId">;
}

/** What has passed and what was reported of it, kept so that a crash at any moment does no harm. */
export class Books {
  readonly #parts: BooksParts;
  #ledger: Ledger = emptyLedger;
  readonly #meter = new Meter();

  constructor(parts: BooksParts) {
    this.#parts = parts;
  }

  get pending(): Report | undefined {
    return this.#ledger.pending;
  }

  get owed(): bigint {
    return this.#ledger.owed;
  }

  /** @throws JournalError */
  async open(): Promise<void> {
    this.#ledger = await this.#parts.journal.load();
  }

  /** Counts what has passed until now. @throws SourceError, JournalError */
  async sample(): Promise<void> {
    const { source, direction, world } = this.#parts;
    const isFirst = this.#ledger.source !== source.name;
    const { counters: before } = this.#ledger;
    const counters = await source.readCounters();
    const { ledger, passed } = count(this.#ledger, source, counters, direction);
    this.#ledger = ledger;
    this.#meter.add(passed, world.elapsed());
    // What the counters showed before cannot be read again.
    if (isFirst || beganAgain(before, counters)) await this.save();
  }

  /** Mbit/s since it was last asked. */
  takeBandwidth(): number {
    return this.#meter.take(this.#parts.world.elapsed());
  }

  /** @throws JournalError */
  async save(): Promise<void> {
    await this.#parts.journal.save(this.#ledger);
  }

  /** Makes a report of what is owed. It may be sent once this has returned. @throws JournalError */
  async propose(load: Load): Promise<Report> {
    const { journal, world } = this.#parts;
    const next = propose(this.#ledger, world.newId(), world.now(), load);
    await journal.save(next);
    this.#ledger = next;
    return next.pending;
  }

  /** The report has been counted. @throws JournalError, and has taken it down for this life */
  async acknowledge(answer: Answer): Promise<void> {
    this.#ledger = acknowledge(this.#ledger, answer);
    await this.save();
  }

  /** @throws JournalError, and has taken it down for this life */
  async settle(answer: Answer): Promise<Settlement> {
    const { ledger, settlement } = settle(this.#ledger, answer);
    this.#ledger = ledger;
    await this.save();
    return settlement;
  }
}
