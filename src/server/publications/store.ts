import { sql } from "kysely";
import type { RecordType } from "../../shared/api/domains.ts";
import type { Db } from "../database/database.ts";
import type { Dialect } from "../database/dialect.ts";
import {
  toPublication,
  type Member,
  type PublicationRecord,
  type PublicationSettings,
} from "./publication.ts";

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

/** A record set in which values of a publication stand, or may stand. */
export interface HeldSet {
  publicationId: number;
  accountId: number;
  name: string;
  type: RecordType;
  values: string[];
}

/** In an order of their own that stays. */
export async function readSets(db: Db, publicationId?: number): Promise<HeldSet[]> {
  let query = db
    .selectFrom("node_publication_sets")
    .selectAll()
    .orderBy("publication_id")
    .orderBy("type")
    .orderBy("name");
  if (publicationId !== undefined) query = query.where("publication_id", "=", publicationId);
  return (await query.execute()).map((row) => ({
    publicationId: row.publication_id,
    accountId: row.account_id,
    name: row.name,
    type: row.type as RecordType,
    values: JSON.parse(row.record_values) as string[],
  }));
}

/** Writes down what stands, or may stand, in one set; nothing at all forgets it. */
export async function putSet(db: Db, set: HeldSet): Promise<void> {
  const { publicationId: publication_id, accountId: account_id, name, type, values } = set;
  if (values.length === 0) {
    await db
      .deleteFrom("node_publication_sets")
      .where("publication_id", "=", publication_id)
      .where("account_id", "=", account_id)
      .where("name", "=", name)
      .where("type", "=", type)
      .execute();
    return;
  }
  const record_values = JSON.stringify(values);
  await db
    .insertInto("node_publication_sets")
    .values({ publication_id, account_id, name, type, record_values })
    .onConflict((conflict) =>
      conflict
        .columns(["publication_id", "account_id", "name", "type"])
        .doUpdateSet({ record_values }),
    )
    .execute();
}

/** Whose it is from now on, and for how long. */
export interface Lease {
  owner: string;
  now: number;
  until: number;
}

/** Undefined when somebody else is at it, or it is gone. */
export async function lease(
  db: Db,
  id: number,
  { owner, now, until }: Lease,
): Promise<PublicationRecord | undefined> {
  const row = await db
    .updateTable("node_publications")
    .set({ lease_owner: owner, lease_until: until, attempted_at: now })
    .where("id", "=", id)
    .where((e) => e.or([e("lease_until", "is", null), e("lease_until", "<=", now)]))
    .returningAll()
    .executeTakeFirst();
  return row && toPublication(row);
}

/** How a try ended. */
export interface Settled {
  dueAt: number;
  failures: number;
  error: string | null;
  /** Undefined: as they were. */
  success?: { at: number; nodes: readonly Member[]; note: string | null; isChanged: boolean };
}

/**
 * Stores the end of a try, unless the lease has gone to somebody else; when the settings changed
 * meanwhile, it stays due.
 */
export async function settle(
  db: Db,
  { id, revision }: Pick<PublicationRecord, "id" | "revision">,
  owner: string,
  { dueAt, failures, error, success }: Settled,
): Promise<void> {
  const isSame = sql<boolean>`revision = ${revision}`;
  await db
    .updateTable("node_publications")
    .set({
      due_at: sql`case when ${isSame} then cast(${dueAt} as bigint) else due_at end`,
      failures: sql`case when ${isSame} then cast(${failures} as bigint) else failures end`,
      error: sql`case when ${isSame} then cast(${error} as text) else error end`,
      lease_owner: null,
      lease_until: null,
      ...(success && {
        nodes: JSON.stringify(success.nodes),
        note: success.note,
        succeeded_at: success.at,
        ...(success.isChanged && { changed_at: success.at }),
      }),
    })
    .where("id", "=", id)
    .where("lease_owner", "=", owner)
    .execute();
}

/** Gives a publication back that was not tried to the end. */
export async function giveBack(db: Db, id: number, owner: string, now: number): Promise<void> {
  await db
    .updateTable("node_publications")
    .set({ lease_owner: null, lease_until: null, due_at: now })
    .where("id", "=", id)
    .where("lease_owner", "=", owner)
    .execute();
}

/** Ends the leases whose owner begins with `prefix`. */
export async function endLeases(db: Db, prefix: string, now: number): Promise<void> {
  await db
    .updateTable("node_publications")
    .set({ lease_owner: null, lease_until: null, due_at: now })
    .where("lease_owner", "is not", null)
    .where(sql<string>`substr(lease_owner, 1, cast(${prefix.length} as integer))`, "=", prefix)
    .execute();
}
