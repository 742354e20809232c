import { sql } from "kysely";
import type { Db } from "../database/database.ts";
import type { Dialect } from "../database/dialect.ts";
import type { NextState } from "./run.ts";

/** A run whose try has ended, as it is to be stored. */
export interface Settlement {
  id: number;
  /** The try that has ended. */
  attempt: number;
  next: NextState;
  /** Tries that count. */
  attempts: number;
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
  if (ids.length === 0) return new Map();
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

const columns = {
  id: "integer",
  attempt: "integer",
  status: "text",
  attempts: "integer",
  http_status: "integer",
  response_body: "text",
  error: "text",
  due_at: "integer",
  finished_at: "integer",
} as const;

/**
 * Stores how runs go on, in one statement.
 * @returns those that were still the owner's; the others stay as they are
 */
export async function settleRuns(
  db: Db,
  dialect: Dialect,
  owner: string,
  settlements: readonly Settlement[],
  now: number,
): Promise<Set<number>> {
  if (settlements.length === 0) return new Set();
  const rows = settlements.map((each) => {
    const dueAt = "dueAt" in each.next ? each.next.dueAt : null;
    return {
      id: each.id,
      attempt: each.attempt,
      status: each.next.status,
      attempts: each.attempts,
      http_status: each.httpStatus,
      response_body: each.responseBody,
      error: each.error,
      due_at: dueAt,
      finished_at: dueAt === null ? now : null,
    };
  });
  const settled = await sql<{ id: number }>`
    update callback_runs set
      status = ended.status, attempt_count = ended.attempts, http_status = ended.http_status,
      response_body = ended.response_body, error = ended.error, due_at = ended.due_at,
      finished_at = ended.finished_at, lease_owner = null
    from ${dialect.tableOf(columns, rows)} as ended
    where callback_runs.id = ended.id and callback_runs.attempt_count = ended.attempt
      and callback_runs.lease_owner = ${owner}
    returning callback_runs.id`.execute(db);
  return new Set(settled.rows.map((row) => row.id));
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
