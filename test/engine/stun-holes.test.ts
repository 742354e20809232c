import { spawn } from "node:child_process";
import { createSocket } from "node:dgram";
import { once } from "node:events";
import { connect, createServer, type AddressInfo } from "node:net";
import { setImmediate as turn } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { systemClock } from "../../src/server/lib/clock.ts";
import type { Hole } from "../../src/server/stun/hole.ts";
import { TcpHole } from "../../src/server/stun/tcp-hole.ts";
import { UdpHole } from "../../src/server/stun/udp-hole.ts";
import { KeepAliveHost } from "../support/keep-alive-host.ts";
import { countOpenSockets } from "../support/open-sockets.ts";
import { seededChance } from "../support/seeded-chance.ts";
import { StunServer } from "../support/stun-server.ts";

const signal = new AbortController().signal;
const events = { lost: (reason: string) => expect.fail(reason) };

let server: StunServer;
let host: KeepAliveHost;

beforeEach(async () => {
  server = await StunServer.start();
  host = await KeepAliveHost.start();
});

afterEach(async () => {
  await server.stop();
  await host.stop();
});

function tcpHole(sharesPort: boolean, localPort = 0): TcpHole {
  return new TcpHole({
    localAddress: "127.0.0.1",
    localPort,
    keepaliveHosts: [host.hostPort],
    clock: systemClock,
    chance: seededChance(1),
    resolver: { resolve: async () => [] },
    events,
    keepAlive: { intervalMs: 200 },
    sharesPort,
  });
}

function udpHole(localPort = 0): UdpHole {
  return new UdpHole({ localAddress: "127.0.0.1", localPort, clock: systemClock, events });
}

interface Inbound {
  echoed: number;
  refused: number;
  probes: number;
  failedProbes: number;
}

/** Connects to the hole from outside, one after the other in each lane, while it is probed. */
async function connectWhileProbing(hole: TcpHole, count: number, lanes: number): Promise<Inbound> {
  const result: Inbound = { echoed: 0, refused: 0, probes: 0, failedProbes: 0 };
  const target = createServer((socket) => socket.on("error", () => {}).pipe(socket));
  target.listen(0, "127.0.0.1");
  await once(target, "listening");
  const { port } = target.address() as AddressInfo;
  hole.forward({ host: "127.0.0.1", port, proxyProtocol: false });
  let left = count;
  const lane = async () => {
    while (left-- > 0) {
      if (await isEchoed(hole.local.port)) result.echoed++;
      else result.refused++;
    }
  };
  const inbound = Promise.all(Array.from({ length: lanes }, lane));
  const over = new AbortController();
  const probing = (async () => {
    while (!over.signal.aborted) {
      const { mapped } = await hole.probe(server.endpoint, signal);
      result.probes++;
      if (mapped?.port !== hole.local.port) result.failedProbes++;
      await turn();
    }
  })();
  await inbound;
  over.abort();
  await probing;
  hole.forward(null);
  await once(target.close(), "close");
  return result;
}

async function isEchoed(port: number): Promise<boolean> {
  const socket = connect(port, "127.0.0.1");
  try {
    await once(socket, "connect");
    socket.write("hello");
    const [bytes] = (await once(socket, "data")) as [Buffer];
    return String(bytes) === "hello";
  } catch {
    return false;
  } finally {
    socket.destroy();
  }
}

describe("inbound connections while probing goes on", () => {
  test("of 1,000 none is refused where the port is shared", async () => {
    const hole = tcpHole(true);
    await hole.open();
    const result = await connectWhileProbing(hole, 1_000, 8);
    await hole.close();
    expect(result).toMatchObject({ echoed: 1_000, refused: 0, failedProbes: 0 });
    expect(result.probes).toBeGreaterThan(50);
    expect(hole.traffic).toMatchObject({ total: 1_000, refused: 0, bytesIn: 5_000 });
  });

  test("where the listener must make room for each probe, few are refused and no probe fails", async () => {
    const hole = tcpHole(false);
    await hole.open();
    const { port } = hole.local;
    const result = await connectWhileProbing(hole, 1_000, 1);
    expect(hole.local.port).toBe(port);
    await hole.close();
    expect(result.failedProbes).toBe(0);
    expect(result.probes).toBeGreaterThan(50);
    expect(result.echoed + result.refused).toBe(1_000);
    // Probing without a pause, far beyond any rule's interval.
    expect(result.refused).toBeLessThan(result.probes / 10);
  });
});

describe("sockets", () => {
  test.each([
    ["UDP", () => udpHole()],
    ["TCP on a shared port", () => tcpHole(true)],
    ["TCP on a port bound again and again", () => tcpHole(false)],
  ])("a hundred %s holes leave none behind", async (_, newHole: () => Hole) => {
    const target = { ...host.hostPort, proxyProtocol: false };
    const before = countOpenSockets();
    for (let round = 0; round < 100; round++) {
      const hole = newHole();
      await hole.open();
      hole.forward(target);
      const probe = hole.probe(server.endpoint, signal);
      // Some are stopped in the middle of a probe, some after it, some after a change of target.
      if (round % 3 > 0) await probe;
      if (round % 3 > 1) hole.forward({ ...target, proxyProtocol: true });
      if (hole.transport === "tcp") connect(hole.local.port, "127.0.0.1").on("error", () => {});
      else sendTo(hole.local.port);
      if (round % 2 > 0) await turn();
      await hole.close();
      await probe;
    }
    await expect.poll(() => server.connections.every(({ destroyed }) => destroyed)).toBe(true);
    await expect.poll(() => host.open).toBe(0);
    await expect.poll(countOpenSockets).toBe(before);
  });

  test("a process that is killed leaves its ports free at once", async () => {
    const program = fileURLToPath(new URL("../support/holes-process.ts", import.meta.url));
    const { host: name, port } = host.hostPort;
    const child = spawn(process.execPath, [program, name, String(port)], {
      stdio: ["ignore", "pipe", "inherit"],
    });
    const [line] = (await once(child.stdout, "data")) as [Buffer];
    const [udpPort, tcpPort] = JSON.parse(String(line)) as [number, number];
    await expect.poll(() => host.open, { timeout: 10_000 }).toBe(1);
    await expect(udpHole(udpPort).open()).rejects.toMatchObject({ code: "port_in_use" });
    await expect(tcpHole(true, tcpPort).open()).rejects.toMatchObject({ code: "port_in_use" });
    const exited = once(child, "exit");
    child.kill("SIGKILL");
    await exited;
    const holes = [udpHole(udpPort), tcpHole(true, tcpPort)];
    for (const hole of holes) {
      await hole.open();
      const { mapped } = await hole.probe(server.endpoint, signal);
      expect(mapped?.port).toBe(hole.local.port);
      await hole.close();
    }
  });
});

function sendTo(port: number): void {
  const socket = createSocket("udp4");
  socket.send("hello", port, "127.0.0.1", () => socket.close());
}
