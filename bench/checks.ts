import { execFileSync } from "node:child_process";
import { connect } from "node:net";
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { NodeResolver } from "../src/probe/node/resolver.ts";
import { NodeSockets } from "../src/probe/node/sockets.ts";
import { Probe, type CheckTarget } from "../src/probe/probe.ts";
import { TargetPolicy } from "../src/probe/target-policy.ts";
import { digestOf, helloOf, kinds, packetOf } from "../test/support/overlay-codec.ts";
import { duel } from "./duel.ts";
import { LOAD_CPU, residentMb, startServer, type ServerProcess } from "./processes.ts";
import type { Measured } from "./wrk.ts";

const IN_PARALLEL = 32;
const CHECKS = 100_000;
const STEP = 10_000;

/** Whole checks against a bare connect and close, then what 100,000 of them leave in memory. */
export async function checks(): Promise<void> {
  execFileSync("taskset", ["-a", "-p", "-c", LOAD_CPU, String(process.pid)]);
  const node = await startServer(new URL("./overlay-node-server.ts", import.meta.url));
  try {
    const check = checkOf(node);
    await duel(
      `Checks with handshake over TCP, ${IN_PARALLEL} at a time`,
      { name: "the probe", run: (seconds) => measure(check, seconds) },
      { name: "net.connect and close", run: (seconds) => measure(connectTo(node), seconds) },
    );
    await duel(
      "The same against a bare socket that sends the same bytes, prepared, and looks at no answer",
      { name: "the probe", run: (seconds) => measure(check, seconds) },
      { name: "prepared bytes", run: (seconds) => measure(exchangeWith(node), seconds) },
    );
    await watchMemory(check);
  } finally {
    await node.stop();
  }
}

/** Whether it went as it should. */
type Attempt = () => Promise<boolean>;

function checkOf(node: ServerProcess): Attempt {
  const probe = new Probe({
    sockets: new NodeSockets(),
    resolver: new NodeResolver(),
    now: () => performance.now(),
  });
  const policy = new TargetPolicy("any", []);
  const { hostname: host, port } = new URL(node.origin);
  const server = { transport: "tcp", host, port: Number(port) } as const;
  const target: CheckTarget = { server, networkName: "net", networkSecret: "secret" };
  return async () => {
    const verdict = await probe.check(target, policy);
    return verdict.isOnline && verdict.handshake === "ok";
  };
}

function connectTo(node: ServerProcess): Attempt {
  const { hostname: host, port } = new URL(node.origin);
  return () =>
    new Promise((resolve) => {
      const socket = connect({ host, port: Number(port), noDelay: true });
      socket.once("error", () => resolve(false));
      socket.once("connect", () => {
        socket.destroy();
        resolve(true);
      });
    });
}

function exchangeWith(node: ServerProcess): Attempt {
  const { hostname: host, port } = new URL(node.origin);
  const digest = digestOf("net", "secret");
  const hello = helloOf({ peerId: 5, networkName: "net", digest });
  const frames = [
    framed(packetOf(kinds.handshake, 5, 0, hello)),
    framed(packetOf(kinds.ping, 5, 77, Buffer.alloc(4))),
  ];
  return () =>
    new Promise((resolve) => {
      const rest = [...frames];
      const socket = connect({ host, port: Number(port), noDelay: true });
      const go = () => {
        const next = rest.shift();
        if (next) return socket.write(next);
        socket.destroy();
        return resolve(true);
      };
      socket.once("error", () => resolve(false));
      socket.once("connect", go).on("data", go);
    });
}

function framed(packet: Buffer): Buffer {
  const length = Buffer.alloc(4);
  length.writeUInt32LE(packet.length);
  return Buffer.concat([length, packet]);
}

async function measure(attempt: Attempt, seconds: number): Promise<Measured> {
  const times: number[] = [];
  let errors = 0;
  const cpuBefore = process.cpuUsage();
  const begun = performance.now();
  const work = async () => {
    while (performance.now() - begun < seconds * 1000) {
      const startedAt = performance.now();
      if (!(await attempt())) errors += 1;
      times.push(performance.now() - startedAt);
    }
  };
  await Promise.all(Array.from({ length: IN_PARALLEL }, work));
  const { user, system } = process.cpuUsage(cpuBefore);
  times.sort((a, b) => a - b);
  const quantile = (share: number) => times[Math.floor(times.length * share)] ?? Number.NaN;
  return {
    perSecond: times.length / ((performance.now() - begun) / 1000),
    perCpuSecond: times.length / ((user + system) / 1e6),
    p50Ms: quantile(0.5),
    p99Ms: quantile(0.99),
    errors,
  };
}

/** Heap after a collection, and resident memory, as the checks go on. */
async function watchMemory(check: Attempt): Promise<void> {
  setFlagsFromString("--expose-gc");
  const collect = runInNewContext("gc") as () => void;
  console.log(`Memory over ${CHECKS} checks`);
  let left = 0;
  let failed = 0;
  const work = async () => {
    while (left-- > 0) if (!(await check())) failed += 1;
  };
  for (let done = 0; done <= CHECKS; done += STEP) {
    collect();
    const heapMb = process.memoryUsage().heapUsed / 1e6;
    const [heap, resident] = [heapMb.toFixed(2), residentMb(process.pid).toFixed(0)];
    console.log(`  after ${String(done).padStart(6)}  heap ${heap} MB  resident ${resident} MB`);
    left = done < CHECKS ? STEP : 0;
    await Promise.all(Array.from({ length: IN_PARALLEL }, work));
  }
  console.log(`  failed ${failed}\n`);
}
