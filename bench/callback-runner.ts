/**
 * One measurement of the callbacks in a process of its own: `node callback-runner.ts <what> <target>
 * <folder or URL>`. Prints its result as one line of JSON.
 */
import { join } from "node:path";
import { signWebhook } from "../src/server/lib/standard-webhooks.ts";
import { ChangeKeeper } from "../src/server/stun/change-keeper.ts";
import { systemTimekeeper, TimerWheel } from "../src/server/stun/timer-wheel.ts";
import { systemClock } from "../src/server/lib/clock.ts";
import {
  logger,
  openCallbacks,
  RULE,
  seedTasks,
  sharedNow,
  SIGNING_SECRET,
  type CallbackBench,
} from "./callback-world.ts";

const IN_PARALLEL = 64;
const RUNS = 10_000;
const TASKS = 100;
const CHANGES = 60;

const [what = "", target = "", place = ""] = process.argv.slice(2);
const bench = await openCallbacks(
  place.startsWith("postgres:")
    ? { dialect: "postgres", url: place }
    : { dialect: "sqlite", file: join(place, "waypost.db") },
);
const results: Record<string, () => Promise<object>> = { drain, bare, latency };
process.stdout.write(`${JSON.stringify(await results[what]?.())}\n`);
await bench.close();
await bench.agent.destroy();

/** 10,000 runs of as many tasks wait; from the start until each is in the history. */
async function drain(): Promise<object> {
  await seedTasks(bench, `${target}/hook`, RUNS);
  const keeper = keeperOf(bench);
  keeper.keep(RULE, { mapping: { address: "203.0.113.7", port: 2 }, servers: [] });
  await keeper.flush();
  const measured = await measure(async () => {
    await bench.callbacks.start();
    await bench.callbacks.idle();
  });
  const { db } = bench.database;
  const done = await db
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
  const { agent } = bench;
  let next = 1;
  const work = async (): Promise<void> => {
    while (next <= RUNS) {
      const run_id = next++;
      const body = JSON.stringify({
        event: "stun_port_change",
        rule_name: "bench",
        public_ip: "203.0.113.7",
        public_port: 2,
        previous_ip: "203.0.113.7",
        previous_port: 1,
        changed: "port",
        run_id,
        timestamp: new Date().toISOString(),
      });
      const message = { id: `run_${run_id}`, at: Date.now(), body };
      const headers = {
        "content-type": "application/json",
        ...signWebhook(SIGNING_SECRET, message),
      };
      const path = "/hook";
      const answer = await agent.request({ origin: target, path, method: "POST", headers, body });
      await answer.body.text();
    }
  };
  return measure(async () => {
    await Promise.all(Array.from({ length: IN_PARALLEL }, work));
  });
}

async function measure(work: () => Promise<void>): Promise<object> {
  const begun = sharedNow();
  const cpu = process.cpuUsage();
  await work();
  const { user, system } = process.cpuUsage(cpu);
  const seconds = (sharedNow() - begun) / 1000;
  return { perSecond: RUNS / seconds, perCpuSecond: RUNS / ((user + system) / 1e6) };
}

/** From the moment at which a change is confirmed and settled to the first byte at each target. */
async function latency(): Promise<object> {
  await seedTasks(bench, `${target}/{{ public_port }}`, TASKS);
  await bench.callbacks.start();
  const keeper = keeperOf(bench);
  const samples: number[] = [];
  await fetch(`${target}/arrivals`);
  for (let change = 1; change <= CHANGES; change++) {
    const at = sharedNow();
    keeper.keep(RULE, { mapping: { address: "203.0.113.7", port: 1 + change }, servers: [] });
    await keeper.flush();
    await bench.callbacks.idle();
    const arrivals = (await (await fetch(`${target}/arrivals`)).json()) as { at: number }[];
    if (arrivals.length !== TASKS) throw new Error(`${arrivals.length} of ${TASKS} arrived`);
    // The first ones find a program that is not warm.
    if (change > CHANGES / 6) samples.push(...arrivals.map((arrival) => arrival.at - at));
  }
  const sorted = samples.toSorted((a, b) => a - b);
  const quantile = (q: number) => sorted[Math.floor(sorted.length * q)];
  return { p50Ms: quantile(0.5), p99Ms: quantile(0.99), mostMs: sorted.at(-1) };
}

function keeperOf({ database, callbacks }: CallbackBench): ChangeKeeper {
  return new ChangeKeeper({
    database,
    clock: systemClock,
    time: systemTimekeeper,
    wheel: new TimerWheel(systemTimekeeper, (error) => logger.error(error)),
    subscriber: callbacks.outbox,
    logger,
    onStored: () => {},
    onFailed: () => {},
  });
}
