import type { Db } from "../database/database.ts";

const INITIALIZED_AT = "initialized_at";

export async function isInitialized(db: Db): Promise<boolean> {
  const row = await db
    .selectFrom("settings")
    .select("key")
    .where("key", "=", INITIALIZED_AT)
    .executeTakeFirst();
  return row !== undefined;
}

/**
 * Notes that the system is set up.
 * @returns false when it was already; of two transactions that try at once, the second waits to see
 */
export async function markInitialized(transaction: Db, now: number): Promise<boolean> {
  const row = await transaction
    .insertInto("settings")
    .values({ key: INITIALIZED_AT, value: String(now) })
    .onConflict((conflict) => conflict.column("key").doNothing())
    .returning("key")
    .executeTakeFirst();
  return row !== undefined;
}
