import { execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import { readFileSync } from "node:fs";
import { connect } from "node:net";
import { duel, type Contestant } from "./duel.ts";
import { cpuSeconds, LOAD_CPU, SERVER_CPU, startServer, type ServerProcess } from "./processes.ts";
import { bounce, PacketTarget, StreamTarget, type Delivered } from "./relay-load.ts";
import type { Measured } from "./wrk.ts";

const MB = 1e6;
/** Ports that socat is given; a free one is not easily asked of it. */
const SOCAT_PORTS = { tcp: 28_411, udp: 28_412 } as const;

const floods = [
  ["toClients", 1],
  ["toClients", 50],
  ["toTarget", 1],
  ["toTarget", 50],
] as const;

type Transport = keyof typeof SOCAT_PORTS;

/** Traffic through a hole's relay next to socat (Debian package `socat`), each on one processor. */
export async function relay(): Promise<void> {
  execFileSync("taskset", ["-a", "-p", "-c", LOAD_CPU, String(process.pid)]);
  await streams();
  await packets();
}

async function streams(): Promise<void> {
  const target = new StreamTarget();
  await withBoth("tcp", await target.open(), async (ours, theirs) => {
    for (const [direction, count] of floods) {
      const flood = (server: ServerProcess, seconds: number) =>
        measured(server, seconds, MB, (port) => target.flood(port, direction, count, seconds));
      const way = direction === "toClients" ? "target to clients" : "clients to target";
      await duel(
        `Relay over TCP, ${count} streams, ${way}, megabytes; times of one byte there and back`,
        contestant("Waypost", ours, flood),
        contestant("socat", theirs, flood),
      );
    }
  });
  target.close();
}

async function packets(): Promise<void> {
  const target = new PacketTarget();
  await withBoth("udp", await target.open(), async (ours, theirs) => {
    for (const clients of [1, 32]) {
      const volley = (server: ServerProcess, seconds: number) =>
        measured(server, seconds, 0.5, (through) => bounce(through, clients, seconds));
      await duel(
        `Relay over UDP, ${clients} clients, packets of 1,200 bytes; times there and back`,
        contestant("Waypost", ours, volley),
        contestant("socat", theirs, volley),
      );
    }
  });
  target.close();
}

type Run = (server: ServerProcess, seconds: number) => Promise<Measured>;

function contestant(name: string, server: ServerProcess, run: Run): Contestant {
  return { name, run: (seconds) => run(server, seconds) };
}

async function withBoth(
  transport: Transport,
  targetPort: number,
  body: (ours: ServerProcess, theirs: ServerProcess) => Promise<void>,
): Promise<void> {
  const ours = await startServer(new URL("./relay-server.ts", import.meta.url), {
    BENCH_TARGET: String(targetPort),
    BENCH_TRANSPORT: transport,
  });
  const theirs = await startSocat(transport, targetPort);
  try {
    await body(ours, theirs);
  } finally {
    await Promise.all([ours.stop(), theirs.stop()]);
  }
}

/** With buffers as large as Node's: its own default is an eighth of them. */
async function startSocat(transport: Transport, targetPort: number): Promise<ServerProcess> {
  const port = SOCAT_PORTS[transport];
  const kind = transport.toUpperCase();
  const options = `bind=127.0.0.1,fork,reuseaddr${transport === "tcp" ? ",backlog=128" : ""}`;
  const begun = performance.now();
  const command = ["socat", "-b65536", `${kind}4-LISTEN:${port},${options}`];
  const child = spawn(
    "taskset",
    ["-c", SERVER_CPU, ...command, `${kind}4:127.0.0.1:${targetPort}`],
    // A group of its own: it starts a child for each client, and those for UDP outlive it. They
    // complain of connections that the load ends at once.
    { detached: true, stdio: "ignore" },
  );
  await once(child, "spawn");
  const pid = child.pid as number;
  if (transport === "tcp") await listens(port);
  return {
    origin: `http://127.0.0.1:${port}`,
    pid,
    startMs: performance.now() - begun,
    stop: async () => {
      const exited = once(child, "exit");
      process.kill(-pid, "SIGTERM");
      await exited;
    },
  };
}

async function listens(port: number): Promise<void> {
  for (let tries = 0; tries < 100; tries++) {
    const socket = connect(port, "127.0.0.1");
    try {
      await once(socket, "connect");
      return;
    } catch {
      await new Promise((resolve) => setTimeout(resolve, 50));
    } finally {
      socket.destroy();
    }
  }
  throw new Error("socat does not listen");
}

/** @param unit how many of what was counted make one */
async function measured(
  { origin, pid }: ServerProcess,
  seconds: number,
  unit: number,
  load: (port: number) => Promise<Delivered>,
): Promise<Measured> {
  const cpuBefore = cpuSecondsOfAll(pid);
  const startedAt = performance.now();
  const { count, errors, timesMs } = await load(Number(new URL(origin).port));
  const tookSeconds = Math.max(seconds, (performance.now() - startedAt) / 1000);
  const sorted = timesMs.toSorted((a, b) => a - b);
  return {
    perSecond: count / unit / tookSeconds,
    perCpuSecond: count / unit / (cpuSecondsOfAll(pid) - cpuBefore),
    p50Ms: sorted[Math.floor(sorted.length * 0.5)] ?? Number.NaN,
    p99Ms: sorted[Math.floor(sorted.length * 0.99)] ?? Number.NaN,
    errors,
  };
}

/** Processor seconds of a process and its children, the ended ones included: socat has one for each client. */
function cpuSecondsOfAll(pid: number): number {
  const children = readFileSync(`/proc/${pid}/task/${pid}/children`, "utf8").split(" ");
  const living = children.filter(Boolean).map((child) => cpuSecondsOrNone(Number(child)));
  return cpuSeconds(pid, { withEnded: true }) + living.reduce((sum, each) => sum + each, 0);
}

/** Children come and go. */
function cpuSecondsOrNone(pid: number): number {
  try {
    return cpuSeconds(pid);
  } catch {
    return 0;
  }
}
