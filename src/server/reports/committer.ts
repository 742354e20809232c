import { setTimeout as sleep } from "node:timers/promises";
import { AppError } from "../lib/errors.ts";
import type { Logger } from "../lib/logger.ts";
import { JournalError, type Journal } from "./journal.ts";
import { encodeBatch, type ReportRecord } from "./record.ts";

/** A report on its way to the journal. */
export interface Ticket {
  readonly record: ReportRecord;
  readonly slot: number;
  /** Called once, in the order of acceptance: the report is durable, or certainly is not. */
  settle(error?: AppError): void;
  /** The outcome is not known yet and the caller should not wait for it. */
  refuse(error: AppError): void;
}

/** Reports that may wait for the next commit. Beyond, a caller is asked to come back. */
const QUEUE_LIMIT = 16_384;
/** How long a caller waits for a storage that does not answer. */
const PATIENCE_MS = 5_000;

export interface CommitterStatistics {
  batches: number;
  reports: number;
  failedBatches: number;
  queued: number;
}

/**
 * Group commit: all reports that arrive while one batch is being made durable form the next. No
 * timer is involved, so a lone report waits for one commit and a flood shares few of them.
 */
export class Committer {
  readonly statistics: CommitterStatistics = {
    batches: 0,
    reports: 0,
    failedBatches: 0,
    queued: 0,
  };
  readonly #journal: Journal;
  readonly #logger: Logger;
  readonly #onFatal: (error: Error) => void;
  #open: Ticket[] = [];
  #running: Promise<void> | undefined;
  #failing = false;
  #stalled = false;
  #closed = false;
  #isPaused = false;

  /** @param onFatal the storage can no longer be trusted: the process must end */
  constructor(journal: Journal, logger: Logger, onFatal: (error: Error) => void) {
    this.#journal = journal;
    this.#logger = logger;
    this.#onFatal = onFatal;
  }

  /** Whether the last batch could be stored. */
  get healthy(): boolean {
    return !this.#failing && !this.#stalled && !this.#closed && !this.#isPaused;
  }

  /** @throws AppError overloaded, storage_unavailable */
  checkRoom(): void {
    if (this.#closed) throw unavailable("The service is stopping");
    if (this.#isPaused) throw unavailable("The nodes are being read again; send the report again");
    if (this.#stalled) throw noAnswer();
    if (this.#open.length >= QUEUE_LIMIT) {
      throw new AppError("overloaded", "Too many reports are waiting; send it again shortly", {
        retryAfterSeconds: 1,
      });
    }
  }

  /**
   * Waits for what the storage says, but no longer than for a commit.
   * @throws AppError storage_unavailable
   */
  async inTime<T>(answer: Promise<T>): Promise<T> {
    const late = Promise.withResolvers<never>();
    const patience = setTimeout(() => late.reject(noAnswer()), PATIENCE_MS);
    try {
      return await Promise.race([answer, late.promise]);
    } finally {
      clearTimeout(patience);
    }
  }

  add(ticket: Ticket): void {
    this.#open.push(ticket);
    this.statistics.queued++;
    this.#running ??= this.#run();
  }

  /** Waits until everything accepted so far is settled. */
  async drain(): Promise<void> {
    while (this.#running) await this.#running;
  }

  /**
   * Takes nothing until `work` is done, which begins when all that was accepted is settled. After a
   * failure nothing is taken until other work has succeeded.
   */
  async whilePaused(work: () => Promise<void>): Promise<void> {
    this.#isPaused = true;
    await this.drain();
    await work();
    this.#isPaused = false;
  }

  /** Takes nothing more and settles the rest; a storage that does not answer is not waited for. */
  async close(): Promise<void> {
    this.#closed = true;
    const patience = new AbortController();
    const giveUp = sleep(PATIENCE_MS, undefined, { signal: patience.signal }).catch(() => {});
    await Promise.race([this.drain(), giveUp]);
    patience.abort();
  }

  async #run(): Promise<void> {
    // Reports that were read from the sockets in the same turn go together.
    await new Promise((resolve) => setImmediate(resolve));
    while (this.#open.length > 0) {
      await this.#commit(this.#takeOpen());
    }
    this.#running = undefined;
  }

  async #commit(batch: Ticket[]): Promise<void> {
    const patience = setTimeout(() => this.#stall(batch), PATIENCE_MS);
    try {
      await this.#journal.append(encodeBatch(batch.map((ticket) => ticket.record)));
      this.#succeed(batch);
    } catch (error) {
      this.#fail(batch, error as Error);
    } finally {
      clearTimeout(patience);
      this.#stalled = false;
    }
  }

  #succeed(batch: Ticket[]): void {
    this.#failing = false;
    this.statistics.batches++;
    this.statistics.reports += batch.length;
    this.statistics.queued -= batch.length;
    for (const ticket of batch) ticket.settle();
    // Who waited behind a batch that took too long has been refused already.
    if (this.#stalled) this.#drop(this.#takeOpen(), noAnswer());
  }

  /** What waits behind a failed batch was summed up on top of it and fails with it. */
  #fail(batch: Ticket[], error: Error): void {
    this.statistics.failedBatches++;
    if (!this.#failing) this.#logger.error({ err: error }, "reports cannot be stored");
    this.#failing = true;
    if (error instanceof JournalError && error.fatal) this.#onFatal(error);
    const refusal = unavailable("The report could not be stored; send it again");
    this.#drop([...batch, ...this.#takeOpen()], refusal);
  }

  /** Lets the callers go. The running batch may still turn out to be stored; the rest will not. */
  #stall(batch: Ticket[]): void {
    this.#stalled = true;
    this.#logger.error("the storage does not answer; reports are refused until it does");
    const refusal = noAnswer();
    for (const ticket of [...batch, ...this.#open]) ticket.refuse(refusal);
  }

  #takeOpen(): Ticket[] {
    const open = this.#open;
    this.#open = [];
    return open;
  }

  #drop(tickets: Ticket[], refusal: AppError): void {
    this.statistics.queued -= tickets.length;
    for (const ticket of tickets) ticket.settle(refusal);
  }
}

function noAnswer(): AppError {
  return unavailable("The storage does not answer; send the report again");
}

function unavailable(sentence: string): AppError {
  return new AppError("storage_unavailable", sentence, { retryAfterSeconds: 2 });
}
