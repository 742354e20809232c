import { sql } from "kysely";
import type { Db } from "../database/database.ts";
import type { Dialect } from "../database/dialect.ts";
import { toPublication, type PublicationRecord, type PublicationSettings } from "./publication.ts";

/** With the names of their accounts. */
export type ShownPublication = PublicationRecord & { accountName: string };

/** By id. */
export async function readPublications(db: Db, id?: number): Promise<ShownPublication[]> {
  let query = db
    .selectFrom("node_publications as p")
    .innerJoin("domain_accounts as a", "a.id", "p.account_id")
    .selectAll("p")
    .select("a.name as account_name")
    .orderBy("p.id");
  if (id !== undefined) query = query.where("p.id", "=", id);
  const rows = await query.execute();
  return rows.map(({ account_name: accountName, ...row }) =>
    Object.assign(toPublication(row), { accountName }),
  );
}

/** What each instance looks at again and again. */
export async function readAll(db: Db): Promise<PublicationRecord[]> {
  const rows = await db.selectFrom("node_publications").selectAll().orderBy("id").execute();
  return rows.map(toPublication);
}

/** Reads a publication and keeps others from changing it until the transaction ends. */
export async function lockPublication(
  transaction: Db,
  dialect: Dialect,
  id: number,
): Promise<PublicationRecord | undefined> {
  const query = transaction.selectFrom("node_publications").selectAll().where("id", "=", id);
  const row = await dialect.lockRows(query).executeTakeFirst();
  return row && toPublication(row);
}

function toRow(settings: PublicationSettings) {
  return {
    account_id: settings.accountId,
    name: settings.name,
    type: settings.type,
    wish: JSON.stringify(settings.wish),
    interval_seconds: settings.intervalSeconds,
    ttl_seconds: settings.ttlSeconds,
    enabled: settings.enabled ? 1 : 0,
  };
}

/** @returns the id */
export async function insertPublication(
  db: Db,
  settings: PublicationSettings,
  now: number,
): Promise<number> {
  const { id } = await db
    .insertInto("node_publications")
    .values({
      ...toRow(settings),
      removed: 0,
      revision: 1,
      nodes: "[]",
      failures: 0,
      due_at: now,
      created_at: now,
      updated_at: now,
    })
    .returning("id")
    .executeTakeFirstOrThrow();
  return id;
}

/** It is due then. */
export async function updatePublication(
  db: Db,
  id: number,
  change: PublicationSettings & { removed: boolean },
  now: number,
): Promise<void> {
  await db
    .updateTable("node_publications")
    .set({
      ...toRow(change),
      removed: change.removed ? 1 : 0,
      revision: sql`revision + 1`,
      failures: 0,
      error: null,
      due_at: now,
      updated_at: now,
    })
    .where("id", "=", id)
    .execute();
}

export async function deletePublication(db: Db, id: number): Promise<void> {
  await db.deleteFrom("node_publications").where("id", "=", id).execute();
}

/** What may not go away while these stand: `TXT peers.example.com`. */
export async function readUsersOfAccount(db: Db, accountId: number): Promise<string[]> {
  const rows = await db
    .selectFrom("node_publications as p")
    .leftJoin("node_publication_sets as s", "s.publication_id", "p.id")
    .select(["p.type", "p.name"])
    .distinct()
    .where((e) => e.or([e("p.account_id", "=", accountId), e("s.account_id", "=", accountId)]))
    .orderBy("p.name")
    .execute();
  return rows.map(({ type, name }) => `${type} ${name}`);
}
