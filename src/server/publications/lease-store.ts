import { sql } from "kysely";
import type { Db } from "../database/database.ts";
import { toPublication, type Member, type PublicationRecord } from "./publication.ts";

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
