import type { Kysely } from "kysely";
import type { Schema } from "../../src/server/database/schema.ts";
import type { CallbackTask, RunStatus } from "../../src/shared/api/callbacks.ts";
import type { Rule } from "../../src/shared/api/stun.ts";
import { noise } from "./ebb.ts";
import type { Household } from "./holes.ts";

const HOUR_MS = 3_600_000;
const DAYS = 30;

interface Address {
  ip: string;
  port: number;
}

/** A month of changes of every rule, and the runs that they started. */
export async function writePastRuns(
  db: Kysely<Schema>,
  household: Household,
  now: number,
): Promise<void> {
  const from = now - DAYS * 24 * HOUR_MS;
  const changes = household.rules.flatMap((rule) => changesOf(rule, from, now));
  for (const change of changes.toSorted((a, b) => a.at - b.at)) {
    await db
      .insertInto("stun_changes")
      .values({
        change_key: `demo-${change.rule.id}-${change.at}`,
        rule_id: change.rule.id,
        public_ip: change.mapping.ip,
        public_port: change.mapping.port,
        previous_ip: change.previous?.ip ?? null,
        previous_port: change.previous?.port ?? null,
        changed: JSON.stringify(change.changed),
        confirmed_by: JSON.stringify(change.rule.stun_servers),
        at: change.at,
      })
      .execute();
    for (const task of household.tasks) {
      if (task.stun_rule_id === change.rule.id && change.previous) {
        await writeRun(db, household, task, change);
      }
    }
  }
  for (const rule of household.rules) {
    const { mapping, at } = changes.findLast((change) => change.rule === rule) as Change;
    await db
      .insertInto("stun_mappings")
      .values({ rule_id: rule.id, public_ip: mapping.ip, public_port: mapping.port, at })
      .execute();
  }
}

interface Change {
  rule: Rule;
  mapping: Address;
  previous: Address | null;
  changed: string[];
  at: number;
}

/** The address moves for all rules at once, now and then; ports move by themselves. */
function changesOf(rule: Rule, from: number, now: number): Change[] {
  const changes: Change[] = [];
  let previous: Address | null = null;
  for (let hour = 0; hour < DAYS * 24; hour++) {
    const at = from + hour * HOUR_MS + Math.floor(noise(rule.id, hour) * 40 * 60_000);
    if (at > now - HOUR_MS) break;
    const epoch = Math.floor(hour / 60);
    const mapping: Address = {
      ip: `203.0.113.${10 + Math.floor(noise(7, epoch) * 200)}`,
      port: noise(rule.id, hour + 9) < 0.03 || !previous ? portOf(rule, hour) : previous.port,
    };
    const changed = previous
      ? [mapping.ip === previous.ip ? "" : "ip", mapping.port === previous.port ? "" : "port"]
      : [];
    const differences = changed.filter((each) => each !== "");
    if (previous && differences.length === 0) continue;
    changes.push({ rule, mapping, previous, changed: differences, at });
    previous = mapping;
  }
  return changes;
}

function portOf(rule: Rule, hour: number): number {
  return 20_000 + Math.floor(noise(rule.id * 31, hour) * 40_000);
}

interface Outcome {
  status: RunStatus;
  http: number | null;
  body: string | null;
  error: string | null;
  errorClass: string | null;
  attempts: number;
}

const good: Outcome = {
  status: "succeeded",
  http: 200,
  body: '{"accepted":true,"bytes":64}',
  error: null,
  errorClass: null,
  attempts: 1,
};

function outcomeOf(task: CallbackTask, change: Change): Outcome {
  const luck = noise(task.id, Math.floor(change.at / HOUR_MS));
  if (task.name === "Old dashboard") {
    const body = '{"error":"This webhook is gone"}';
    const error = "The target answered 410";
    return { ...good, status: "failed", http: 410, body, error, errorClass: "status" };
  }
  if (task.name === "Keep my node in step") return { ...good, http: null, body: null };
  if (task.name === "Chat message" && luck < 0.4) return { ...good, attempts: 2 };
  if (luck > 0.93) {
    const error = "A newer mapping took its place";
    return { ...good, status: "superseded", http: null, body: null, error, attempts: 0 };
  }
  return good;
}

async function writeRun(
  db: Kysely<Schema>,
  { accounts, rules }: Household,
  task: CallbackTask,
  { mapping, previous, changed, at }: Change,
): Promise<void> {
  const account = accounts.find(({ id }) => id === task.account_id);
  const rule = rules.find(({ id }) => id === task.stun_rule_id);
  if (!account || !rule) throw new Error(`The task ${task.name} belongs to nothing`);
  const outcome = outcomeOf(task, { rule, mapping, previous, changed, at });
  const tookMs = 30 + Math.floor(noise(task.id, at) * 200);
  const finishedAt = at + 1_000 + tookMs + (outcome.attempts > 1 ? 5_000 : 0);
  const { id } = await db
    .insertInto("callback_runs")
    .values({
      task_id: task.id,
      task_name: task.name,
      account_id: account.id,
      account_name: account.name,
      account_type: account.type,
      rule_id: rule.id,
      rule_name: rule.name,
      transport: rule.transport,
      trigger: task.trigger,
      event: `stun_${changed.join("_and_")}_change`,
      public_ip: mapping.ip,
      public_port: mapping.port,
      previous_ip: previous?.ip ?? null,
      previous_port: previous?.port ?? null,
      status: outcome.status,
      attempt_count: outcome.attempts,
      http_status: outcome.http,
      response_body: outcome.body,
      error: outcome.error,
      created_at: at,
      started_at: outcome.attempts === 0 ? null : at + 1_000,
      finished_at: finishedAt,
      due_at: null,
      lease_owner: null,
      cancel_requested: 0,
    })
    .returning("id")
    .executeTakeFirstOrThrow();
  for (let number = 1; number <= outcome.attempts; number++) {
    const isLast = number === outcome.attempts;
    const status = isLast ? outcome.http : 503;
    const stage = {
      stage: "write",
      method: "POST",
      url: "http://127.0.0.1/demo",
      request_headers: { "content-type": "application/json" },
      request_body: JSON.stringify({ address: `${mapping.ip}:${mapping.port}`, rule: rule.name }),
      status,
      response_headers: { "content-type": "application/json" },
      response_body: isLast ? outcome.body : '{"error":"Restarting, come back in a moment"}',
      truncated: false,
      duration_ms: tookMs,
    };
    await db
      .insertInto("callback_attempts")
      .values({
        run_id: id,
        number,
        stages: JSON.stringify(outcome.http === null ? [] : [stage]),
        error_class: isLast ? outcome.errorClass : "status",
        error: isLast ? outcome.error : "The target answered 503",
        started_at: at + 1_000 + (number - 1) * 5_000,
        duration_ms: tookMs,
      })
      .execute();
  }
}
