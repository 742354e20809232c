import type BetterSqlite from "better-sqlite3";
import type { LiveNode } from "./fold.ts";
import type { HistoryBucket } from "./history.ts";
import { SQLITE_INSTANCE } from "./journal-sqlite.ts";
import { toLive, type LiveRow } from "./live-row.ts";
import type { Receipt } from "./record.ts";

export interface StoredReceipt extends Receipt {
  nodeId: number;
  at: number;
}

/**
 * The statements of the fold. Its hot path writes tens of thousands of rows a second beside the
 * event loop, so it speaks to the connection of its thread directly.
 */
export class FoldStatements {
  readonly #db: BetterSqlite.Database;
  readonly #lastSeq;
  readonly #journal;
  readonly #read;
  readonly #write;
  readonly #rollup;
  readonly #receipt;
  readonly #dropJournal;

  constructor(db: BetterSqlite.Database) {
    this.#db = db;
    this.#lastSeq = db
      .prepare(
        `select max(
           (select coalesce(max(seq), 0) from report_journal where instance = ?),
           (select coalesce(max(journal_seq), 0) from node_live))`,
      )
      .pluck();
    this.#journal = db.prepare(
      "select seq, batch from report_journal where instance = ? and seq > ? order by seq limit 100",
    );
    this.#read = db.prepare("select * from node_live where node_id = ?");
    this.#write = db.prepare(
      `update node_live set reported_at = @reportedAt, bandwidth = @bandwidth,
         connections = @connections, status = @status, used = @used, used_rest = @usedRest,
         period_start = @periodStart, tier_bandwidth = @tierBandwidth, tier_at = @tierAt,
         interval_ms = @intervalMs, version = @version, journal_seq = @seq,
         open_history = @openHistory, silent = 0
       where node_id = @nodeId`,
    );
    this.#rollup = db.prepare(
      `insert into node_rollups (span, at, node_id, up_ms, bandwidth, connections, traffic)
       values (?, ?, ?, ?, ?, ?, ?) on conflict do nothing`,
    );
    this.#receipt = db.prepare(
      `insert or replace into report_receipts
         (node_id, report_id, at, used_traffic, max_traffic, reset_at)
       values (?, ?, ?, ?, ?, ?)`,
    );
    this.#dropJournal = db.prepare(
      `delete from report_journal where instance = @instance and seq in (
         select seq from report_journal where instance = @instance and seq <= @throughSeq
         order by seq limit @limit)`,
    );
  }

  /** Runs `write` in one transaction. */
  transact(write: () => void): void {
    this.#db.transaction(write)();
  }

  lastSeq(): number {
    return this.#lastSeq.get(SQLITE_INSTANCE) as number;
  }

  /** The journal in order, a page at a time. */
  *journal(): Generator<{ seq: number; batch: Buffer }> {
    for (let after = 0; ;) {
      const rows = this.#journal.all(SQLITE_INSTANCE, after) as { seq: number; batch: Buffer }[];
      yield* rows;
      const last = rows.at(-1);
      if (!last) return;
      after = last.seq;
    }
  }

  read(nodeId: number): { live: LiveNode; seq: number } | undefined {
    const row = this.#read.get(nodeId) as (LiveRow & { journal_seq: number }) | undefined;
    return row && { live: toLive(row), seq: row.journal_seq };
  }

  /** @returns false when the node does not exist any more */
  write(live: LiveNode, seq: number): boolean {
    const { changes } = this.#write.run({
      nodeId: live.nodeId,
      reportedAt: live.reportedAt,
      bandwidth: live.bandwidth,
      connections: live.connections,
      status: live.status,
      used: live.used,
      usedRest: live.usedRest,
      periodStart: live.periodStart,
      tierBandwidth: live.tierBandwidth,
      tierAt: live.tierAt,
      intervalMs: live.intervalMs,
      version: live.version,
      openHistory: Buffer.from(live.history.toBytes()),
      seq,
    });
    return changes === 1;
  }

  writeRollup(nodeId: number, bucket: HistoryBucket): void {
    const { span, at, upMs, bandwidth, connections, traffic } = bucket;
    this.#rollup.run(span, at, nodeId, upMs, bandwidth, connections, traffic);
  }

  writeReceipt(receipt: StoredReceipt): void {
    const { nodeId, reportId, at, usedTraffic, maxTraffic, resetAt } = receipt;
    this.#receipt.run(nodeId, reportId, at, usedTraffic, maxTraffic, resetAt);
  }

  /** @returns how many journal rows were dropped, at most `limit` */
  dropJournal(throughSeq: number, limit: number): number {
    return this.#dropJournal.run({ instance: SQLITE_INSTANCE, throughSeq, limit }).changes;
  }
}
