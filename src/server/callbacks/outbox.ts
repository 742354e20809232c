import { sql } from "kysely";
import { triggers } from "../../shared/api/callbacks.ts";
import type { Db } from "../database/database.ts";
import type { ChangeSubscriber } from "../stun/change-port.ts";
import type { MappingChange, StunRule } from "../stun/rule.ts";
import { eventOf, fires } from "./change.ts";

/** What the run of an older mapping says when a newer one takes its place. */
export const OUTDATED = "A newer mapping has taken its place";

/**
 * Writes the runs that a change starts, in the transaction that stores the change: there is never
 * one without the other.
 */
export class Outbox implements ChangeSubscriber {
  readonly #wake: () => void;

  /** @param wake told when runs have been stored */
  constructor(wake: () => void) {
    this.#wake = wake;
  }

  async onConfirmed(change: MappingChange, rule: StunRule, transaction: Db): Promise<void> {
    if (change.changed.length === 0) return;
    const fired = triggers.filter((trigger) => fires(trigger, change.changed));
    await supersede(transaction, change, fired);
    await start(transaction, change, rule, fired);
  }

  onStored(): void {
    this.#wake();
  }
}

/** What waits for the same targets ends: the newest mapping wins. */
async function supersede(db: Db, change: MappingChange, fired: readonly string[]): Promise<void> {
  await db
    .updateTable("callback_runs")
    .set({ status: "superseded", error: OUTDATED, finished_at: change.at, due_at: null })
    .where("due_at", "is not", null)
    .where("status", "in", ["queued", "retrying"])
    .where("task_id", "in", (e) => firedTasks(e.selectFrom("callback_tasks as t"), change, fired))
    .execute();
}

function firedTasks(
  tasks: ReturnType<typeof selectTasks>,
  change: MappingChange,
  fired: readonly string[],
) {
  return tasks
    .select("t.id")
    .where("t.stun_rule_id", "=", change.ruleId)
    .where("t.enabled", "=", 1)
    .where("t.trigger", "in", fired);
}

function selectTasks(db: Db) {
  return db.selectFrom("callback_tasks as t");
}

/** One row for each task, in one statement however many there are. */
async function start(
  db: Db,
  change: MappingChange,
  rule: StunRule,
  fired: readonly string[],
): Promise<void> {
  const { mapping, previous, at } = change;
  await db
    .insertInto("callback_runs")
    .columns([
      "task_id",
      "task_name",
      "account_id",
      "account_name",
      "account_type",
      "trigger",
      "rule_id",
      "rule_name",
      "transport",
      "event",
      "public_ip",
      "public_port",
      "previous_ip",
      "previous_port",
      "status",
      "attempt_count",
      "created_at",
      "due_at",
      "cancel_requested",
    ])
    .expression(
      selectTasks(db)
        .innerJoin("callback_accounts as a", "a.id", "t.account_id")
        .where("t.stun_rule_id", "=", change.ruleId)
        .where("t.enabled", "=", 1)
        .where("t.trigger", "in", fired)
        .select(["t.id", "t.name", "a.id as account", "a.name as account_name", "a.type"])
        .select("t.trigger")
        .select([
          integer(rule.id).as("rule_id"),
          text(rule.name).as("rule_name"),
          text(rule.transport).as("transport"),
          text(eventOf(change.changed)).as("event"),
          text(mapping.address).as("public_ip"),
          integer(mapping.port).as("public_port"),
          text(previous?.address ?? null).as("previous_ip"),
          integer(previous?.port ?? null).as("previous_port"),
          text("queued").as("status"),
          integer(0).as("attempt_count"),
          integer(at).as("created_at"),
          integer(at).as("due_at"),
          integer(0).as("cancel_requested"),
        ])
        .orderBy("t.id"),
    )
    .execute();
}

/** A parameter in a select list says nothing of its type. */
function integer(value: number | null) {
  return sql<number>`cast(${value} as bigint)`;
}

function text(value: string | null) {
  return sql<string>`cast(${value} as text)`;
}
