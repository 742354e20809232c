import type { Db } from "../database/database.ts";

interface OldRuns {
  finishedBefore?: number;
  /** The last id. */
  upTo?: number;
  limit: number;
}

/** The ids of finished runs, oldest first. Runs end in about the order in which they began. */
export async function findOldRuns(
  db: Db,
  { finishedBefore, upTo, limit }: OldRuns,
): Promise<number[]> {
  let query = db
    .selectFrom("callback_runs")
    .select(["id", "finished_at"])
    .where("due_at", "is", null)
    .orderBy("id")
    .limit(limit);
  if (upTo !== undefined) query = query.where("id", "<=", upTo);
  const rows = await query.execute();
  return rows
    .filter((row) => finishedBefore === undefined || (row.finished_at ?? 0) < finishedBefore)
    .map((row) => row.id);
}

/** The newest finished run that has `count` finished ones after it; undefined when there are less. */
export async function findRunBehind(db: Db, count: number): Promise<number | undefined> {
  const row = await db
    .selectFrom("callback_runs")
    .select("id")
    .where("due_at", "is", null)
    .orderBy("id", "desc")
    .offset(count)
    .limit(1)
    .executeTakeFirst();
  return row?.id;
}

export async function dropRuns(db: Db, ids: readonly number[]): Promise<void> {
  await db.deleteFrom("callback_runs").where("id", "in", ids).execute();
}
