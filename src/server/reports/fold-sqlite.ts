import type BetterSqlite from "better-sqlite3";
import { FoldStatements, type StoredReceipt } from "./fold-sqlite-statements.ts";
import { foldReport, type LiveNode } from "./fold.ts";
import { decodeBatch, type ReportRecord } from "./record.ts";

/** Rows written per transaction: small, because a report that arrives meanwhile waits for it. */
const ROWS_PER_STEP = 200;
/** Nodes kept in memory between cycles; beyond that they are read again when they report. */
const NODES_KEPT = 200_000;

interface Entry {
  live: LiveNode;
  /** Journal row of the latest report in `live`. */
  seq: number;
  dirty: boolean;
}

/**
 * Brings journal rows into the tables while further reports arrive. States are gathered in memory
 * and written in small transactions; each row carries the journal row it includes, so a crash in
 * the middle neither loses a report nor counts one twice.
 */
export class SqliteFolder {
  readonly #statements: FoldStatements;
  readonly #entries = new Map<number, Entry>();
  #dirty: Entry[] = [];
  #receipts: StoredReceipt[] = [];
  #seq: number;
  #waiting = 0;

  /** Folds what an earlier process left in the journal. */
  constructor(db: BetterSqlite.Database) {
    this.#statements = new FoldStatements(db);
    this.#seq = this.#statements.lastSeq();
    for (const row of this.#statements.journal()) this.take(row.seq, decodeBatch(row.batch));
    const cycle = this.startCycle();
    while (cycle.step());
  }

  get lastSeq(): number {
    return this.#seq;
  }

  /** Reports taken since the last cycle began. */
  get waiting(): number {
    return this.#waiting;
  }

  /** Takes in a journal row that is durable. */
  take(seq: number, records: readonly ReportRecord[]): void {
    this.#seq = Math.max(this.#seq, seq);
    this.#waiting += records.length;
    for (const record of records) {
      const { nodeId, at, receipt } = record;
      if (receipt) this.#receipts.push({ ...receipt, nodeId, at });
      const entry = this.#entryOf(nodeId);
      // A clean row that already includes this journal row was written before a crash.
      if (!entry || (entry.seq >= seq && !entry.dirty)) continue;
      foldReport(entry.live, record);
      this.#touch(entry, seq);
    }
  }

  startCycle(): FoldCycle {
    const forget = (nodeId: number) => this.#entries.delete(nodeId);
    const cycle = new FoldCycle(this.#statements, this.#seq, this.#dirty, this.#receipts, forget);
    this.#dirty = [];
    this.#receipts = [];
    this.#waiting = 0;
    this.#forgetIdle();
    return cycle;
  }

  /** Keeps what a failed cycle could not write for the next one. */
  putBack(cycle: FoldCycle): void {
    this.#dirty.push(...cycle.entries);
    this.#receipts.push(...cycle.receipts);
  }

  #touch(entry: Entry, seq: number): void {
    entry.seq = seq;
    if (entry.dirty) return;
    entry.dirty = true;
    this.#dirty.push(entry);
  }

  #entryOf(nodeId: number): Entry | undefined {
    const known = this.#entries.get(nodeId);
    if (known) return known;
    const stored = this.#statements.read(nodeId);
    if (!stored) return undefined;
    const entry: Entry = { ...stored, dirty: false };
    this.#entries.set(nodeId, entry);
    return entry;
  }

  #forgetIdle(): void {
    if (this.#entries.size <= NODES_KEPT) return;
    for (const [nodeId, entry] of this.#entries) if (!entry.dirty) this.#entries.delete(nodeId);
  }
}

/** One pass over everything that changed before it began, in steps. */
export class FoldCycle {
  readonly #statements: FoldStatements;
  readonly #seq: number;
  readonly #forget: (nodeId: number) => void;
  /** Not written yet. */
  readonly entries: Entry[];
  readonly receipts: StoredReceipt[];

  constructor(
    statements: FoldStatements,
    seq: number,
    entries: Entry[],
    receipts: StoredReceipt[],
    forget: (nodeId: number) => void,
  ) {
    this.#statements = statements;
    this.#seq = seq;
    this.entries = entries;
    this.receipts = receipts;
    this.#forget = forget;
  }

  /**
   * Writes some rows in one transaction. The journal rows go last.
   * @returns whether there is more to do
   */
  step(): boolean {
    if (this.entries.length > 0) return this.#writeEntries();
    if (this.receipts.length > 0) return this.#writeReceipts();
    return this.#statements.dropJournal(this.#seq, ROWS_PER_STEP) === ROWS_PER_STEP;
  }

  #writeEntries(): boolean {
    const some = this.entries.slice(-ROWS_PER_STEP);
    this.#statements.transact(() => {
      for (const { live, seq } of some) {
        if (!this.#statements.write(live, seq)) this.#forget(live.nodeId);
        else for (const bucket of live.ended) this.#statements.writeRollup(live.nodeId, bucket);
      }
    });
    this.entries.length -= some.length;
    for (const entry of some) {
      entry.live.ended = [];
      entry.dirty = false;
    }
    return true;
  }

  #writeReceipts(): boolean {
    const some = this.receipts.slice(-ROWS_PER_STEP);
    this.#statements.transact(() => {
      for (const receipt of some) this.#statements.writeReceipt(receipt);
    });
    this.receipts.length -= some.length;
    return true;
  }
}
