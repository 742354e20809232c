import { sql } from "kysely";
import type { Attempt, RunStatus } from "../../shared/api/callbacks.ts";
import type { Db } from "../database/database.ts";
import type { Dialect } from "../database/dialect.ts";
import { toIso } from "../lib/clock.ts";
import { toRun, type RunRecord } from "./run-record.ts";
import { isFinished, type FinishedStatus } from "./run.ts";
import type { AttemptRow } from "./attempt-record.ts";

export interface RunFilter {
  taskId?: number | undefined;
  ruleId?: number | undefined;
  status?: RunStatus | undefined;
}

/** Newest first, those before the id `before`. */
export async function listRuns(
  db: Db,
  filter: RunFilter,
  page: { limit: number; before?: number | undefined },
): Promise<RunRecord[]> {
  const { taskId, ruleId, status } = filter;
  const isOpen = status !== undefined && !isFinished(status);
  // The sum keeps the databases from walking through the whole history for the few that are open.
  const id = isOpen ? sql<number>`id + 0` : sql.ref<number>("id");
  let query = db.selectFrom("callback_runs").selectAll().orderBy(id, "desc").limit(page.limit);
  if (taskId !== undefined) query = query.where("task_id", "=", taskId);
  if (ruleId !== undefined) query = query.where("rule_id", "=", ruleId);
  if (page.before !== undefined) query = query.where(id, "<", page.before);
  if (status !== undefined) {
    query = query.where("status", "=", status).where("due_at", isOpen ? "is not" : "is", null);
  }
  return (await query.execute()).map(toRun);
}

export async function findRun(db: Db, id: number): Promise<RunRecord | undefined> {
  const row = await db
    .selectFrom("callback_runs")
    .selectAll()
    .where("id", "=", id)
    .executeTakeFirst();
  return row && toRun(row);
}

/** Those of the ids that there are, oldest first. */
export async function findRuns(db: Db, ids: readonly number[]): Promise<RunRecord[]> {
  const query = db.selectFrom("callback_runs").selectAll().where("id", "in", ids).orderBy("id");
  return (await query.execute()).map(toRun);
}

export type RunStanding = Pick<RunRecord, "id" | "status" | "attempts">;

/** Of the runs that are not finished, and of all that are newer than `id`. */
export async function readStandings(db: Db, id: number): Promise<RunStanding[]> {
  const columns = ["id", "status", "attempt_count"] as const;
  const rows = await db
    .selectFrom("callback_runs")
    .select(columns)
    .where("due_at", "is not", null)
    .union(db.selectFrom("callback_runs").select(columns).where("id", ">", id))
    .execute();
  return rows.map((row) => ({
    id: row.id,
    status: row.status as RunStatus,
    attempts: row.attempt_count,
  }));
}

export async function readNewestId(db: Db): Promise<number> {
  const row = await db
    .selectFrom("callback_runs")
    .select((e) => e.fn.max("id").as("newest"))
    .executeTakeFirst();
  return row?.newest ?? 0;
}

/** Reads a run and keeps others from changing it until the transaction ends. */
export async function lockRun(
  transaction: Db,
  dialect: Dialect,
  id: number,
): Promise<RunRecord | undefined> {
  const query = transaction.selectFrom("callback_runs").selectAll().where("id", "=", id);
  const row = await dialect.lockRows(query).executeTakeFirst();
  return row && toRun(row);
}

/** In their order. */
export async function readAttempts(db: Db, runId: number): Promise<Attempt[]> {
  const rows = await db
    .selectFrom("callback_attempts")
    .selectAll()
    .where("run_id", "=", runId)
    .orderBy("number")
    .execute();
  return rows.map((row) => ({
    number: row.number,
    stages: JSON.parse(row.stages) as Attempt["stages"],
    error_class: row.error_class,
    error: row.error,
    started_at: toIso(row.started_at),
    duration_ms: row.duration_ms,
  }));
}

export type NewRun = Pick<
  RunRecord,
  "task" | "account" | "rule" | "trigger" | "event" | "mapping" | "previous" | "createdAt"
>;

/** Stores a run that is due at once. */
export async function insertRun(db: Db, run: NewRun): Promise<RunRecord> {
  const row = await db
    .insertInto("callback_runs")
    .values({
      task_id: run.task.id,
      task_name: run.task.name,
      account_id: run.account.id,
      account_name: run.account.name,
      account_type: run.account.type,
      rule_id: run.rule.id,
      rule_name: run.rule.name,
      transport: run.rule.transport,
      trigger: run.trigger,
      event: run.event,
      public_ip: run.mapping.publicIp,
      public_port: run.mapping.publicPort,
      previous_ip: run.previous?.publicIp ?? null,
      previous_port: run.previous?.publicPort ?? null,
      status: "queued",
      attempt_count: 0,
      http_status: null,
      response_body: null,
      error: null,
      created_at: run.createdAt,
      started_at: null,
      finished_at: null,
      due_at: run.createdAt,
      lease_owner: null,
      cancel_requested: 0,
    })
    .returningAll()
    .executeTakeFirstOrThrow();
  return toRun(row);
}

/** Ends a run that waits. */
export async function endWaiting(
  db: Db,
  id: number,
  end: { status: FinishedStatus; error: string; at: number },
): Promise<void> {
  await db
    .updateTable("callback_runs")
    .set({ status: end.status, error: end.error, finished_at: end.at, due_at: null })
    .where("id", "=", id)
    .execute();
}

/** Ends what waits of a task because of a change; what a person asked for goes on. */
export async function supersedeWaiting(
  db: Db,
  taskId: number,
  why: { error: string; at: number },
): Promise<void> {
  await db
    .updateTable("callback_runs")
    .set({ status: "superseded", error: why.error, finished_at: why.at, due_at: null })
    .where("task_id", "=", taskId)
    .where("due_at", "is not", null)
    .where("status", "in", ["queued", "retrying"])
    .where("trigger", "<>", "manual")
    .execute();
}

export async function requestCancel(db: Db, id: number): Promise<void> {
  await db.updateTable("callback_runs").set({ cancel_requested: 1 }).where("id", "=", id).execute();
}

/** Ends what waits of a task, and asks what runs to end. */
export async function cancelRunsOf(
  db: Db,
  taskId: number,
  why: { error: string; at: number },
): Promise<void> {
  await db
    .updateTable("callback_runs")
    .set({ status: "cancelled", error: why.error, finished_at: why.at, due_at: null })
    .where("task_id", "=", taskId)
    .where("due_at", "is not", null)
    .where("status", "in", ["queued", "retrying"])
    .execute();
  await db
    .updateTable("callback_runs")
    .set({ cancel_requested: 1 })
    .where("task_id", "=", taskId)
    .where("due_at", "is not", null)
    .where("status", "=", "running")
    .execute();
}

/** What waits of a task goes to another account from now on. */
export async function redirectRunsOf(
  db: Db,
  taskId: number,
  account: RunRecord["account"],
): Promise<void> {
  await db
    .updateTable("callback_runs")
    .set({ account_id: account.id, account_name: account.name, account_type: account.type })
    .where("task_id", "=", taskId)
    .where("due_at", "is not", null)
    .where("status", "in", ["queued", "retrying"])
    .execute();
}

const attemptColumns = {
  run_id: "integer",
  number: "integer",
  stages: "text",
  error_class: "text",
  error: "text",
  started_at: "integer",
  duration_ms: "integer",
} as const;

/** What is known of the same attempt already is replaced: whoever made it knows best. */
export async function insertAttempts(
  db: Db,
  dialect: Dialect,
  attempts: readonly AttemptRow[],
): Promise<void> {
  if (attempts.length === 0) return;
  // The condition tells SQLite where the conflict begins.
  await sql`
    insert into callback_attempts
      (run_id, number, stages, error_class, error, started_at, duration_ms)
    select run_id, number, stages, error_class, error, started_at, duration_ms
    from ${dialect.tableOf(attemptColumns, attempts)} as made where true
    on conflict (run_id, number) do update set
      stages = excluded.stages, error_class = excluded.error_class, error = excluded.error,
      started_at = excluded.started_at, duration_ms = excluded.duration_ms`.execute(db);
}

/** How many runs are not finished, and since when the oldest one waits. */
export async function readQueue(db: Db): Promise<{ length: number; oldest: number | null }> {
  const row = await db
    .selectFrom("callback_runs")
    .select([sql<number>`count(*)`.as("length"), sql<number | null>`min(created_at)`.as("oldest")])
    .where("due_at", "is not", null)
    .executeTakeFirstOrThrow();
  return { length: row.length, oldest: row.oldest };
}
