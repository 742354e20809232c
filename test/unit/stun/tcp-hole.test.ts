import { once } from "node:events";
import { connect, createServer, type AddressInfo } from "node:net";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import type { Resolver } from "../../../src/probe/sockets.ts";
import { TcpHole, type TcpHoleOptions } from "../../../src/server/stun/tcp-hole.ts";
import { KeepAliveHost } from "../../support/keep-alive-host.ts";
import { ManualClock } from "../../support/manual-clock.ts";
import { countOpenSockets } from "../../support/open-sockets.ts";
import { seededChance } from "../../support/seeded-chance.ts";
import { StunServer, success } from "../../support/stun-server.ts";

const signal = new AbortController().signal;
const noNames: Resolver = { resolve: async () => [] };
/** Asks often, and waits for every answer, however busy the machine is. */
const quick = { intervalMs: 40, timeoutMs: 10_000, firstPauseMs: 20, longestPauseMs: 100 };

/** Where silence is what is tested. */
const impatient = { keepAlive: { ...quick, timeoutMs: 200 }, probeTimeoutMs: 300 };

let server: StunServer;
let host: KeepAliveHost;
let news: string[];
const holes: TcpHole[] = [];

beforeEach(async () => {
  server = await StunServer.start();
  host = await KeepAliveHost.start();
  news = [];
});

afterEach(async () => {
  for (const hole of holes.splice(0)) await hole.close();
  await server.stop();
  await host.stop().catch(() => {});
});

describe.each([
  ["a shared port", true],
  ["a port bound again and again", false],
])("with %s", (_, sharesPort) => {
  async function opened(options: Partial<TcpHoleOptions> = {}): Promise<TcpHole> {
    const hole = new TcpHole({
      localAddress: "127.0.0.1",
      localPort: 0,
      keepaliveHosts: [host.hostPort],
      clock: new ManualClock(1_000),
      chance: seededChance(1),
      resolver: noNames,
      events: {
        lost: (reason) => news.push(`lost: ${reason}`),
        renewed: () => news.push("renewed"),
        unheld: (reason) => news.push(`unheld: ${reason}`),
      },
      keepAlive: quick,
      probeTimeoutMs: 10_000,
      sharesPort,
      ...options,
    });
    holes.push(hole);
    await hole.open();
    return hole;
  }

  describe("probing", () => {
    test("the server's view of the port is observed, and probe and keep-alive share it", async () => {
      const hole = await opened();
      const { port } = hole.local;
      expect(await hole.probe(server.endpoint, signal)).toEqual({
        at: 1_000,
        server: `127.0.0.1:${server.endpoint.port}`,
        mapped: { address: "127.0.0.1", port },
        rttMs: expect.any(Number),
        error: null,
      });
      expect(host.requests[0]).toEqual({
        method: "HEAD",
        url: "/",
        host: `127.0.0.1:${host.hostPort.port}`,
        port,
      });
      expect(server.requests[0]?.port).toBe(port);
    });

    test("the same server is asked fifty times in a row, and many at the same time", async () => {
      const hole = await opened();
      for (let round = 0; round < 50; round++) {
        expect((await hole.probe(server.endpoint, signal)).mapped?.port).toBe(hole.local.port);
      }
      const many = Array.from({ length: 20 }, () => hole.probe(server.endpoint, signal));
      for (const { error } of await Promise.all(many)) expect(error).toBeNull();
      await expect.poll(() => server.resets).toBe(70);
      expect(host.resets).toBe(0);
      expect(host.connections).toHaveLength(1);
    });

    test("the mapping is held before the first probe", async () => {
      const order: string[] = [];
      host.answers = false;
      server.answer = ({ id, address, port }) => {
        order.push("probe");
        return [success(id, address, port)];
      };
      const hole = await opened();
      await expect.poll(() => host.requests.length).toBe(1);
      const probe = hole.probe(server.endpoint, signal);
      order.push("held");
      host.connections[0]?.write("HTTP/1.1 200 OK\r\n\r\n");
      await probe;
      expect(order).toEqual(["held", "probe"]);
    });

    test("an answer that comes byte by byte is read", async () => {
      const hole = await opened();
      server.writeTcp = (socket, bytes) => {
        socket.setNoDelay(true);
        const writeFrom = (at: number) => {
          if (at < bytes.length) socket.write(bytes.subarray(at, at + 1), () => writeFrom(at + 1));
        };
        writeFrom(0);
      };
      expect((await hole.probe(server.endpoint, signal)).mapped?.port).toBe(hole.local.port);
    });

    test.each([
      ["another id first", (id: Buffer) => success(Buffer.from(id.toReversed()), "203.0.113.9", 9)],
      ["nothing", () => Buffer.alloc(0)],
    ])("%s does not disturb the answer", async (_name, stray) => {
      const hole = await opened();
      server.answer = ({ id, address, port }) => [
        Buffer.concat([stray(id), success(id, address, port)]),
      ];
      expect((await hole.probe(server.endpoint, signal)).mapped?.address).toBe("127.0.0.1");
    });

    test.each([
      ["speaks HTTP", Buffer.from("HTTP/1.1 400 Bad Request\r\n\r\n"), /does not speak STUN/],
      ["announces a book", Buffer.from(`0101ff002112a442${"00".repeat(12)}`, "hex"), /not speak/],
      ["says nothing", Buffer.alloc(0), /no answer came in time/],
    ])("a server that %s is said to", async (_name, bytes, sentence) => {
      const hole = await opened(bytes.length > 0 ? {} : impatient);
      server.answer = () => (bytes.length > 0 ? [bytes] : []);
      const { error, mapped } = await hole.probe(server.endpoint, signal);
      expect(error).toMatch(sentence);
      expect(mapped).toBeNull();
    });

    test("a server that hangs up is said to", async () => {
      const hole = await opened();
      server.answer = () => {
        server.connections.at(-1)?.end();
        return [];
      };
      const { error } = await hole.probe(server.endpoint, signal);
      expect(error).toMatch(/closed the connection without an answer/);
    });

    test("a server that refuses is said to, and the hole goes on", async () => {
      const hole = await opened();
      const { error } = await hole.probe({ address: "127.0.0.1", port: 1 }, signal);
      expect(error).toBe("127.0.0.1:1 cannot be asked: the connection was refused (ECONNREFUSED)");
      expect((await hole.probe(server.endpoint, signal)).error).toBeNull();
      expect(news).toEqual([]);
    });

    test("whoever aborts gets the reason of the abort", async () => {
      const hole = await opened();
      server.answer = () => [];
      const controller = new AbortController();
      const probe = hole.probe(server.endpoint, controller.signal);
      controller.abort(new Error("no longer wanted"));
      await expect(probe).rejects.toThrow("no longer wanted");
      await expect(hole.probe(server.endpoint, controller.signal)).rejects.toThrow("no longer");
    });
  });

  describe("keep-alive", () => {
    test("something is asked on one connection again and again", async () => {
      const hole = await opened();
      await expect.poll(() => host.requests.length).toBeGreaterThan(4);
      expect(host.connections).toHaveLength(1);
      expect(hole.heldBy).toEqual(host.hostPort);
      expect(news).toEqual([]);
    });

    test("a host that has gone is replaced by the next", async () => {
      const second = await KeepAliveHost.start();
      const hole = await opened({ keepaliveHosts: [host.hostPort, second.hostPort] });
      await expect.poll(() => hole.heldBy).toEqual(host.hostPort);
      await host.stop();
      await expect.poll(() => hole.heldBy).toEqual(second.hostPort);
      expect(second.requests[0]?.port).toBe(hole.local.port);
      expect(news).toEqual(["renewed"]);
      await hole.close();
      await second.stop();
    });

    test("a host that falls silent is left, not reset", async () => {
      const second = await KeepAliveHost.start();
      const hole = await opened({
        ...impatient,
        keepaliveHosts: [host.hostPort, second.hostPort],
      });
      await expect.poll(() => hole.heldBy).toEqual(host.hostPort);
      host.answers = false;
      await expect.poll(() => hole.heldBy).toEqual(second.hostPort);
      expect(host.resets).toBe(0);
      await hole.close();
      await second.stop();
    });

    test("a host that closes each time gives way to one that stays", async () => {
      const hasty = createServer((socket) => {
        socket.on("error", () => {}).once("data", () => socket.end("HTTP/1.1 200 OK\r\n\r\n"));
      });
      hasty.listen(0, "127.0.0.1");
      await once(hasty, "listening");
      const first = { host: "127.0.0.1", port: (hasty.address() as AddressInfo).port };
      const hole = await opened({ keepaliveHosts: [first, host.hostPort] });
      await expect.poll(() => hole.heldBy).toEqual(host.hostPort);
      const { length } = host.requests;
      await expect.poll(() => host.requests.length).toBeGreaterThan(length + 4);
      expect(host.connections).toHaveLength(1);
      hasty.close();
    });

    test("while no host can be had it is said, probes go on, and one that comes back is taken", async () => {
      const dead = { host: "127.0.0.1", port: 1 };
      host.answers = false;
      const hole = await opened({ ...impatient, keepaliveHosts: [dead, host.hostPort] });
      await expect.poll(() => news.length).toBeGreaterThan(0);
      expect(news[0]).toBe(
        "unheld: No keep-alive host can be had (127.0.0.1:1: the connection was refused (ECONNREFUSED); " +
          `127.0.0.1:${host.hostPort.port}: no answer came in time)`,
      );
      expect((await hole.probe(server.endpoint, signal)).error).toBeNull();
      expect(hole.heldBy).toBeNull();
      host.answers = true;
      await expect.poll(() => hole.heldBy, { timeout: 10_000 }).toEqual(host.hostPort);
    });

    test("names are asked of the resolver, and only addresses of the right family are taken", async () => {
      const asked: string[] = [];
      const resolver: Resolver = {
        resolve: async (name) => {
          asked.push(name);
          return ["::1", "127.0.0.1"];
        },
      };
      const named = { host: "web.test", port: host.hostPort.port };
      const hole = await opened({ keepaliveHosts: [named], resolver });
      await expect.poll(() => hole.heldBy).toEqual(named);
      expect(asked).toEqual(["web.test"]);
      expect(host.requests[0]?.host).toBe(`web.test:${named.port}`);
    });

    test("without hosts there is none, and probing works", async () => {
      const hole = await opened({ keepaliveHosts: [] });
      expect((await hole.probe(server.endpoint, signal)).error).toBeNull();
      expect(hole.heldBy).toBeNull();
    });
  });

  describe("opening and closing", () => {
    test("a port that somebody else listens on is named, whatever options they use", async () => {
      for (const reusePort of [false, true]) {
        const other = createServer();
        other.listen({ host: "127.0.0.1", port: 0, reusePort });
        await once(other, "listening");
        const { port } = other.address() as AddressInfo;
        const failed = opened({ localPort: port });
        await expect(failed).rejects.toMatchObject({ code: "port_in_use" });
        await expect(failed).rejects.toThrow(`TCP 127.0.0.1:${port} is used by somebody else`);
        other.close();
      }
    });

    test("two holes do not share a port", async () => {
      const { port } = (await opened()).local;
      await expect(opened({ localPort: port })).rejects.toMatchObject({ code: "port_in_use" });
      await expect(opened({ localPort: port, localAddress: null })).rejects.toMatchObject({
        code: "port_in_use",
      });
    });

    test("an address that is not ours is named", async () => {
      const failed = opened({ localAddress: "203.0.113.77" });
      await expect(failed).rejects.toMatchObject({ code: "address_not_ours" });
    });

    test("a hole can be opened again at once on its port, although the old connections fade", async () => {
      const second = await KeepAliveHost.start();
      const keepaliveHosts = [host.hostPort, second.hostPort];
      const first = await opened({ keepaliveHosts });
      await first.probe(server.endpoint, signal);
      const { port } = first.local;
      await first.close();
      const again = await opened({ localPort: port, keepaliveHosts });
      expect(again.local.port).toBe(port);
      expect((await again.probe(server.endpoint, signal)).mapped?.port).toBe(port);
      await expect.poll(() => again.heldBy).not.toBeNull();
      await again.close();
      await second.stop();
    });

    test("without a target connections are turned away at once", async () => {
      const hole = await opened();
      await expect.poll(() => hole.heldBy).not.toBeNull();
      const client = connect(hole.local.port, "127.0.0.1");
      await expect(once(client, "close")).rejects.toMatchObject({ code: "ECONNRESET" });
      await expect.poll(() => hole.traffic.refused).toBe(1);
    });

    test("a probe under way ends when the hole is closed, and one after it fails", async () => {
      const hole = await opened();
      server.answer = () => [];
      const probe = hole.probe(server.endpoint, signal);
      await expect.poll(() => server.requests.length).toBe(1);
      await hole.close();
      expect((await probe).error).toBe("The hole was closed");
      expect((await hole.probe(server.endpoint, signal)).error).toBe("The hole is not open");
    });

    test("a hole may be closed twice, and while it opens", async () => {
      const before = countOpenSockets();
      const hole = await opened();
      await Promise.all([hole.close(), hole.close()]);
      const opening = hole.open();
      await hole.close();
      await opening;
      await expect.poll(countOpenSockets).toBe(before);
    });
  });
});
