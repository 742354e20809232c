import type { Db } from "../database/database.ts";
import { DAY_MS, type Clock } from "../lib/clock.ts";

/** For so long an address may be left unconfirmed. */
const UNVERIFIED_KEPT_MS = 30 * DAY_MS;
const ACCOUNTS_AT_ONCE = 500;

/**
 * Drops accounts whose addresses nobody has confirmed, unless a link is under way that still can.
 * Whoever comes back registers again.
 */
export async function dropUnverified(db: Db, clock: Clock): Promise<void> {
  const now = clock.now();
  const forgotten = db
    .selectFrom("users as u")
    .select("u.id")
    .where("u.verified", "=", 0)
    .where("u.is_admin", "=", 0)
    .where("u.created_at", "<", now - UNVERIFIED_KEPT_MS)
    .where((e) => {
      const nodes = e.selectFrom("nodes as n").select("n.id").whereRef("n.owner_id", "=", "u.id");
      return e.not(e.exists(nodes));
    })
    .where((e) => {
      const links = e.selectFrom("user_tokens as t").select("t.user_id");
      const open = links.whereRef("t.user_id", "=", "u.id").where("t.expires_at", ">", now);
      return e.not(e.exists(open));
    })
    .limit(ACCOUNTS_AT_ONCE);
  // Said again: somebody may confirm it while the others are looked for.
  await db.deleteFrom("users").where("id", "in", forgotten).where("verified", "=", 0).execute();
}
