import { sql, type Kysely } from "kysely";
import type { ColumnTypes } from "../dialect.ts";
import type { Migration } from "./migration.ts";

export const callbacks: Migration = {
  name: "003-callbacks",
  breaking: false,
  async up(db, types) {
    await accountsAndTasks(db, types);
    await runs(db, types);
    await attempts(db, types);
    await alerts(db, types);
  },
};

type Db = Kysely<unknown>;

async function accountsAndTasks(db: Db, types: ColumnTypes): Promise<void> {
  await db.schema
    .createTable("callback_accounts")
    .addColumn("id", types.id, types.asId)
    .addColumn("name", "text", (c) => c.notNull().unique())
    .addColumn("type", "text", (c) => c.notNull())
    .addColumn("config", "text", (c) => c.notNull())
    .addColumn("created_at", types.integer, (c) => c.notNull())
    .addColumn("updated_at", types.integer, (c) => c.notNull())
    .execute();
  await db.schema
    .createTable("callback_tasks")
    .addColumn("id", types.id, types.asId)
    .addColumn("name", "text", (c) => c.notNull().unique())
    .addColumn("enabled", types.integer, (c) => c.notNull())
    .addColumn("trigger", "text", (c) => c.notNull())
    .addColumn("stun_rule_id", types.integer, (c) => c.notNull().references("stun_rules.id"))
    .addColumn("account_id", types.integer, (c) => c.notNull().references("callback_accounts.id"))
    .addColumn("created_at", types.integer, (c) => c.notNull())
    .addColumn("updated_at", types.integer, (c) => c.notNull())
    .execute();
  for (const column of ["stun_rule_id", "account_id"]) {
    await db.schema
      .createIndex(`callback_tasks_by_${column}`)
      .on("callback_tasks")
      .column(column)
      .execute();
  }
}

/** What a run names is kept by name too: the history outlives tasks, accounts and rules. */
async function runs(db: Db, types: ColumnTypes): Promise<void> {
  await db.schema
    .createTable("callback_runs")
    .addColumn("id", types.id, types.asId)
    .addColumn("task_id", types.integer, (c) => c.notNull())
    .addColumn("task_name", "text", (c) => c.notNull())
    .addColumn("account_id", types.integer, (c) => c.notNull())
    .addColumn("account_name", "text", (c) => c.notNull())
    .addColumn("account_type", "text", (c) => c.notNull())
    .addColumn("rule_id", types.integer, (c) => c.notNull())
    .addColumn("rule_name", "text", (c) => c.notNull())
    .addColumn("transport", "text", (c) => c.notNull())
    .addColumn("trigger", "text", (c) => c.notNull())
    .addColumn("event", "text", (c) => c.notNull())
    .addColumn("public_ip", "text", (c) => c.notNull())
    .addColumn("public_port", types.integer, (c) => c.notNull())
    .addColumn("previous_ip", "text")
    .addColumn("previous_port", types.integer)
    .addColumn("status", "text", (c) => c.notNull())
    .addColumn("attempt_count", types.integer, (c) => c.notNull())
    .addColumn("http_status", types.integer)
    .addColumn("response_body", "text")
    .addColumn("error", "text")
    .addColumn("created_at", types.integer, (c) => c.notNull())
    .addColumn("started_at", types.integer)
    .addColumn("finished_at", types.integer)
    .addColumn("due_at", types.integer)
    .addColumn("lease_owner", "text")
    .addColumn("cancel_requested", types.integer, (c) => c.notNull())
    .execute();
  await pagesOfRuns(db);
  await openRuns(db);
}

/**
 * A page of the history, newest first, by each filter that can be asked for. The status of a run that
 * is not finished changes often, and such runs are few: those indexes hold the others.
 */
async function pagesOfRuns(db: Db): Promise<void> {
  for (const column of ["task_id", "rule_id"]) {
    await db.schema
      .createIndex(`callback_runs_by_${column}`)
      .on("callback_runs")
      .columns([column, "id"])
      .execute();
  }
  for (const columns of [["status"], ["task_id", "status"], ["rule_id", "status"]]) {
    await db.schema
      .createIndex(`callback_runs_finished_by_${columns.join("_and_")}`)
      .on("callback_runs")
      .columns([...columns, "id"])
      .where(sql.ref("due_at"), "is", null)
      .execute();
  }
}

async function openRuns(db: Db): Promise<void> {
  await db.schema
    .createIndex("callback_runs_due")
    .on("callback_runs")
    .columns(["due_at", "id"])
    .where(sql.ref("due_at"), "is not", null)
    .execute();
  await db.schema
    .createIndex("callback_runs_open")
    .on("callback_runs")
    .columns(["task_id"])
    .where(sql.ref("due_at"), "is not", null)
    .execute();
  await db.schema
    .createIndex("callback_runs_serial")
    .unique()
    .on("callback_runs")
    .column("task_id")
    .where(sql.ref("status"), "=", "running")
    .execute();
}

async function attempts(db: Db, types: ColumnTypes): Promise<void> {
  await db.schema
    .createTable("callback_attempts")
    .addColumn("run_id", types.integer, (c) =>
      c.notNull().references("callback_runs.id").onDelete("cascade"),
    )
    .addColumn("number", types.integer, (c) => c.notNull())
    .addColumn("stages", "text", (c) => c.notNull())
    .addColumn("error_class", "text")
    .addColumn("error", "text")
    .addColumn("started_at", types.integer, (c) => c.notNull())
    .addColumn("duration_ms", types.integer, (c) => c.notNull())
    .addPrimaryKeyConstraint("callback_attempts_key", ["run_id", "number"])
    .execute();
}

async function alerts(db: Db, types: ColumnTypes): Promise<void> {
  await db.schema
    .createTable("callback_alerts")
    .addColumn("task_id", types.integer, (c) => c.primaryKey())
    .addColumn("state", "text", (c) => c.notNull())
    .addColumn("told", types.integer, (c) => c.notNull())
    .addColumn("run_id", types.integer, (c) => c.notNull())
    .addColumn("error", "text")
    .addColumn("at", types.integer, (c) => c.notNull())
    .addColumn("due_at", types.integer)
    .execute();
}
