import { spawn, type ChildProcess } from "node:child_process";
import { once } from "node:events";
import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";

/** The processor that servers are bound to; load comes from the other one. */
export const SERVER_CPU = "0";
export const LOAD_CPU = "1";
const START_DEADLINE_MS = 120_000;
/** USER_HZ of Linux. */
const TICKS_PER_SECOND = 100;

/** A server in a process of its own, bound to one processor. */
export interface ServerProcess {
  origin: string;
  pid: number;
  /** From the start of the process until it printed its address. */
  startMs: number;
  stop(): Promise<void>;
}

/** Starts a program that prints the address it listens on. */
export async function startServer(
  program: URL,
  environment: Record<string, string> = {},
  nodeOptions: string[] = [],
): Promise<ServerProcess> {
  const begun = performance.now();
  const child = spawn(
    "taskset",
    ["-c", SERVER_CPU, process.execPath, ...nodeOptions, fileURLToPath(program)],
    { env: { ...process.env, ...environment }, stdio: ["ignore", "pipe", "inherit"] },
  );
  const origin = await printedOrigin(child);
  return {
    origin,
    pid: child.pid as number,
    startMs: performance.now() - begun,
    stop: async () => {
      const exited = once(child, "exit");
      child.kill("SIGTERM");
      await exited;
    },
  };
}

/** Starts Waypost itself. */
export function startWaypost(
  settings: Record<string, string>,
  nodeOptions: string[] = [],
): Promise<ServerProcess> {
  const defaults = { PORT: "0", RATE_LIMIT: "off", LOG_LEVEL: "warn", JWT_SECRET };
  const environment = Object.fromEntries(
    Object.entries({ ...defaults, ...settings }).map(([name, value]) => [`WAYPOST_${name}`, value]),
  );
  return startServer(new URL("../src/server/main.ts", import.meta.url), environment, nodeOptions);
}

export const JWT_SECRET = "the-set-up-secret-of-the-benchmark";

async function printedOrigin(child: ChildProcess): Promise<string> {
  const found = Promise.withResolvers<string>();
  let output = "";
  child.stdout?.setEncoding("utf8").on("data", (text: string) => {
    output += text;
    const origin = /http:\/\/[\d.]+:\d+/.exec(output)?.[0];
    if (origin) found.resolve(origin);
  });
  child.once("exit", () => found.reject(new Error(`the server ended:\n${output}`)));
  const timer = setTimeout(() => found.reject(new Error("no address")), START_DEADLINE_MS);
  return found.promise.finally(() => clearTimeout(timer));
}

/** Resident memory of a process, in MB. */
export function residentMb(pid: number): number {
  const status = readFileSync(`/proc/${pid}/status`, "utf8");
  return Number(/VmRSS:\s+(\d+)/.exec(status)?.[1] ?? Number.NaN) / 1024;
}

/** Processor seconds a process has used so far; of its children, those that have ended, if asked. */
export function cpuSeconds(pid: number, { withEnded = false } = {}): number {
  const fields = readFileSync(`/proc/${pid}/stat`, "utf8").split(") ")[1]?.split(" ") ?? [];
  const own = Number(fields[11]) + Number(fields[12]);
  const ended = withEnded ? Number(fields[13]) + Number(fields[14]) : 0;
  return (own + ended) / TICKS_PER_SECOND;
}
