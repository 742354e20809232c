import type { Db } from "../database/database.ts";
import type { Dialect } from "../database/dialect.ts";
import { toAccount, type AccountRecord } from "./account.ts";

/** In the order of the ids. */
export async function readAccounts(db: Db): Promise<AccountRecord[]> {
  const rows = await db.selectFrom("callback_accounts").selectAll().orderBy("id").execute();
  return rows.map(toAccount);
}

export async function findAccount(db: Db, id: number): Promise<AccountRecord | undefined> {
  const row = await db
    .selectFrom("callback_accounts")
    .selectAll()
    .where("id", "=", id)
    .executeTakeFirst();
  return row && toAccount(row);
}

export async function readAccountsOf(
  db: Db,
  ids: readonly number[],
): Promise<Map<number, AccountRecord>> {
  if (ids.length === 0) return new Map();
  const rows = await db
    .selectFrom("callback_accounts")
    .selectAll()
    .where("id", "in", ids)
    .execute();
  return new Map(rows.map((row) => [row.id, toAccount(row)]));
}

/** The names of accounts that keep records of a domain account in step. */
export async function readDomainUsers(db: Db, domainAccountId: number): Promise<string[]> {
  const rows = await db
    .selectFrom("callback_accounts")
    .selectAll()
    .where("type", "=", "domain_account")
    .orderBy("id")
    .execute();
  const users = rows
    .map(toAccount)
    .filter(({ config }) => config.domain_account_id === domainAccountId);
  return users.map(({ name }) => name);
}

/** Reads an account and keeps others from changing it until the transaction ends. */
export async function lockAccount(
  transaction: Db,
  dialect: Dialect,
  id: number,
): Promise<AccountRecord | undefined> {
  const query = transaction.selectFrom("callback_accounts").selectAll().where("id", "=", id);
  const row = await dialect.lockRows(query).executeTakeFirst();
  return row && toAccount(row);
}

/** Stores an account without its config, which is sealed for its id. @returns the id */
export async function insertAccount(
  db: Db,
  account: Pick<AccountRecord, "name" | "type">,
  now: number,
): Promise<number> {
  const { id } = await db
    .insertInto("callback_accounts")
    .values({ ...account, config: "{}", created_at: now, updated_at: now })
    .returning("id")
    .executeTakeFirstOrThrow();
  return id;
}

export async function updateAccount(
  db: Db,
  id: number,
  account: Pick<AccountRecord, "name" | "type" | "config" | "updatedAt">,
): Promise<void> {
  const { name, type, config, updatedAt } = account;
  await db
    .updateTable("callback_accounts")
    .set({ name, type, config: JSON.stringify(config), updated_at: updatedAt })
    .where("id", "=", id)
    .execute();
}

export async function deleteAccount(db: Db, id: number): Promise<void> {
  await db.deleteFrom("callback_accounts").where("id", "=", id).execute();
}
