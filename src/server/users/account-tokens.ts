import type { Db } from "../database/database.ts";
import type { UserTokenTable } from "../database/schema.ts";
import { HOUR_MS, MINUTE_MS } from "../lib/clock.ts";
import { hashToken, newToken } from "../lib/tokens.ts";

/** What a token of an account is good for; it is good for nothing else. */
export type TokenPurpose = UserTokenTable["purpose"];

const rules = {
  verify: { prefix: "wpverify", lifetimeMs: 48 * HOUR_MS },
  reset: { prefix: "wpreset", lifetimeMs: 60 * MINUTE_MS },
} as const satisfies Record<TokenPurpose, { prefix: string; lifetimeMs: number }>;

export interface NewToken {
  token: string;
  expiresAt: number;
}

/**
 * Makes a token; only its hash is stored. Expired ones of the account are cleared away. The
 * transaction must have locked the account.
 */
export async function addAccountToken(
  transaction: Db,
  userId: number,
  purpose: TokenPurpose,
  now: number,
): Promise<NewToken> {
  const { prefix, lifetimeMs } = rules[purpose];
  const token = newToken(prefix);
  const expiresAt = now + lifetimeMs;
  await transaction
    .deleteFrom("user_tokens")
    .where("user_id", "=", userId)
    .where("expires_at", "<=", now)
    .execute();
  await transaction
    .insertInto("user_tokens")
    .values({ token_hash: toStored(token), user_id: userId, purpose, expires_at: expiresAt })
    .execute();
  return { token, expiresAt };
}

/** Whose token it is, as long as it holds. */
export async function findTokenOwner(
  db: Db,
  token: string,
  purpose: TokenPurpose,
  now: number,
): Promise<number | undefined> {
  const row = await db
    .selectFrom("user_tokens")
    .select("user_id")
    .where("token_hash", "=", toStored(token))
    .where("purpose", "=", purpose)
    .where("expires_at", ">", now)
    .executeTakeFirst();
  return row?.user_id;
}

/** Uses the token up. @returns whether it held; of two who try at once, it does for one */
export async function takeAccountToken(
  db: Db,
  token: string,
  purpose: TokenPurpose,
  now: number,
): Promise<boolean> {
  const row = await db
    .deleteFrom("user_tokens")
    .where("token_hash", "=", toStored(token))
    .where("purpose", "=", purpose)
    .where("expires_at", ">", now)
    .returning("user_id")
    .executeTakeFirst();
  return row !== undefined;
}

/** Ends the tokens of an account, all of them or those of one purpose. */
export async function dropAccountTokens(
  db: Db,
  userId: number,
  purpose?: TokenPurpose,
): Promise<void> {
  let query = db.deleteFrom("user_tokens").where("user_id", "=", userId);
  if (purpose) query = query.where("purpose", "=", purpose);
  await query.execute();
}

function toStored(token: string): string {
  return hashToken(token).toString("hex");
}
