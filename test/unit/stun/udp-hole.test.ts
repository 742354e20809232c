import { createSocket } from "node:dgram";
import { once } from "node:events";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { HoleError } from "../../../src/server/stun/hole.ts";
import { UdpHole, type UdpHoleOptions } from "../../../src/server/stun/udp-hole.ts";
import { UdpSocket } from "../../../src/server/stun/udp-socket.ts";
import { ManualClock } from "../../support/manual-clock.ts";
import { countOpenSockets } from "../../support/open-sockets.ts";
import { failure, StunServer, success } from "../../support/stun-server.ts";

const clock = new ManualClock(1_000);
const signal = new AbortController().signal;
const quick = { sendsAtMs: [0, 20, 60], timeoutMs: 120 } as const;
/** One request for each answer, however busy the machine is. */
const patient = { sendsAtMs: [0], timeoutMs: 10_000 } as const;

let server: StunServer;
const holes: UdpHole[] = [];

beforeEach(async () => {
  server = await StunServer.start();
});

afterEach(async () => {
  for (const hole of holes.splice(0)) await hole.close();
  await server.stop();
});

async function opened(options: Partial<UdpHoleOptions> = {}): Promise<UdpHole> {
  const hole = new UdpHole({
    localAddress: "127.0.0.1",
    localPort: 0,
    clock,
    events: { lost: (reason) => expect.fail(reason) },
    plan: patient,
    ...options,
  });
  holes.push(hole);
  await hole.open();
  return hole;
}

describe("probing", () => {
  test("the server's view of the port is observed", async () => {
    const hole = await opened();
    const observation = await hole.probe(server.endpoint, signal);
    expect(observation).toEqual({
      at: 1_000,
      server: `127.0.0.1:${server.endpoint.port}`,
      mapped: { address: "127.0.0.1", port: hole.local.port },
      rttMs: expect.any(Number),
      error: null,
    });
  });

  test("all requests of a hole leave from one port, each with an id of its own", async () => {
    const hole = await opened();
    for (let round = 0; round < 20; round++) await hole.probe(server.endpoint, signal);
    expect(new Set(server.requests.map(({ port }) => port))).toEqual(new Set([hole.local.port]));
    expect(new Set(server.requests.map(({ id }) => id.toString("hex"))).size).toBe(20);
  });

  test("a request is the bare header that every server understands", async () => {
    const hole = await opened();
    await hole.probe(server.endpoint, signal);
    const [request] = server.requests;
    expect(request?.bytes.subarray(0, 8).toString("hex")).toBe("000100002112a442");
    expect(request?.bytes.length).toBe(20);
  });

  test("a lost request is repeated with the same id, and then nobody knows the round-trip time", async () => {
    const hole = await opened({ plan: { ...quick, timeoutMs: 10_000 } });
    server.answer = ({ id, address, port }) =>
      server.requests.length < 3 ? [] : [success(id, address, port)];
    const { mapped, rttMs } = await hole.probe(server.endpoint, signal);
    expect(mapped?.port).toBe(hole.local.port);
    expect(rttMs).toBeNull();
    expect(new Set(server.requests.map(({ id }) => id.toString("hex"))).size).toBe(1);
  });

  test("requests follow the plan, then the server is given up", async () => {
    const hole = await opened({ plan: quick });
    server.answer = () => [];
    const startedAt = performance.now();
    const { mapped, error } = await hole.probe(server.endpoint, signal);
    expect(mapped).toBeNull();
    expect(error).toBe(`127.0.0.1:${server.endpoint.port} did not answer within 0.12 s`);
    expect(performance.now() - startedAt).toBeGreaterThanOrEqual(118);
    const sentAt = server.requests.map(({ at }) => at - startedAt);
    expect(sentAt).toHaveLength(3);
    for (const [index, dueMs] of quick.sendsAtMs.entries()) {
      expect(sentAt[index]).toBeGreaterThanOrEqual(dueMs - 2);
    }
  });

  test("an error of the server is said in its words, without control characters", async () => {
    const hole = await opened();
    server.answer = ({ id }) => [failure(id, 420, "Unknown\r\n\u001b[31m Attribute")];
    const { error, mapped, rttMs } = await hole.probe(server.endpoint, signal);
    expect(error).toBe(
      `127.0.0.1:${server.endpoint.port} answered with the error 420 Unknown   [31m Attribute`,
    );
    expect([mapped, rttMs]).toEqual([null, null]);
  });

  test.each([
    ["no address", "", "answered without an address"],
    ["port 0", "00200008000121125e12a443", "answered without an address"],
    ["what must be understood", "7ffe0000", "demands what is unknown here: 0x7ffe"],
  ])("an answer with %s is a failure", async (_, body, sentence) => {
    const hole = await opened();
    server.answer = ({ id }) => {
      const attributes = Buffer.from(body, "hex");
      const head = Buffer.from([1, 1, 0, attributes.length, 0x21, 0x12, 0xa4, 0x42]);
      return [Buffer.concat([head, id, attributes])];
    };
    const { error } = await hole.probe(server.endpoint, signal);
    expect(error).toBe(`127.0.0.1:${server.endpoint.port} ${sentence}`);
  });

  test("several servers are asked at the same time through the one port", async () => {
    const others = await Promise.all([StunServer.start(), StunServer.start()]);
    const hole = await opened();
    try {
      const servers = [server, ...others];
      const observations = await Promise.all(
        Array.from({ length: 30 }, (_, index) =>
          hole.probe((servers[index % 3] as StunServer).endpoint, signal),
        ),
      );
      for (const { mapped } of observations) expect(mapped?.port).toBe(hole.local.port);
      for (const each of servers) expect(each.requests).toHaveLength(10);
    } finally {
      for (const other of others) await other.stop();
    }
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

  test("a server of the other address family is not asked", async () => {
    const hole = await opened();
    const { error } = await hole.probe({ address: "::1", port: 3478 }, signal);
    expect(error).toBe("[::1]:3478 is of another address family than the hole");
  });

  test("IPv6 works like IPv4", async () => {
    const hole = await opened({ localAddress: "::1" });
    const echo = createSocket("udp6");
    echo.on("message", (bytes, { port }) => {
      const mask = bytes.subarray(4, 20);
      const loopback = [...Array.from({ length: 15 }, () => 0), 1];
      const xored = loopback.map((octet, index) => octet ^ (mask[index] ?? 0));
      const head = [0x01, 0x01, 0x00, 0x18, ...mask, 0x00, 0x20, 0x00, 0x14, 0x00, 0x02];
      const answer = [...head, (port ^ 0x2112) >> 8, (port ^ 0x2112) & 0xff, ...xored];
      echo.send(Buffer.from(answer), port, "::1");
    });
    echo.bind(0, "::1");
    await once(echo, "listening");
    const { mapped } = await hole.probe({ address: "::1", port: echo.address().port }, signal);
    expect(mapped).toEqual({ address: "::1", port: hole.local.port });
    echo.close();
  });
});

describe("answers that are none", () => {
  test("an answer with the right id from another address is ignored, and the true one counts", async () => {
    const hole = await opened();
    const forger = await StunServer.start();
    server.answer = ({ id, address, port }) => {
      forger.send(success(id, "203.0.113.9", 9), port);
      setTimeout(() => server.send(success(id, address, port), port), 10);
      return [];
    };
    const { mapped } = await hole.probe(server.endpoint, signal);
    expect(mapped).toEqual({ address: "127.0.0.1", port: hole.local.port });
    expect(hole.strays).toEqual({ late: 0, forged: 1 });
    await forger.stop();
  });

  test("guessed ids, other cookies, cut and garbled answers are not believed", async () => {
    const hole = await opened();
    server.answer = ({ id, address, port }) => {
      const good = success(id, address, port);
      const lie = success(id, "203.0.113.9", 9);
      const guessed = success(Buffer.alloc(12, 7), "203.0.113.9", 9);
      const cookieless = Buffer.from(lie).fill(0, 4, 8);
      const request = Buffer.from(lie).fill(0, 0, 1);
      const garbled = Buffer.from(lie).fill(9, 25, 26);
      return [guessed, cookieless, lie.subarray(0, 24), request, garbled, good];
    };
    const { mapped } = await hole.probe(server.endpoint, signal);
    expect(mapped).toEqual({ address: "127.0.0.1", port: hole.local.port });
    expect(hole.strays.forged).toBe(3);
  });

  test("late and repeated answers are ignored, and not relayed", async () => {
    const target = createSocket("udp4");
    const relayed: string[] = [];
    target.on("message", (bytes) => relayed.push(String(bytes)));
    target.bind(0, "127.0.0.1");
    await once(target, "listening");
    const hole = await opened();
    hole.forward({ host: "127.0.0.1", port: target.address().port, proxyProtocol: false });
    server.answer = ({ id, address, port }) => {
      const good = success(id, address, port);
      return [good, good, success(id, "203.0.113.9", 9)];
    };
    const first = await hole.probe(server.endpoint, signal);
    server.answer = () => [];
    const { port } = hole.local;
    server.send(Buffer.from("traffic"), port);
    await once(target, "message");
    expect(first.mapped?.address).toBe("127.0.0.1");
    expect(hole.strays).toEqual({ late: 2, forged: 0 });
    expect(relayed).toEqual(["traffic"]);
    target.close();
  });
});

describe("opening and closing", () => {
  test("a port that somebody else uses is named", async () => {
    const { port } = (await opened()).local;
    const failed = opened({ localPort: port });
    await expect(failed).rejects.toThrow(`UDP 127.0.0.1:${port} is used by somebody else`);
    await expect(failed).rejects.toBeInstanceOf(HoleError);
    await expect(failed).rejects.toMatchObject({ code: "port_in_use" });
  });

  test("an address that is not ours is named", async () => {
    const failed = opened({ localAddress: "203.0.113.77" });
    await expect(failed).rejects.toMatchObject({ code: "address_not_ours" });
    await expect(failed).rejects.toThrow("is no address of this host");
  });

  test("nobody else can take the port while the hole is open", async () => {
    const { port } = (await opened()).local;
    const thief = createSocket({ type: "udp4", reuseAddr: true });
    thief.bind(port, "127.0.0.1");
    const [error] = (await once(thief, "error")) as [NodeJS.ErrnoException];
    expect(error.code).toBe("EADDRINUSE");
    thief.close();
  });

  test("a probe under way ends when the hole is closed, and one after it fails", async () => {
    const hole = await opened();
    server.answer = () => [];
    const probe = hole.probe(server.endpoint, signal);
    await hole.close();
    expect((await probe).error).toBe("The hole was closed");
    expect((await hole.probe(server.endpoint, signal)).error).toContain("not open");
  });

  test("a send that the system refuses is an observation", async () => {
    const hole = await opened({ plan: quick });
    const observation = await hole.probe({ address: "255.255.255.255", port: 3478 }, signal);
    expect(observation.error).toMatch(/^Nothing can be sent to 255\.255\.255\.255:3478: .*\(E/);
  });

  test("a hole may be closed twice, while it opens, and opened again on the same port", async () => {
    const hole = await opened();
    const { port } = hole.local;
    await Promise.all([hole.close(), hole.close()]);
    const again = await opened({ localPort: port });
    expect(again.local.port).toBe(port);
    await again.close();
    const opening = again.open();
    await again.close();
    await opening;
    await opened({ localPort: port });
  });

  test("a hundred holes that were opened, used and closed leave no socket behind", async () => {
    const target = { host: "127.0.0.1", port: server.endpoint.port, proxyProtocol: false };
    const before = countOpenSockets();
    for (let round = 0; round < 100; round++) {
      const hole = await opened();
      hole.forward(target);
      server.send(Buffer.from([0x80, 1, 2, 3]), hole.local.port);
      const probe = hole.probe(server.endpoint, signal);
      if (round % 3 > 0) await probe;
      expect(countOpenSockets()).toBeGreaterThan(before);
      await hole.close();
      await probe;
    }
    await new Promise((resolve) => setImmediate(resolve));
    expect(countOpenSockets()).toBe(before);
  });
});

test("a packet whose sender gave no port is answered by nobody, and breaks nothing", async () => {
  const socket = new UdpSocket("127.0.0.1", 0, { onMessage: () => {}, onError: () => {} });
  await socket.open();
  try {
    const nobody = { address: "127.0.0.1", port: 0 };
    expect(() => socket.post(Buffer.from("an answer"), nobody)).not.toThrow();
  } finally {
    await socket.close();
  }
});
