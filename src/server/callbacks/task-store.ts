import type { Db } from "../database/database.ts";
import type { Dialect } from "../database/dialect.ts";
import { toTask, toTaskColumns, type TaskRecord, type TaskSettings } from "./task.ts";

/** In the order of the ids. */
export async function readTasks(db: Db): Promise<TaskRecord[]> {
  const rows = await db.selectFrom("callback_tasks").selectAll().orderBy("id").execute();
  return rows.map(toTask);
}

export async function findTask(db: Db, id: number): Promise<TaskRecord | undefined> {
  const row = await db
    .selectFrom("callback_tasks")
    .selectAll()
    .where("id", "=", id)
    .executeTakeFirst();
  return row && toTask(row);
}

/** Reads a task and keeps others from changing it until the transaction ends. */
export async function lockTask(
  transaction: Db,
  dialect: Dialect,
  id: number,
): Promise<TaskRecord | undefined> {
  const query = transaction.selectFrom("callback_tasks").selectAll().where("id", "=", id);
  const row = await dialect.lockRows(query).executeTakeFirst();
  return row && toTask(row);
}

/** The tasks that use a rule or an account, by name. */
export async function readUsers(
  db: Db,
  column: "stun_rule_id" | "account_id",
  id: number,
): Promise<{ name: string; ruleId: number }[]> {
  const rows = await db
    .selectFrom("callback_tasks")
    .select(["name", "stun_rule_id"])
    .where(column, "=", id)
    .orderBy("name")
    .execute();
  return rows.map((row) => ({ name: row.name, ruleId: row.stun_rule_id }));
}

/** @returns the id */
export async function insertTask(db: Db, settings: TaskSettings, now: number): Promise<number> {
  const { id } = await db
    .insertInto("callback_tasks")
    .values({ ...toTaskColumns(settings), created_at: now, updated_at: now })
    .returning("id")
    .executeTakeFirstOrThrow();
  return id;
}

export async function updateTask(db: Db, task: TaskRecord, now: number): Promise<void> {
  await db
    .updateTable("callback_tasks")
    .set({ ...toTaskColumns(task), updated_at: now })
    .where("id", "=", task.id)
    .execute();
}

export async function deleteTask(db: Db, id: number): Promise<void> {
  await db.deleteFrom("callback_tasks").where("id", "=", id).execute();
}

/** A rule as a task names it; it stays until the transaction ends. */
export async function lockRuleName(
  transaction: Db,
  dialect: Dialect,
  id: number,
): Promise<{ name: string; transport: "udp" | "tcp" } | undefined> {
  const query = transaction
    .selectFrom("stun_rules")
    .select(["name", "transport"])
    .where("id", "=", id);
  return dialect.lockRows(query).executeTakeFirst();
}
