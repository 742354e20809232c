import { sql } from "kysely";
import type { Db } from "../database/database.ts";
import type { FleetRollupTable } from "../database/schema.ts";
import type { Receipt } from "./record.ts";

export interface ReceiptKey {
  nodeId: number;
  reportId: string;
}

/** What reports leave in the tables, apart from the journal's own fold. */
export class ReportStore {
  readonly #db: Db;

  constructor(db: Db) {
    this.#db = db;
  }

  async findReceipt(nodeId: number, reportId: string, since: number): Promise<Receipt | undefined> {
    const row = await this.#db
      .selectFrom("report_receipts")
      .selectAll()
      .where("node_id", "=", nodeId)
      .where("report_id", "=", reportId)
      .where("at", ">=", since)
      .executeTakeFirst();
    return (
      row && {
        reportId: row.report_id,
        usedTraffic: row.used_traffic,
        maxTraffic: row.max_traffic,
        resetAt: row.reset_at,
      }
    );
  }

  /** The ids that are still recognised, in key order, a page after `after`. */
  async receiptKeys(
    since: number,
    after: ReceiptKey | undefined,
    limit: number,
  ): Promise<(ReceiptKey & { at: number })[]> {
    const start = after ?? { nodeId: 0, reportId: "" };
    const rows = await this.#db
      .selectFrom("report_receipts")
      .select(["node_id", "report_id", "at"])
      .where(sql<boolean>`(node_id, report_id) > (${start.nodeId}, ${start.reportId})`)
      .orderBy("node_id")
      .orderBy("report_id")
      .limit(limit)
      .execute();
    return rows
      .map((row) => ({ nodeId: row.node_id, reportId: row.report_id, at: row.at }))
      .filter((row) => row.at >= since || rows.length === limit);
  }

  /** Batches that wait for the fold; those that are folded and kept for others do not count. */
  async countJournal(): Promise<number> {
    const { count } = await this.#db
      .selectFrom("report_journal as j")
      .leftJoin("report_positions as p", "p.instance", "j.instance")
      .select((each) => each.fn.countAll<number>().as("count"))
      .where((each) => each("j.seq", ">", each.fn.coalesce("p.folded_seq", each.lit(0))))
      .executeTakeFirstOrThrow();
    return count;
  }

  /** @returns how many were dropped, at most `limit` */
  async dropReceipts(before: number, limit: number): Promise<number> {
    const old = this.#db
      .selectFrom("report_receipts")
      .select(["node_id", "report_id"])
      .where("at", "<", before)
      .limit(limit);
    const { rows } = await sql`delete from report_receipts
      where (node_id, report_id) in (${old}) returning 1 as gone`.execute(this.#db);
    return rows.length;
  }

  /** @returns how many buckets of that length were dropped, at most `limit` */
  async dropRollups(span: number, before: number, limit: number): Promise<number> {
    const old = this.#db
      .selectFrom("node_rollups")
      .select(["span", "at", "node_id"])
      .where("span", "=", span)
      .where("at", "<", before)
      .limit(limit);
    const { rows } = await sql`delete from node_rollups
      where (span, at, node_id) in (${old}) returning 1 as gone`.execute(this.#db);
    return rows.length;
  }

  async dropFleetRollups(span: number, before: number): Promise<void> {
    await this.#db
      .deleteFrom("fleet_rollups")
      .where("span", "=", span)
      .where("at", "<", before)
      .execute();
  }

  /** The first sample of a bucket stands, whichever instance took it. */
  async addFleetRollup(row: FleetRollupTable): Promise<void> {
    await this.#db
      .insertInto("fleet_rollups")
      .values(row)
      .onConflict((conflict) => conflict.columns(["span", "at"]).doNothing())
      .execute();
  }

  async fleetRollups(span: number, from: number, to: number): Promise<FleetRollupTable[]> {
    return this.#db
      .selectFrom("fleet_rollups")
      .selectAll()
      .where("span", "=", span)
      .where("at", ">=", from)
      .where("at", "<", to)
      .orderBy("at")
      .execute();
  }

  /** Start of the latest bucket of a length, or 0. */
  async latestFleetRollup(span: number): Promise<number> {
    const row = await this.#db
      .selectFrom("fleet_rollups")
      .select((each) => each.fn.max("at").as("at"))
      .where("span", "=", span)
      .executeTakeFirst();
    return row?.at ?? 0;
  }

  /** Keeps the offline mark of silent nodes over a restart, unless a later report was folded. */
  async markSilent(nodeIds: readonly number[], reportedBefore: number): Promise<void> {
    await this.#db
      .updateTable("node_live")
      .set({ silent: 1 })
      .where("node_id", "in", nodeIds)
      .where("reported_at", "<=", reportedBefore)
      .execute();
  }

  async openHistory(nodeId: number): Promise<Uint8Array | null> {
    const row = await this.#db
      .selectFrom("node_live")
      .select("open_history")
      .where("node_id", "=", nodeId)
      .executeTakeFirst();
    return row?.open_history ?? null;
  }
}
