import { sql, type Insertable } from "kysely";
import type { Database, Db } from "../database/database.ts";
import type { NodeCheckTable } from "../database/schema.ts";
import type { CheckRecord } from "./records.ts";

/** What background checks leave in the tables. */
export class CheckStore {
  readonly #database: Database;

  constructor(database: Database) {
    this.#database = database;
  }

  /**
   * Adds records to what is stored; the same ones again change nothing. They hold every checkable
   * connection of their nodes: what is stored of others goes. Nodes that are gone are passed over.
   */
  async add(records: readonly CheckRecord[]): Promise<void> {
    const { db, dialect } = this.#database;
    await db.transaction().execute(async (tx) => {
      const live = tx
        .selectFrom("node_live")
        .select("node_id")
        .where("node_id", "in", [...new Set(records.map((each) => each.nodeId))])
        .orderBy("node_id");
      const rows = await dialect.lockRows(live).execute();
      const nodes = new Set(rows.map((row) => row.node_id));
      const kept = records.filter((each) => nodes.has(each.nodeId));
      if (kept.length === 0) return;
      await upsert(tx, kept);
      await tx
        .deleteFrom("node_checks")
        .where("node_id", "in", [...nodes])
        .where(
          sql<string>`node_id || ' ' || connection`,
          "not in",
          kept.map((each) => `${each.nodeId} ${each.connection}`),
        )
        .execute();
    });
  }

  /** The hours of a node's connections from `since` on, in order. */
  read(nodeId: number, since: number): Promise<NodeCheckTable[]> {
    return this.#database.db
      .selectFrom("node_checks")
      .selectAll()
      .where("node_id", "=", nodeId)
      .where("at", ">=", since)
      .orderBy("at")
      .execute();
  }

  /** @returns how many hours were dropped, at most `limit` */
  async drop(before: number, limit: number): Promise<number> {
    const { db } = this.#database;
    const old = db
      .selectFrom("node_checks")
      .select(["node_id", "connection", "at"])
      .where("at", "<", before)
      .limit(limit);
    const { rows } = await sql`delete from node_checks
      where (node_id, connection, at) in (${old}) returning 1 as gone`.execute(db);
    return rows.length;
  }
}

async function upsert(tx: Db, records: readonly CheckRecord[]): Promise<void> {
  await tx
    .insertInto("node_checks")
    .values(records.map(toRow))
    .onConflict((conflict) =>
      conflict
        .columns(["node_id", "connection", "at"])
        .doUpdateSet((e) => ({
          checks: e("node_checks.checks", "+", e.ref("excluded.checks")),
          reachable: e("node_checks.reachable", "+", e.ref("excluded.reachable")),
          overlay: e("node_checks.overlay", "+", e.ref("excluded.overlay")),
          latency_sum: e("node_checks.latency_sum", "+", e.ref("excluded.latency_sum")),
          checked_at: e.ref("excluded.checked_at"),
          is_online: e.ref("excluded.is_online"),
          latency_ms: e.ref("excluded.latency_ms"),
          handshake: e.ref("excluded.handshake"),
          error: e.ref("excluded.error"),
        }))
        .whereRef("node_checks.checked_at", "<>", "excluded.checked_at"),
    )
    .execute();
}

function toRow(record: CheckRecord): Insertable<NodeCheckTable> {
  const { finding } = record;
  return {
    node_id: record.nodeId,
    connection: record.connection,
    at: record.at,
    checks: record.checks,
    reachable: record.reachable,
    overlay: record.overlay,
    latency_sum: record.latencySum,
    checked_at: record.checkedAt,
    is_online: finding.isOnline === null ? null : Number(finding.isOnline),
    latency_ms: finding.isOnline ? finding.latencyMs : -1,
    handshake: finding.isOnline ? finding.handshake : null,
    error: finding.isOnline ? null : finding.error,
  };
}
