import type { RecordType } from "../../shared/api/domains.ts";
import type { Db } from "../database/database.ts";
import type { Dialect } from "../database/dialect.ts";
import { toAccount, type AccountRecord } from "./account.ts";

/** In the order of the ids. */
export async function readAccounts(db: Db): Promise<AccountRecord[]> {
  const rows = await db.selectFrom("domain_accounts").selectAll().orderBy("id").execute();
  return rows.map(toAccount);
}

export async function findAccount(db: Db, id: number): Promise<AccountRecord | undefined> {
  const query = db.selectFrom("domain_accounts").selectAll().where("id", "=", id);
  const row = await query.executeTakeFirst();
  return row && toAccount(row);
}

/** Reads an account and keeps others from changing it until the transaction ends. */
export async function lockAccount(
  transaction: Db,
  dialect: Dialect,
  id: number,
): Promise<AccountRecord | undefined> {
  const query = transaction.selectFrom("domain_accounts").selectAll().where("id", "=", id);
  const row = await dialect.lockRows(query).executeTakeFirst();
  return row && toAccount(row);
}

/** Stores an account without its config, which is sealed for its id. @returns the id */
export async function insertAccount(
  db: Db,
  account: Pick<AccountRecord, "name" | "provider">,
  now: number,
): Promise<number> {
  const { id } = await db
    .insertInto("domain_accounts")
    .values({ ...account, config: "{}", created_at: now, updated_at: now })
    .returning("id")
    .executeTakeFirstOrThrow();
  return id;
}

export async function updateAccount(
  db: Db,
  id: number,
  account: Pick<AccountRecord, "name" | "provider" | "config" | "updatedAt">,
): Promise<void> {
  const { name, provider, config, updatedAt } = account;
  await db
    .updateTable("domain_accounts")
    .set({ name, provider, config: JSON.stringify(config), updated_at: updatedAt })
    .where("id", "=", id)
    .execute();
}

export async function deleteAccount(db: Db, id: number): Promise<void> {
  await db.deleteFrom("domain_accounts").where("id", "=", id).execute();
}

/** Whose value of which record. */
export interface PublishedKey {
  accountId: number;
  publisher: string;
  name: string;
  type: RecordType;
}

export async function findPublished(db: Db, key: PublishedKey): Promise<string | undefined> {
  const row = await db
    .selectFrom("domain_published")
    .select("value")
    .where("account_id", "=", key.accountId)
    .where("publisher", "=", key.publisher)
    .where("name", "=", key.name)
    .where("type", "=", key.type)
    .executeTakeFirst();
  return row?.value;
}

export async function putPublished(
  db: Db,
  key: PublishedKey,
  value: string,
  now: number,
): Promise<void> {
  const { accountId: account_id, publisher, name, type } = key;
  await db
    .insertInto("domain_published")
    .values({ account_id, publisher, name, type, value, at: now })
    .onConflict((conflict) =>
      conflict.columns(["account_id", "publisher", "name", "type"]).doUpdateSet({ value, at: now }),
    )
    .execute();
}

export async function forgetPublished(db: Db, accountId: number): Promise<void> {
  await db.deleteFrom("domain_published").where("account_id", "=", accountId).execute();
}
