import { execFile } from "node:child_process";
import { mkdtempSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { cpuSeconds, LOAD_CPU, type ServerProcess } from "./processes.ts";

const run = promisify(execFile);
const folder = mkdtempSync(join(tmpdir(), "waypost-bench-"));

/** What is sent: one request after another from `bodies`, or a plain GET. */
export interface Load {
  path: string;
  /** JSON texts for POST. */
  bodies?: string[];
  /** Sent in turn as `X-Network-Name` with GET. */
  networks?: string[];
  connections: number;
}

export interface Measured {
  perSecond: number;
  /** Answers per second of the server's processor time: steady while neighbours come and go. */
  perCpuSecond: number;
  p50Ms: number;
  p99Ms: number;
  /** Answers that were not 2xx, and connections that failed. */
  errors: number;
}

let scripts = 0;

/** Writes the Lua script that wrk runs; made once per load, used for every slice. */
function scriptOf(load: Load): string {
  const path = join(folder, `load-${scripts++}.lua`);
  const lines = load.bodies
    ? [
        `local bodies = {${load.bodies.map((body) => `[[${body}]]`).join(",\n")}}`,
        "local next = 0",
        `local headers = {["content-type"] = "application/json"}`,
        "function request()",
        "  next = next % #bodies + 1",
        `  return wrk.format("POST", "${load.path}", headers, bodies[next])`,
        "end",
      ]
    : load.networks
      ? [
          `local networks = {${load.networks.map((name) => `"${name}"`).join(",\n")}}`,
          "local next = 0",
          "function request()",
          "  next = next % #networks + 1",
          `  return wrk.format("GET", "${load.path}", {["x-network-name"] = networks[next]})`,
          "end",
        ]
      : [`function request() return wrk.format("GET", "${load.path}") end`];
  writeFileSync(path, lines.join("\n"));
  return path;
}

/** Prepares a load; the result runs it for some seconds against a server process. */
export function prepare(load: Load): (server: ServerProcess, seconds: number) => Promise<Measured> {
  const script = scriptOf(load);
  return async ({ origin, pid }, seconds) => {
    const before = cpuSeconds(pid);
    const wrk = ["wrk", "--latency", "-t1", "-c", String(load.connections)];
    const { stdout } = await run("taskset", [
      "-c",
      LOAD_CPU,
      ...wrk,
      "-d",
      `${seconds}s`,
      "-s",
      script,
      origin,
    ]);
    return parse(stdout, cpuSeconds(pid) - before);
  };
}

function parse(output: string, cpu: number): Measured {
  const number = (pattern: RegExp) => Number(pattern.exec(output)?.[1] ?? 0);
  const socketErrors = /Socket errors: (.*)/.exec(output)?.[1] ?? "";
  const failed = [...socketErrors.matchAll(/\d+/g)].reduce((sum, each) => sum + Number(each[0]), 0);
  return {
    perSecond: number(/Requests\/sec:\s+([\d.]+)/),
    perCpuSecond: number(/(\d+) requests in/) / cpu,
    p50Ms: toMs(/50%\s+(\S+)/.exec(output)?.[1]),
    p99Ms: toMs(/99%\s+(\S+)/.exec(output)?.[1]),
    errors: number(/Non-2xx or 3xx responses: (\d+)/) + failed,
  };
}

function toMs(text = "NaN"): number {
  const value = Number.parseFloat(text);
  if (text.endsWith("us")) return value / 1000;
  return text.endsWith("ms") ? value : value * 1000;
}
