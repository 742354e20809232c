import { execFileSync } from "node:child_process";
import { createSocket } from "node:dgram";
import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { pino } from "pino";
import { openDatabase } from "../src/server/database/database.ts";
import { systemClock } from "../src/server/lib/clock.ts";
import { insertRule } from "../src/server/stun/store.ts";
import { cpuSeconds, LOAD_CPU, residentMb, startServer, startWaypost } from "./processes.ts";
import type { ServerProcess } from "./processes.ts";

/** The widest number of rules fits under a limit of 20,000 open files. */
const FLEETS = [
  { rules: 5_000, intervalSeconds: 20 },
  { rules: 19_000, intervalSeconds: 20 },
  { rules: 5_000, intervalSeconds: 1 },
] as const;
const FIRST_PORT = 10_000;
/** Between the moment when all rules are open, with their first mapping stored, and the window. */
const SETTLING_SECONDS = 5;
const OPENING_SECONDS = 180;
const WINDOW_SECONDS = 20;
const MICRO = 1e6;

interface Sample {
  probes: number;
  cpuSeconds: number;
  seconds: number;
}

/** Rules over UDP that probe all the time, next to one socket that asks as often and does no more. */
export async function stun(): Promise<void> {
  const responder = await startServer(new URL("./stun-responder.ts", import.meta.url));
  execFileSync("taskset", ["-a", "-p", "-c", LOAD_CPU, String(responder.pid)]);
  const server = Number(new URL(responder.origin).port);
  try {
    const idle = await measureRules({ rules: 0, intervalSeconds: 20 }, server);
    print("no rules", idle.sample, `${idle.memoryMb.toFixed(0)} MB`);
    for (const fleet of FLEETS) {
      const ours = await measureRules(fleet, server);
      const perRule = ((ours.memoryMb - idle.memoryMb) * 1024) / fleet.rules;
      const name = `${fleet.rules} rules, every ${fleet.intervalSeconds} s`;
      const memory = `${ours.memoryMb.toFixed(0)} MB, ${perRule.toFixed(1)} KB a rule`;
      print(name, ours.sample, `${memory}, all open after ${ours.openedSeconds.toFixed(1)} s`);
      const paced = await measureSocket(fleet.rules / fleet.intervalSeconds, server);
      print("one socket at that pace", paced, `ratio ${ratio(ours.sample, paced)}`);
    }
    const flood = await measureSocket(0, server);
    print("one socket, 64 in flight, as fast as it can", flood, "");
  } finally {
    await responder.stop();
  }
}

/** Probes per processor second, ours over theirs. */
function ratio(ours: Sample, theirs: Sample): string {
  const perCpuSecond = ({ probes, cpuSeconds: used }: Sample) => probes / used;
  return (perCpuSecond(ours) / perCpuSecond(theirs)).toFixed(2);
}

function print(name: string, { probes, cpuSeconds: used, seconds }: Sample, more: string): void {
  const cost = probes === 0 ? "" : `${((used / probes) * MICRO).toFixed(0)} µs a probe`;
  const share = `${((used / seconds) * 100).toFixed(1)} % of a processor`;
  console.log([name, `${(probes / seconds).toFixed(0)}/s`, share, cost, more].join("  "));
}

async function measureRules(
  { rules, intervalSeconds }: { rules: number; intervalSeconds: number },
  server: number,
): Promise<{ sample: Sample; memoryMb: number; openedSeconds: number }> {
  const folder = mkdtempSync(join(tmpdir(), "waypost-bench-stun-"));
  await seedRules(join(folder, "waypost.db"), rules, intervalSeconds);
  const service = await startWaypost({
    DATA_DIR: folder,
    STUN_SERVERS: `127.0.0.1:${server},127.0.0.2:${server}`,
  });
  try {
    const openedMs = await untilOpen(service);
    await pause(SETTLING_SECONDS * 1000);
    const sample = await take(service, () => countAt(server));
    return { sample, memoryMb: residentMb(service.pid), openedSeconds: openedMs / 1000 };
  } finally {
    await service.stop();
    rmSync(folder, { recursive: true });
  }
}

/** Milliseconds until no rule is starting any more, and every first mapping is stored. */
async function untilOpen({ origin }: ServerProcess): Promise<number> {
  const begun = performance.now();
  const deadline = begun + OPENING_SECONDS * 1000;
  for (;;) {
    const metrics = await (await fetch(`${origin}/metrics`)).text();
    const read = (name: string) => Number(metrics.split(`\n${name} `)[1]?.split("\n")[0] ?? 0);
    const isOpening =
      read('waypost_stun_rules{status="starting"}') > 0 || read("waypost_stun_changes_waiting") > 0;
    if (!isOpening) return performance.now() - begun;
    if (performance.now() > deadline) throw new Error("The rules do not open");
    await pause(200);
  }
}

async function measureSocket(perSecond: number, server: number): Promise<Sample> {
  const program = new URL("./stun-pipeline.ts", import.meta.url);
  const socket = await startServer(program, {
    BENCH_SERVER: String(server),
    BENCH_PER_SECOND: String(perSecond),
  });
  try {
    await pause(1_000);
    return await take(socket, async () => Number(await (await fetch(socket.origin)).text()));
  } finally {
    await socket.stop();
  }
}

async function take({ pid }: ServerProcess, count: () => Promise<number>): Promise<Sample> {
  const before = { count: await count(), cpu: cpuSeconds(pid), at: performance.now() };
  await pause(WINDOW_SECONDS * 1000);
  return {
    probes: (await count()) - before.count,
    cpuSeconds: cpuSeconds(pid) - before.cpu,
    seconds: (performance.now() - before.at) / 1000,
  };
}

async function seedRules(file: string, rules: number, intervalSeconds: number): Promise<void> {
  const logger = pino({ level: "silent" });
  const database = await openDatabase({ dialect: "sqlite", file }, systemClock, logger);
  await database.db.transaction().execute(async (transaction) => {
    for (let n = 0; n < rules; n++) {
      const settings = {
        name: `rule ${n}`,
        enabled: true,
        transport: "udp",
        localAddress: "127.0.0.1",
        localPort: FIRST_PORT + n,
        stunServers: [],
        keepaliveHosts: [],
        probeIntervalSeconds: intervalSeconds,
        settleSeconds: 3,
        forwardTo: null,
        triggerCallbacks: true,
        instance: "main",
      } as const;
      await insertRule(transaction, settings, systemClock.now());
    }
  });
  await database.close();
}

/** Requests that the responder has answered so far. */
async function countAt(server: number): Promise<number> {
  const socket = createSocket("udp4");
  socket.send("count", server, "127.0.0.1");
  const [bytes] = (await once(socket, "message")) as [Buffer];
  socket.close();
  return Number(bytes.toString());
}
