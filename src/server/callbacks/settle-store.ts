import { sql } from "kysely";
import type { Db } from "../database/database.ts";
import type { Dialect } from "../database/dialect.ts";
import type { NextState } from "./run.ts";

/** A run whose try has ended, as it is to be stored. */
export interface Settlement {
  id: number;
  next: NextState;
  attempts: number;
  /** Null: what an earlier try was answered stays. */
  httpStatus: number | null;
  responseBody: string | null;
  error: string | null;
}

/** Those of the runs that are still the owner's; they stay so until the transaction ends. */
export async function lockOwn(
  transaction: Db,
  dialect: Dialect,
  ids: readonly number[],
  owner: string,
): Promise<Map<number, { attempts: number; cancelRequested: boolean }>> {
  const query = transaction
    .selectFrom("callback_runs")
    .select(["id", "attempt_count", "cancel_requested"])
    .where("id", "in", ids)
    .where("lease_owner", "=", owner)
    .where("status", "=", "running")
    .orderBy("id");
  const rows = await dialect.lockRows(query).execute();
  return new Map(
    rows.map((row) => [
      row.id,
      { attempts: row.attempt_count, cancelRequested: row.cancel_requested === 1 },
    ]),
  );
}

/** One statement for all of them. */
export async function settleRuns(
  db: Db,
  settlements: readonly Settlement[],
  now: number,
): Promise<void> {
  const rows = settlements.map(({ id, next, attempts, httpStatus, responseBody, error }) => {
    const dueAt = "dueAt" in next ? next.dueAt : null;
    const finishedAt = dueAt === null ? now : null;
    return sql`(cast(${id} as bigint), cast(${next.status} as text), cast(${attempts} as bigint),
      cast(${httpStatus} as bigint), cast(${responseBody} as text), cast(${error} as text),
      cast(${dueAt} as bigint), cast(${finishedAt} as bigint))`;
  });
  await sql`
    with ended (id, status, attempts, http_status, response_body, error, due_at, finished_at) as
      (values ${sql.join(rows)})
    update callback_runs set
      status = ended.status, attempt_count = ended.attempts, http_status = ended.http_status,
      response_body = ended.response_body, error = ended.error, due_at = ended.due_at,
      finished_at = ended.finished_at, lease_owner = null
    from ended where callback_runs.id = ended.id`.execute(db);
}

/** What waits of these tasks since before the run ends: its mapping has been delivered. */
export async function endOlder(
  db: Db,
  delivered: { taskId: number; runId: number },
  end: { error: string; at: number },
): Promise<void> {
  await db
    .updateTable("callback_runs")
    .set({ status: "superseded", error: end.error, finished_at: end.at, due_at: null })
    .where("task_id", "=", delivered.taskId)
    .where("id", "<", delivered.runId)
    .where("due_at", "is not", null)
    .where("status", "in", ["queued", "retrying"])
    .execute();
}
