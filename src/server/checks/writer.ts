import type { Logger } from "../lib/logger.ts";
import type { CheckRecord, CheckRecords } from "./records.ts";
import type { CheckStore } from "./store.ts";

/** A report that arrives meanwhile waits for no more than these. */
const RECORDS_AT_ONCE = 100;

export interface CheckWriterParts {
  records: CheckRecords;
  store: Pick<CheckStore, "add">;
  /** Tells failures of the storage that may pass from defects. */
  isUnavailable: (error: unknown) => boolean;
  logger: Logger;
}

/**
 * Brings what was found to the storage, now and then. What could not be written is tried again as
 * it was, since nobody knows whether it was written; what is found meanwhile adds up.
 */
export class CheckWriter {
  readonly #parts: CheckWriterParts;
  #unwritten: CheckRecord[] = [];
  #isAway = false;
  #lastFlush: Promise<void> = Promise.resolve();

  constructor(parts: CheckWriterParts) {
    this.#parts = parts;
  }

  /** One after the other. Never rejects. */
  flush(): Promise<void> {
    this.#lastFlush = this.#lastFlush.then(() => this.#flush());
    return this.#lastFlush;
  }

  async #flush(): Promise<void> {
    if (!(await this.#writeAll())) return;
    this.#unwritten = this.#parts.records.take();
    await this.#writeAll();
  }

  /** @returns false when the storage is away */
  async #writeAll(): Promise<boolean> {
    const { store, isUnavailable, logger } = this.#parts;
    while (this.#unwritten.length > 0) {
      const count = wholeNodes(this.#unwritten, RECORDS_AT_ONCE);
      try {
        await store.add(this.#unwritten.slice(0, count));
      } catch (error) {
        if (isUnavailable(error)) {
          this.#noteAway(error);
          return false;
        }
        logger.error({ err: error }, "what checks have found is lost: it could not be written");
      }
      this.#unwritten = this.#unwritten.slice(count);
    }
    this.#noteBack();
    return true;
  }

  #noteAway(error: unknown): void {
    if (this.#isAway) return;
    this.#isAway = true;
    this.#parts.logger.warn({ err: error }, "what checks have found waits for the database");
  }

  #noteBack(): void {
    if (!this.#isAway) return;
    this.#isAway = false;
    const { lost } = this.#parts.records;
    this.#parts.logger.info({ lost }, "what checks have found is written again");
  }
}

/** About so many of the first, but all of a node's. */
function wholeNodes(records: readonly CheckRecord[], about: number): number {
  let count = Math.min(about, records.length);
  while (count < records.length && records[count]?.nodeId === records[count - 1]?.nodeId) count++;
  return count;
}
