import type { Db } from "../../src/server/database/database.ts";

/** Stores a verified account that nobody can log in to; returns its id. */
export async function insertOwner(db: Db, email: string, now: number): Promise<number> {
  const { id } = await db
    .insertInto("users")
    .values({
      email,
      email_key: email,
      password_hash: "-",
      is_admin: 0,
      verified: 1,
      disabled: 0,
      session_version: 1,
      created_at: now,
    })
    .returning("id")
    .executeTakeFirstOrThrow();
  return id;
}
