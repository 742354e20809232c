/**
 * One measurement of the callbacks in a process of its own: `node callback-runner.ts <what> <target>
 * <folder or URL>`. Prints its result as one line of JSON.
 */
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { sql } from "kysely";
import { Agent } from "undici";
import { openDatabase } from "../src/server/database/database.ts";
import { systemClock } from "../src/server/lib/clock.ts";
import { createLogger } from "../src/server/lib/logger.ts";
import { signWebhook, toWebhookKey } from "../src/server/lib/standard-webhooks.ts";
import { CallbackStage } from "../test/support/callback-stage.ts";

const IN_PARALLEL = 64;
const RUNS = 10_000;
const TASKS = 100;
const CHANGES = 180;
const CROWD = 200;
const HISTORY = 100_000;
const ROWS_AT_ONCE = 1_000;
const signing_secret = "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw";

const [what = "", target = "", place = ""] = process.argv.slice(2);
const database = await openDatabase(
  place.startsWith("postgres:")
    ? { dialect: "postgres", url: place }
    : { dialect: "sqlite", file: join(place, "waypost.db") },
  systemClock,
  createLogger("warn"),
);
const stage = new CallbackStage({ database, clock: systemClock, logger: createLogger("warn") });
const measurements: Record<string, () => Promise<object>> = {
  drain,
  bare,
  latency,
  crowd: () => crowd(0),
  "troubled-crowd": () => crowd(CROWD / 10),
  history,
};
process.stdout.write(`${JSON.stringify(await measurements[what]?.())}\n`);
await stage.close();
await database.close();

/** 10,000 runs of as many tasks wait; from the start until each is in the history. */
async function drain(): Promise<object> {
  const rule = await seedTasks("/hook", RUNS);
  await stage.change(rule, 2);
  const measured = await measure(async () => {
    await stage.callbacks.start();
    await stage.callbacks.idle();
  });
  const done = await database.db
    .selectFrom("callback_runs")
    .innerJoin("callback_attempts", "run_id", "id")
    .select((e) => e.fn.countAll<number>().as("count"))
    .where("status", "=", "succeeded")
    .where("attempt_count", "=", 1)
    .executeTakeFirstOrThrow();
  if (done.count !== RUNS) throw new Error(`${done.count} of ${RUNS} runs succeeded`);
  return measured;
}

/** The same requests in a bare loop that signs and sends, and keeps nothing. */
async function bare(): Promise<object> {
  const agent = new Agent();
  const key = toWebhookKey(signing_secret);
  let next = 1;
  const work = async (): Promise<void> => {
    while (next <= RUNS) {
      const run_id = next++;
      const body = JSON.stringify({
        event: "stun_port_change",
        rule_name: "home",
        public_ip: "203.0.113.7",
        public_port: 2,
        previous_ip: "203.0.113.7",
        previous_port: 1,
        changed: "port",
        run_id,
        timestamp: new Date().toISOString(),
      });
      const signature = signWebhook(key, { id: `run_${run_id}`, at: Date.now(), body });
      const headers = { "content-type": "application/json", ...signature };
      const path = "/hook";
      const answer = await agent.request({ origin: target, path, method: "POST", headers, body });
      await answer.body.text();
    }
  };
  const measured = await measure(async () => {
    await Promise.all(Array.from({ length: IN_PARALLEL }, work));
  });
  await agent.destroy();
  return measured;
}

/** From the moment at which a change is confirmed and settled to the first byte at each target. */
async function latency(): Promise<object> {
  const rule = await seedTasks("/{{ public_port }}", TASKS);
  await stage.callbacks.start();
  const samples: number[] = [];
  await takeArrivals();
  for (let change = 1; change <= CHANGES; change++) {
    await writeLogBack();
    const at = sharedNow();
    await stage.change(rule, 1 + change);
    await stage.callbacks.idle();
    const arrivals = await takeArrivals();
    if (arrivals.length !== TASKS) throw new Error(`${arrivals.length} of ${TASKS} arrived`);
    // The first ones find a program that is not warm.
    if (change > CHANGES / 6) samples.push(...arrivals.map((arrival) => arrival.at - at));
  }
  return quantilesOf(samples);
}

function quantilesOf(samples: readonly number[]): object {
  const sorted = samples.toSorted((a, b) => a - b);
  const quantile = (q: number) => sorted[Math.floor(sorted.length * q)];
  return { p50Ms: quantile(0.5), p99Ms: quantile(0.99), mostMs: sorted.at(-1) };
}

/**
 * 200 tasks on one rule, of which so many hang and as many fail: from a change to the first byte at the
 * targets that are well, and between the first and the last of those.
 */
async function crowd(troubled: number): Promise<object> {
  const rule = await stage.addRule();
  const counts = { "/hang": troubled, "/fail": troubled, "/hook": CROWD - 2 * troubled };
  for (const [path, count] of Object.entries(counts)) {
    const account = await stage.addAccount(target + path, { name: path });
    await stage.addTasks(rule, account, count, path);
  }
  await stage.callbacks.start();
  const samples: number[] = [];
  const skews: number[] = [];
  await takeArrivals();
  for (let change = 1; change <= CHANGES / 3; change++) {
    await writeLogBack();
    const at = sharedNow();
    await stage.change(rule, 1 + change);
    const delays: number[] = [];
    while (delays.length < counts["/hook"]) {
      await sleep(20);
      const arrived = await takeArrivals();
      delays.push(...arrived.flatMap(({ path, at: then }) => (path === "/hook" ? then - at : [])));
    }
    if (change <= CHANGES / 9) continue;
    samples.push(...delays);
    skews.push(Math.max(...delays) - Math.min(...delays));
  }
  return { ...quantilesOf(samples), skewMs: quantilesOf(skews) };
}

/** Pages of 50 of a history of 100,000 runs with one try each, by every filter, deep and shallow. */
async function history(): Promise<object> {
  const { db } = database;
  const rule = await seedTasks("/hook", TASKS);
  const statuses = ["succeeded", "skipped", "superseded", "failed"];
  for (let first = 1; first <= HISTORY; first += ROWS_AT_ONCE) {
    const numbers = Array.from({ length: ROWS_AT_ONCE }, (_, n) => first + n);
    await db
      .insertInto("callback_runs")
      .values(numbers.map((n) => pastRun(n, rule, statuses[n % 997 === 0 ? 3 : n % 3] ?? "")))
      .execute();
    await db.insertInto("callback_attempts").values(numbers.map(pastAttempt)).execute();
  }
  // As the database does it itself, a while later.
  await sql`analyze`.execute(db);
  const task = { taskId: 7 };
  const filters = [
    {},
    task,
    { ruleId: rule },
    { ruleId: 999 },
    { status: "failed" as const },
    { status: "succeeded" as const },
    { status: "queued" as const },
    { ...task, status: "failed" as const },
    { ruleId: rule, status: "failed" as const },
    { ...task, ruleId: rule, status: "skipped" as const },
  ];
  const results: Record<string, object> = {};
  for (const filter of filters) {
    const samples: number[] = [];
    for (let n = 0; n < 60; n++) {
      const before = n % 2 === 0 ? {} : { before: Math.round((n * HISTORY) / 60) };
      const at = sharedNow();
      JSON.stringify(await stage.callbacks.service.list(filter, { limit: 50, ...before }));
      samples.push(sharedNow() - at);
    }
    results[JSON.stringify(filter)] = quantilesOf(samples);
  }
  return results;
}

function pastRun(n: number, ruleId: number, status: string) {
  return {
    task_id: 1 + (n % TASKS),
    task_name: `task ${1 + (n % TASKS)}`,
    account_id: 1,
    account_name: "hook",
    account_type: "webhook",
    rule_id: ruleId,
    rule_name: "home",
    transport: "udp" as const,
    trigger: "stun_port_change",
    event: "stun_port_change",
    public_ip: "203.0.113.7",
    public_port: 1 + (n % 65_535),
    previous_ip: "203.0.113.7",
    previous_port: n % 65_535,
    status,
    attempt_count: 1,
    http_status: 200,
    response_body: "ok",
    error: null,
    created_at: n,
    started_at: n,
    finished_at: n + 5,
    due_at: null,
    lease_owner: null,
    cancel_requested: 0,
  };
}

function pastAttempt(n: number) {
  const stages = JSON.stringify([{ stage: "write", response_body: "x".repeat(500) }]);
  return {
    run_id: n,
    number: 1,
    stages,
    error_class: null,
    error: null,
    started_at: n,
    duration_ms: 5,
  };
}

/** Changes are minutes apart: by then the log of the last one has been written back. */
async function writeLogBack(): Promise<void> {
  if (database.kind === "sqlite") await sql`pragma wal_checkpoint(truncate)`.execute(database.db);
}

/** @returns the id of the rule */
async function seedTasks(path: string, count: number): Promise<number> {
  const rule = await stage.addRule();
  const account = await stage.addAccount(target + path, { config: { signing_secret } });
  await stage.addTasks(rule, account, count);
  return rule;
}

async function takeArrivals(): Promise<{ path: string; at: number }[]> {
  return (await (await fetch(`${target}/arrivals`)).json()) as { path: string; at: number }[];
}

async function measure(work: () => Promise<void>): Promise<object> {
  const begun = sharedNow();
  const cpu = process.cpuUsage();
  await work();
  const { user, system } = process.cpuUsage(cpu);
  const seconds = (sharedNow() - begun) / 1000;
  return { perSecond: RUNS / seconds, perCpuSecond: RUNS / ((user + system) / 1e6) };
}

/** Milliseconds of the clock that all processes of the machine share. */
function sharedNow(): number {
  return Number(process.hrtime.bigint()) / 1e6;
}
