import { sql } from "kysely";
import type { Db } from "../database/database.ts";
import type { Dialect } from "../database/dialect.ts";
import type { RunRecord } from "./run-record.ts";
import type { FinishedStatus } from "./run.ts";

/** A run that has ended, as it concerns whoever is told of failures. */
export interface RunEnd {
  run: Pick<RunRecord, "id" | "task" | "trigger">;
  status: FinishedStatus;
  error: string | null;
}

/** A notice that is to be sent. */
export interface Alert {
  taskId: number;
  taskName: string;
  state: "failing" | "recovered";
  runId: number;
  error: string | null;
  at: number;
}

/** Values of `told`. A notice that is being sent may or may not have arrived. */
const UNTOLD = 0;
const TOLD = 1;
const BEING_TOLD = 2;

/** What fails together is told together. */
const GATHERED_FOR_MS = 10_000;

/**
 * Notes which tasks have begun to fail and which have recovered, in the transaction that ends their
 * runs. A failure that a person asked for is none; one that is over before anybody was told is
 * forgotten.
 */
export async function noteEnds(tx: Db, ends: readonly RunEnd[], now: number): Promise<void> {
  const isFailure = ({ run, status }: RunEnd) => status === "failed" && run.trigger !== "manual";
  const failures = ends.filter(isFailure);
  const wentWell = ends.filter(({ status }) => status === "succeeded" || status === "skipped");
  if (failures.length > 0) await noteFailures(tx, failures, now);
  if (wentWell.length > 0) await noteRecoveries(tx, wentWell, now);
}

async function noteFailures(tx: Db, failures: readonly RunEnd[], now: number): Promise<void> {
  await tx
    .insertInto("callback_alerts")
    .values(
      failures.map(({ run, error }) => ({
        task_id: run.task.id,
        state: "failing" as const,
        told: UNTOLD,
        run_id: run.id,
        error,
        at: now,
        due_at: now + GATHERED_FOR_MS,
      })),
    )
    .onConflict((conflict) =>
      conflict.column("task_id").doUpdateSet((e) => ({
        // Who has not heard of the recovery still believes it to be failing.
        told: sql<number>`case callback_alerts.state when 'recovered' then ${sql.lit(TOLD)} else callback_alerts.told end`,
        due_at: sql<
          number | null
        >`case callback_alerts.state when 'recovered' then null else callback_alerts.due_at end`,
        state: e.ref("excluded.state"),
        run_id: e.ref("excluded.run_id"),
        error: e.ref("excluded.error"),
        at: e.ref("excluded.at"),
      })),
    )
    .execute();
}

async function noteRecoveries(tx: Db, ends: readonly RunEnd[], now: number): Promise<void> {
  const failing = await tx
    .selectFrom("callback_alerts")
    .select(["task_id", "told"])
    .where(
      "task_id",
      "in",
      ends.map(({ run }) => run.task.id),
    )
    .where("state", "=", "failing")
    .execute();
  for (const { task_id: taskId, told } of failing) {
    if (told === UNTOLD) {
      await tx.deleteFrom("callback_alerts").where("task_id", "=", taskId).execute();
      continue;
    }
    const runId = ends.find(({ run }) => run.task.id === taskId)?.run.id ?? 0;
    const due = now + GATHERED_FOR_MS;
    await tx
      .updateTable("callback_alerts")
      .set({ state: "recovered", told: UNTOLD, run_id: runId, error: null, at: now, due_at: due })
      .where("task_id", "=", taskId)
      .execute();
  }
}

/** Takes the notices that are due, for `leaseMs`; nobody else sends them meanwhile. */
export async function takeDueAlerts(
  transaction: Db,
  dialect: Dialect,
  { now, leaseMs, limit }: { now: number; leaseMs: number; limit: number },
): Promise<Alert[]> {
  const due = transaction
    .selectFrom("callback_alerts")
    .select("task_id")
    .where("due_at", "<=", now)
    .orderBy("task_id")
    .limit(limit);
  const ids = (await dialect.lockFreeRows(due).execute()).map((row) => row.task_id);
  if (ids.length === 0) return [];
  await transaction
    .updateTable("callback_alerts")
    .set({ told: BEING_TOLD, due_at: now + leaseMs })
    .where("task_id", "in", ids)
    .execute();
  const rows = await transaction
    .selectFrom("callback_alerts as n")
    .innerJoin("callback_tasks as t", "t.id", "n.task_id")
    .select(["n.task_id", "t.name", "n.state", "n.run_id", "n.error", "n.at"])
    .where("n.task_id", "in", ids)
    .orderBy("n.task_id")
    .execute();
  return rows.map((row) => ({
    taskId: row.task_id,
    taskName: row.name,
    state: row.state,
    runId: row.run_id,
    error: row.error,
    at: row.at,
  }));
}

/** People know now; what has changed meanwhile they will be told. */
export async function noteTold(db: Db, alerts: readonly Alert[]): Promise<void> {
  const idsOf = (state: Alert["state"]) =>
    alerts.filter((alert) => alert.state === state).map((alert) => alert.taskId);
  const failing = idsOf("failing");
  const recovered = idsOf("recovered");
  if (failing.length > 0) {
    await db
      .updateTable("callback_alerts")
      .set({ told: TOLD, due_at: null })
      .where("task_id", "in", failing)
      .where("state", "=", "failing")
      .execute();
  }
  if (recovered.length > 0) {
    await db
      .deleteFrom("callback_alerts")
      .where("task_id", "in", recovered)
      .where("state", "=", "recovered")
      .execute();
  }
}

/** The notices could not be sent. */
export async function postponeAlerts(
  db: Db,
  alerts: readonly Alert[],
  dueAt: number,
): Promise<void> {
  await db
    .updateTable("callback_alerts")
    .set({ told: UNTOLD, due_at: dueAt })
    .where(
      "task_id",
      "in",
      alerts.map((alert) => alert.taskId),
    )
    .where("told", "=", BEING_TOLD)
    .execute();
}

export async function forgetAlert(db: Db, taskId: number): Promise<void> {
  await db.deleteFrom("callback_alerts").where("task_id", "=", taskId).execute();
}
