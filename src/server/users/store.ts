import { sql, type Selectable } from "kysely";
import type { Db } from "../database/database.ts";
import type { Dialect } from "../database/dialect.ts";
import type { UserTable } from "../database/schema.ts";
import { contains } from "../database/contains.ts";
import { toEmailKey } from "../lib/email-key.ts";
import type { EmailAddress } from "./email-address.ts";
import type { ListedUser, User, UserFilter } from "./user.ts";

export async function findUser(db: Db, id: number): Promise<User | undefined> {
  const row = await db.selectFrom("users").selectAll().where("id", "=", id).executeTakeFirst();
  return row && toUser(row);
}

export async function findUserByEmail(db: Db, emailKey: string): Promise<User | undefined> {
  const row = await db
    .selectFrom("users")
    .selectAll()
    .where("email_key", "=", emailKey)
    .executeTakeFirst();
  return row && toUser(row);
}

/**
 * Stores a new unverified account, or replaces address and password of one that is unverified.
 * @returns its id; undefined when a verified account has the address
 */
export async function putUnverified(
  db: Db,
  email: EmailAddress,
  passwordHash: string,
  now: number,
): Promise<number | undefined> {
  const row = await db
    .insertInto("users")
    .values({ ...newRow(email, passwordHash, now), is_admin: 0, verified: 0 })
    .onConflict((conflict) =>
      conflict
        .column("email_key")
        .doUpdateSet({
          email: email.text,
          password_hash: passwordHash,
          session_version: sql`users.session_version + 1`,
        })
        .where("users.verified", "=", 0),
    )
    .returning("id")
    .executeTakeFirst();
  return row?.id;
}

/**
 * Stores a verified administrator; an account that has the address already becomes it.
 * @returns its id
 */
export async function putAdministrator(
  db: Db,
  email: EmailAddress,
  passwordHash: string,
  now: number,
): Promise<number> {
  const row = await db
    .insertInto("users")
    .values({ ...newRow(email, passwordHash, now), is_admin: 1, verified: 1 })
    .onConflict((conflict) =>
      conflict.column("email_key").doUpdateSet({
        email: email.text,
        password_hash: passwordHash,
        is_admin: 1,
        verified: 1,
        disabled: 0,
        session_version: sql`users.session_version + 1`,
      }),
    )
    .returning("id")
    .executeTakeFirstOrThrow();
  return row.id;
}

export async function markVerified(db: Db, id: number): Promise<void> {
  await db.updateTable("users").set({ verified: 1 }).where("id", "=", id).execute();
}

/**
 * Sets a new password and ends every session, provided that none of this has happened since
 * `sessionVersion` was read.
 * @returns whether it was so
 */
export async function replacePassword(
  db: Db,
  id: number,
  sessionVersion: number,
  passwordHash: string,
): Promise<boolean> {
  const row = await db
    .updateTable("users")
    .set({ password_hash: passwordHash, session_version: sessionVersion + 1 })
    .where("id", "=", id)
    .where("session_version", "=", sessionVersion)
    .returning("id")
    .executeTakeFirst();
  return row !== undefined;
}

/** Sets a new password and ends every session; whoever could do this has proved the mailbox. */
export async function resetPassword(db: Db, id: number, passwordHash: string): Promise<void> {
  await db
    .updateTable("users")
    .set({
      password_hash: passwordHash,
      verified: 1,
      session_version: sql`session_version + 1`,
    })
    .where("id", "=", id)
    .execute();
}

/** Ends every session of the account. */
export async function endSessions(db: Db, id: number): Promise<void> {
  await db
    .updateTable("users")
    .set({ session_version: sql`session_version + 1` })
    .where("id", "=", id)
    .execute();
}

export async function setRights(
  db: Db,
  id: number,
  rights: { isAdmin: boolean; disabled: boolean },
): Promise<void> {
  await db
    .updateTable("users")
    .set({ is_admin: Number(rights.isAdmin), disabled: Number(rights.disabled) })
    .where("id", "=", id)
    .execute();
}

/** Until the transaction ends, nobody else changes or deletes the account or adds to what it owns. */
export async function lockUser(
  transaction: Db,
  dialect: Dialect,
  id: number,
): Promise<User | undefined> {
  const row = await transaction
    .selectFrom("users")
    .selectAll()
    .where("id", "=", id)
    .$call(dialect.lockRows)
    .executeTakeFirst();
  return row && toUser(row);
}

/**
 * The accounts that can act as administrators now. Until the transaction ends, nobody else changes
 * who they are, but for adding one.
 */
export async function lockActingAdministrators(
  transaction: Db,
  dialect: Dialect,
): Promise<number[]> {
  const rows = await transaction
    .selectFrom("users")
    .select("id")
    .where("is_admin", "=", 1)
    .where("verified", "=", 1)
    .where("disabled", "=", 0)
    .orderBy("id")
    .$call(dialect.lockRows)
    .execute();
  return rows.map((row) => row.id);
}

/** The account's tokens go with it; its nodes must be gone. */
export async function deleteUser(db: Db, id: number): Promise<void> {
  await db.deleteFrom("users").where("id", "=", id).execute();
}

/** In the order of the ids, those after `after`. */
export async function listUsers(
  db: Db,
  page: { after: number; limit: number },
  filter: UserFilter = {},
): Promise<ListedUser[]> {
  const { search } = filter;
  let query = selectListed(db)
    .where("users.id", ">", page.after)
    .orderBy("users.id")
    .limit(page.limit);
  if (search !== undefined) {
    query = query.where((users) => contains(users.ref("users.email_key"), toEmailKey(search)));
  }
  for (const [column, wanted] of [
    ["users.is_admin", filter.isAdmin],
    ["users.verified", filter.verified],
    ["users.disabled", filter.disabled],
  ] as const) {
    if (wanted !== undefined) query = query.where(column, "=", wanted ? 1 : 0);
  }
  return (await query.execute()).map(toListed);
}

export async function findListedUser(db: Db, id: number): Promise<ListedUser | undefined> {
  const row = await selectListed(db).where("users.id", "=", id).executeTakeFirst();
  return row && toListed(row);
}

function selectListed(db: Db) {
  return db
    .selectFrom("users")
    .select(["id", "email", "is_admin", "verified", "disabled", "created_at"])
    .select((columns) =>
      columns
        .selectFrom("nodes")
        .select(({ fn }) => fn.countAll<number>().as("count"))
        .whereRef("nodes.owner_id", "=", "users.id")
        .as("node_count"),
    );
}

type ListedRow = Omit<Selectable<UserTable>, "email_key" | "password_hash" | "session_version"> & {
  node_count: number | null;
};

function toListed(row: ListedRow): ListedUser {
  return {
    id: row.id,
    email: row.email,
    isAdmin: row.is_admin === 1,
    verified: row.verified === 1,
    disabled: row.disabled === 1,
    nodeCount: row.node_count ?? 0,
    createdAt: row.created_at,
  };
}

function newRow(email: EmailAddress, passwordHash: string, now: number) {
  return {
    email: email.text,
    email_key: email.key,
    password_hash: passwordHash,
    disabled: 0,
    session_version: 1,
    created_at: now,
  };
}

function toUser(row: Selectable<UserTable>): User {
  return {
    id: row.id,
    email: row.email,
    emailKey: row.email_key,
    passwordHash: row.password_hash,
    isAdmin: row.is_admin === 1,
    verified: row.verified === 1,
    disabled: row.disabled === 1,
    sessionVersion: row.session_version,
    createdAt: row.created_at,
  };
}
