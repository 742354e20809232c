import type { Db } from "../database/database.ts";
import { JournalPositions, type JournalPage } from "./journal-positions.ts";
import { readFoldedPositions, readJournals } from "./other-journals.ts";
import { decodeBatch, type ReportRecord } from "./record.ts";

/** A part of them, read and not yet taken in. */
export interface UnreadReports {
  hasMore: boolean;
  /** @returns false when some before them were missed: then everything has to be loaded anew */
  take(): boolean;
}

/** Reports that other instances have made durable. */
export class FollowedReports {
  readonly #db: Db;
  readonly #instance: string;
  readonly #takeIn: (record: ReportRecord) => void;
  readonly #positions = new JournalPositions();

  constructor(db: Db, instance: string, takeIn: (record: ReportRecord) => void) {
    this.#db = db;
    this.#instance = instance;
    this.#takeIn = takeIn;
  }

  /** What is in the journals of others and was not taken in. */
  async read(): Promise<UnreadReports> {
    const page = await readJournals(this.#db, this.#instance, this.#positions.all);
    return { hasMore: page.hasMore, take: () => this.#take(page) };
  }

  /**
   * Takes in what the journals hold beyond the tables, this instance's own as well, and goes on from
   * there.
   * @param transaction one in which the fleet was loaded, all of one moment
   */
  async begin(transaction: Db): Promise<void> {
    this.#positions.reset(await readFoldedPositions(transaction));
    for (;;) {
      const page = await readJournals(transaction, "", this.#positions.all);
      this.#take(page);
      if (!page.hasMore) return;
    }
  }

  #take(page: JournalPage): boolean {
    this.#positions.keepOnly(page.journals.map(({ instance }) => instance));
    const batches = this.#positions.take(page);
    if (!batches) return false;
    for (const batch of batches) for (const record of decodeBatch(batch)) this.#takeIn(record);
    return true;
  }
}
