import { execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { fileURLToPath } from "node:url";
import { PostgresServer } from "../test/support/postgres-server.ts";
import { median } from "./duel.ts";
import { LOAD_CPU, SERVER_CPU, startServer } from "./processes.ts";

const runner = fileURLToPath(new URL("./callback-runner.ts", import.meta.url));
const ROUNDS = 5;

interface Rate {
  perSecond: number;
  perCpuSecond: number;
}

/** Quantiles of times in milliseconds. */
interface Times {
  p50Ms: number;
  p99Ms: number;
  mostMs: number;
}

/** From changes to targets: how many, how soon, beside targets that hang; and the history. */
export async function callbacks(): Promise<void> {
  const target = await startServer(new URL("./callback-target.ts", import.meta.url));
  execFileSync("taskset", ["-a", "-p", "-c", LOAD_CPU, String(target.pid)]);
  const measure = <T>(what: string, place?: string) => measureOnce<T>(what, target.origin, place);
  try {
    await drain(measure);
    const delays = await measure<Times>("latency");
    console.log(`Change to first byte, 100 tasks: ${show(delays)}\n`);
    for (const what of ["crowd", "troubled-crowd"]) {
      const { skewMs, ...times } = await measure<Times & { skewMs: Times }>(what);
      console.log(`Change to first byte, 200 tasks, ${what}: ${show(times)}`);
      console.log(`  between the first and the last of them: ${show(skewMs)}\n`);
    }
    showHistory("SQLite", await measure<Record<string, Times>>("history"));
    const postgres = await PostgresServer.create({ fsync: true });
    showHistory("PostgreSQL", await measure<Record<string, Times>>("history", postgres.url()));
    await postgres.destroy();
  } finally {
    await target.stop();
  }
}

async function drain(measure: (what: string) => Promise<unknown>): Promise<void> {
  const ours: Rate[] = [];
  const theirs: Rate[] = [];
  for (let round = 0; round < ROUNDS; round++) {
    ours.push((await measure("drain")) as Rate);
    theirs.push((await measure("bare")) as Rate);
  }
  const middle = (rates: Rate[], field: keyof Rate) => median(rates.map((rate) => rate[field]));
  const ratio = (field: keyof Rate) =>
    median(ours.map((rate, n) => rate[field] / (theirs[n]?.[field] ?? Number.NaN))).toFixed(2);
  console.log("10,000 queued webhook runs, each into the history, against a bare signed loop");
  for (const [name, rates] of Object.entries({ Waypost: ours, "bare loop": theirs })) {
    console.log(`  ${name.padEnd(12)} ${middle(rates, "perSecond").toFixed(0)}/s`);
  }
  console.log(`  ratio ${ratio("perSecond")}, per CPU-second ${ratio("perCpuSecond")}\n`);
}

/** Where throughput is compared, both sides have one processor; the service has two threads. */
const onOneProcessor: ReadonlySet<string> = new Set(["drain", "bare"]);

/** A process of its own, with a storage of its own unless one is given. */
async function measureOnce<T>(what: string, origin: string, place?: string): Promise<T> {
  const folder = mkdtempSync(join(tmpdir(), "waypost-bench-"));
  const processors = onOneProcessor.has(what) ? SERVER_CPU : `${SERVER_CPU},${LOAD_CPU}`;
  const words = ["-c", processors, process.execPath, runner, what, origin, place ?? folder];
  const child = spawn("taskset", words, { stdio: ["ignore", "pipe", "inherit"] });
  const [said] = await Promise.all([text(child.stdout), once(child, "exit")]);
  rmSync(folder, { recursive: true, force: true });
  return JSON.parse(said) as T;
}

function showHistory(name: string, results: Record<string, Times>): void {
  console.log(`A page of 50 of 100,000 runs, ${name}`);
  for (const [filter, times] of Object.entries(results)) {
    console.log(`  ${filter.padEnd(44)} ${show(times)}`);
  }
  console.log("");
}

function show({ p50Ms, p99Ms, mostMs }: Times): string {
  const [p50, p99, most] = [p50Ms, p99Ms, mostMs].map((ms) => ms.toFixed(1));
  return `p50 ${p50} ms  p99 ${p99} ms  most ${most} ms`;
}
