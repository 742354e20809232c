import { setTimeout as sleep } from "node:timers/promises";
import pg from "pg";
import type { PostgresDatabase } from "../database/database.ts";
import type { Logger } from "../lib/logger.ts";
import { PeriodicWorker } from "../lib/worker.ts";
import { FOLD_LOCK } from "./fold-postgres.ts";
import { PostgresFolder } from "./folder-postgres.ts";
import { JournalError, type Journal } from "./journal.ts";

const FOLD_INTERVAL_MS = 10_000;
const RETRY_MS = 250;
const UNIQUE_VIOLATION = "23505";

/**
 * The journal as rows of PostgreSQL, keyed by instance and a sequence of its own. When the answer
 * to an insert is lost, nobody knows whether it happened: the key is then claimed with an empty
 * row, and whichever of the two stands decides.
 */
export class PostgresJournal implements Journal {
  readonly #pool: pg.Pool;
  readonly #instance: string;
  readonly #logger: Logger;
  readonly #folder: PostgresFolder;
  readonly #folding: PeriodicWorker;
  #seq: number;
  #closed = false;
  /** Called when a batch is stored. */
  onStored: () => void = () => {};

  private constructor(
    pool: pg.Pool,
    folder: PostgresFolder,
    instance: string,
    seq: number,
    logger: Logger,
  ) {
    this.#pool = pool;
    this.#folder = folder;
    this.#instance = instance;
    this.#seq = seq;
    this.#logger = logger;
    this.#folding = new PeriodicWorker(
      "report fold",
      FOLD_INTERVAL_MS,
      () => folder.fold(false),
      logger,
    );
  }

  /** Folds what earlier processes left behind, so that the tables can be read as they are. */
  static async open(
    database: PostgresDatabase,
    instance: string,
    logger: Logger,
  ): Promise<PostgresJournal> {
    const folder = new PostgresFolder(database.url);
    try {
      await folder.fold(true);
      const { rows } = await database.pool.query<{ seq: number }>(
        `select greatest(
           (select coalesce(max(seq), 0) from report_journal where instance = $1),
           (select coalesce(max(folded_seq), 0) from report_positions where instance = $1)) as seq`,
        [instance],
      );
      const seq = rows[0]?.seq ?? 0;
      const journal = new PostgresJournal(database.pool, folder, instance, seq, logger);
      journal.#folding.start();
      return journal;
    } catch (error) {
      await folder.close();
      throw error;
    }
  }

  async append(batch: Buffer): Promise<void> {
    if (this.#closed) throw new JournalError("the journal is closed", false);
    const seq = ++this.#seq;
    try {
      await this.#insert(seq, batch);
      this.onStored();
    } catch (error) {
      const { code, message } = error as Error & { code?: string };
      if (code === UNIQUE_VIOLATION) throw new JournalError("the journal key is taken", false);
      if (error instanceof pg.DatabaseError && !/^(08|57)/.test(error.code ?? "08")) {
        throw new JournalError(message, false);
      }
      this.#logger.warn({ reason: message }, "the outcome of a commit is unknown");
      if (!(await this.#wasStored(seq))) throw new JournalError(message, false);
    }
  }

  fold(): Promise<void> {
    return this.#folder.fold(true);
  }

  async close(): Promise<void> {
    await this.#folding.stop();
    this.#closed = true;
    try {
      await this.fold();
    } catch (error) {
      this.#logger.warn({ err: error }, "the last reports are folded by the next start");
    } finally {
      await this.#folder.close();
    }
  }

  async #insert(seq: number, batch: Buffer): Promise<void> {
    await this.#pool.query({
      name: "append-reports",
      text: "insert into report_journal (instance, seq, batch) values ($1, $2, $3)",
      values: [this.#instance, seq, batch],
    });
  }

  /** Asks until there is an answer. */
  async #wasStored(seq: number): Promise<boolean> {
    while (!this.#closed) {
      try {
        return await this.#claim(seq);
      } catch {
        await sleep(RETRY_MS);
      }
    }
    throw new JournalError("the journal was closed before the outcome was known", false);
  }

  /**
   * Claims the key with an empty row, while nobody folds.
   * @returns whether the batch stands there, or has been folded already
   */
  async #claim(seq: number): Promise<boolean> {
    const client = await this.#pool.connect();
    let failure: Error | undefined;
    try {
      await client.query("begin");
      await client.query("select pg_advisory_xact_lock($1)", [FOLD_LOCK]);
      await client.query(
        `insert into report_journal (instance, seq, batch) values ($1, $2, '')
         on conflict do nothing`,
        [this.#instance, seq],
      );
      const { rows } = await client.query<{ stored: boolean }>(
        `select length(batch) > 0 or exists (select 1 from report_positions
             where instance = $1 and folded_seq >= $2) as stored
           from report_journal where instance = $1 and seq = $2`,
        [this.#instance, seq],
      );
      await client.query("commit");
      return rows[0]?.stored ?? false;
    } catch (error) {
      failure = error as Error;
      throw error;
    } finally {
      client.release(failure);
    }
  }
}
