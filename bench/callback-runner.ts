/**
 * One measurement of the callbacks in a process of its own: `node callback-runner.ts <what> <target>
 * <folder or URL>`. Prints its result as one line of JSON.
 */
import { join } from "node:path";
import { sql } from "kysely";
import { Agent } from "undici";
import { openDatabase } from "../src/server/database/database.ts";
import { systemClock } from "../src/server/lib/clock.ts";
import { createLogger } from "../src/server/lib/logger.ts";
import { signWebhook } from "../src/server/lib/standard-webhooks.ts";
import { CallbackStage } from "../test/support/callback-stage.ts";

const IN_PARALLEL = 64;
const RUNS = 10_000;
const TASKS = 100;
const CHANGES = 60;
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
const results: Record<string, () => Promise<object>> = { drain, bare, latency };
process.stdout.write(`${JSON.stringify(await results[what]?.())}\n`);
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
      const signature = signWebhook(signing_secret, { id: `run_${run_id}`, at: Date.now(), body });
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
    // Changes are minutes apart: by then the log of the last one has been written back.
    await sql`pragma wal_checkpoint(truncate)`.execute(database.db);
    const at = sharedNow();
    await stage.change(rule, 1 + change);
    await stage.callbacks.idle();
    const arrivals = await takeArrivals();
    if (arrivals.length !== TASKS) throw new Error(`${arrivals.length} of ${TASKS} arrived`);
    // The first ones find a program that is not warm.
    if (change > CHANGES / 6) samples.push(...arrivals.map((arrival) => arrival.at - at));
  }
  const sorted = samples.toSorted((a, b) => a - b);
  const quantile = (q: number) => sorted[Math.floor(sorted.length * q)];
  return { p50Ms: quantile(0.5), p99Ms: quantile(0.99), mostMs: sorted.at(-1) };
}

/** @returns the id of the rule */
async function seedTasks(path: string, count: number): Promise<number> {
  const rule = await stage.addRule();
  const account = await stage.addAccount(target + path, { config: { signing_secret } });
  await stage.addTasks(rule, account, count);
  return rule;
}

async function takeArrivals(): Promise<{ at: number }[]> {
  return (await (await fetch(`${target}/arrivals`)).json()) as { at: number }[];
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
