import { sql } from "kysely";
import type { Db } from "../database/database.ts";
import type { Dialect } from "../database/dialect.ts";
import type { LoggedChange } from "./change-cursor.ts";

/** Tells the other instances of a change, once the transaction is committed. 0 = all of the owner's. */
export async function logNodeChange(
  transaction: Db,
  { transactions, now }: Dialect,
  ownerId: number,
  nodeId: number,
): Promise<void> {
  if (!transactions) return;
  await transaction
    .insertInto("node_changes")
    .values({ transaction_id: transactions.current, owner_id: ownerId, node_id: nodeId, at: now })
    .execute();
}

/** What the log says, all of one moment. */
export interface ChangePage {
  changes: LoggedChange[];
  /** The lowest transaction that may not have ended. */
  oldestOpen: number;
  /** By the storage's clock. */
  at: number;
}

export async function readNodeChanges(
  db: Db,
  { transactions, now }: Dialect,
  from: number,
): Promise<ChangePage> {
  if (!transactions) return { changes: [], oldestOpen: 0, at: 0 };
  const { rows } = await sql<{
    oldest: number;
    at: number;
    transaction_id: number | null;
    owner_id: number;
    node_id: number;
  }>`select ${transactions.oldestOpen} as oldest, ${now} as at,
        c.transaction_id, c.owner_id, c.node_id
      from (select 1) as one left join node_changes c on c.transaction_id >= ${from}`.execute(db);
  const changes = rows.flatMap((row) =>
    row.transaction_id === null
      ? []
      : [{ transaction: row.transaction_id, ownerId: row.owner_id, nodeId: row.node_id }],
  );
  return { changes, oldestOpen: rows[0]?.oldest ?? from, at: rows[0]?.at ?? 0 };
}

/** Drops what no reader needs any more. */
export async function dropNodeChanges(db: Db, { now }: Dialect, keptMs: number): Promise<void> {
  await db
    .deleteFrom("node_changes")
    .where("at", "<", sql<number>`${now} - ${keptMs}`)
    .execute();
}
