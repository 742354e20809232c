import { createHash, randomBytes } from "node:crypto";
import { once } from "node:events";
import { connect, createServer, type AddressInfo, type Server, type Socket } from "node:net";
import { setImmediate as turn } from "node:timers/promises";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import type { Traffic } from "../../../src/server/stun/hole.ts";
import { TcpRelay, type TcpRelayParts } from "../../../src/server/stun/relay-tcp.ts";
import { TargetAddress } from "../../../src/server/stun/target-address.ts";
import { countOpenSockets } from "../../support/open-sockets.ts";

let front: Server;
let target: Server;
let relay: TcpRelay;
let traffic: Traffic;
const clients: Socket[] = [];
const served: Socket[] = [];

beforeEach(async () => {
  target = createServer({ allowHalfOpen: true }, (socket) =>
    served.push(socket.on("error", () => {})),
  );
  front = createServer({ allowHalfOpen: true }, (socket) => relay.accept(socket));
  for (const server of [target, front]) {
    server.listen(0, "127.0.0.1");
    await once(server, "listening");
  }
  start();
});

afterEach(() => {
  relay.close();
  for (const socket of [...clients.splice(0), ...served.splice(0)]) socket.destroy();
  front.close();
  target.close();
});

const portOf = (server: Server) => (server.address() as AddressInfo).port;

function start(parts: Partial<TcpRelayParts> = {}): void {
  traffic = { open: 0, total: 0, refused: 0, bytesIn: 0, bytesOut: 0 };
  relay = new TcpRelay({
    target: new TargetAddress({ host: "127.0.0.1", port: portOf(target) }),
    proxyProtocol: false,
    traffic,
    ...parts,
  });
}

/** A client, and the connection of the relay that the target got for it. */
async function joined(): Promise<[client: Socket, server: Socket]> {
  const client = dial();
  await once(target, "connection");
  return [client, served.at(-1) as Socket];
}

function dial(): Socket {
  const client = connect({ host: "127.0.0.1", port: portOf(front), allowHalfOpen: true });
  client.on("error", () => {});
  clients.push(client);
  return client;
}

function digest(bytes: Buffer): string {
  return createHash("sha256").update(bytes).digest("hex");
}

/** All that comes. Reading by iteration would destroy the socket with what it still has to write. */
async function readAll(socket: Socket, pause = async () => {}): Promise<Buffer> {
  const pieces: Buffer[] = [];
  const over = once(socket, "end");
  socket.on("data", (piece) => {
    pieces.push(piece);
    socket.pause();
    void pause().then(() => socket.resume());
  });
  await over;
  return Buffer.concat(pieces);
}

async function threeTurns(): Promise<void> {
  for (let turns = 0; turns < 3; turns++) await turn();
}

async function ended(socket: Socket): Promise<string | undefined> {
  await once(socket, "close").catch(() => {});
  return socket.errored ? (socket.errored as NodeJS.ErrnoException).code : "in order";
}

describe("splicing", () => {
  test("megabytes arrive unchanged in both directions, and are counted", async () => {
    const [client, server] = await joined();
    const up = randomBytes(8_000_000);
    const down = randomBytes(5_000_000);
    client.end(up);
    server.end(down);
    const [atServer, atClient] = await Promise.all([readAll(server), readAll(client)]);
    expect(digest(atServer)).toBe(digest(up));
    expect(digest(atClient)).toBe(digest(down));
    await expect
      .poll(() => traffic)
      .toEqual({ open: 0, total: 1, refused: 0, bytesIn: 8_000_000, bytesOut: 5_000_000 });
  });

  test("readers that are slow get everything, too", async () => {
    const [client, server] = await joined();
    const bytes = randomBytes(6_000_000);
    client.end(bytes);
    server.end(bytes);
    const [atServer, atClient] = await Promise.all([
      readAll(server, threeTurns),
      readAll(client, threeTurns),
    ]);
    expect(digest(atServer)).toBe(digest(bytes));
    expect(digest(atClient)).toBe(digest(bytes));
  });

  test("the target can answer after the client has ended its half", async () => {
    const [client, server] = await joined();
    client.end("question");
    expect(String(await readAll(server))).toBe("question");
    expect(traffic.open).toBe(1);
    server.end("answer");
    expect(String(await readAll(client))).toBe("answer");
    await expect.poll(() => traffic.open).toBe(0);
  });

  test("the client can go on after the target has ended its half", async () => {
    const [client, server] = await joined();
    server.end("banner");
    expect(String(await readAll(client))).toBe("banner");
    client.end("still talking");
    expect(String(await readAll(server))).toBe("still talking");
  });

  test("a target that reads nothing holds the client back instead of filling our memory", async () => {
    const [client, server] = await joined();
    server.pause();
    const chunk = Buffer.alloc(1_000_000);
    let written = 0;
    const pump = () => {
      while (written < 200 && client.write(chunk)) written++;
      if (written < 200) client.once("drain", pump);
    };
    pump();
    const before = process.memoryUsage().arrayBuffers;
    let seen = -1;
    await expect
      .poll(() => {
        const isStill = traffic.bytesIn === seen && seen > 0;
        seen = traffic.bytesIn;
        return isStill;
      })
      .toBe(true);
    expect(traffic.bytesIn).toBeLessThan(60_000_000);
    expect(process.memoryUsage().arrayBuffers - before).toBeLessThan(30_000_000);
  });

  test("a reset of the client reaches the target as a reset", async () => {
    const [client, server] = await joined();
    server.resume();
    client.resetAndDestroy();
    expect(await ended(server)).toBe("ECONNRESET");
  });

  test("a reset of the target reaches the client as a reset", async () => {
    const [client, server] = await joined();
    server.write("the relay has joined them");
    await once(client, "data");
    server.resetAndDestroy();
    expect(await ended(client)).toBe("ECONNRESET");
  });

  test("closing cuts what flows", async () => {
    const before = countOpenSockets();
    const [client, server] = await joined();
    client.resume();
    client.write("flowing");
    await once(server.resume(), "data");
    relay.close();
    await Promise.all([ended(client), ended(server)]);
    await expect.poll(() => traffic.open).toBe(0);
    expect(countOpenSockets()).toBe(before);
    expect(await ended(dial().resume())).toBe("ECONNRESET");
  });
});

describe("limits and failures", () => {
  test("a connection more than allowed is refused, the others live on", async () => {
    start({ limits: { connections: 1 } });
    const [client, server] = await joined();
    expect(await ended(dial().resume())).toBe("ECONNRESET");
    expect(traffic).toMatchObject({ open: 1, total: 1, refused: 1 });
    client.end("alive");
    expect(String(await readAll(server))).toBe("alive");
  });

  test("a connection that stands lasts, however little time it had to be made", async () => {
    start({ limits: { connectTimeoutMs: 100 } });
    const [client, server] = await joined();
    await new Promise((resolve) => setTimeout(resolve, 250));
    client.end("alive");
    expect(String(await readAll(server))).toBe("alive");
    expect(traffic.refused).toBe(0);
  });

  test("a target that nobody listens at resets the client", async () => {
    target.close();
    await once(target, "close");
    expect(await ended(dial().resume())).toBe("ECONNRESET");
    await expect.poll(() => traffic).toMatchObject({ open: 0, total: 1, refused: 1 });
  });

  test("a name that is not found in time refuses the client", async () => {
    const never = new TargetAddress({ host: "slow.test", port: 1 }, () => new Promise(() => {}));
    start({ target: never, limits: { connectTimeoutMs: 30 } });
    expect(await ended(dial().resume())).toBe("ECONNRESET");
    await expect.poll(() => traffic).toMatchObject({ open: 0, refused: 1 });
  });

  test("a client that gives up while the target is looked for leaves nothing behind", async () => {
    const found = Promise.withResolvers<{ address: string }>();
    const slow = { host: "slow.test", port: portOf(target) };
    start({ target: new TargetAddress(slow, () => found.promise) });
    const before = countOpenSockets();
    const client = dial();
    await once(front, "connection");
    client.resetAndDestroy();
    await expect.poll(() => traffic.open).toBe(0);
    found.resolve({ address: "127.0.0.1" });
    await expect.poll(countOpenSockets).toBe(before);
    expect(served).toHaveLength(0);
    const [next] = await joined();
    next.write("x");
    await expect.poll(() => traffic.bytesIn).toBe(1);
    expect(served).toHaveLength(1);
  });
});

describe("the PROXY protocol", () => {
  test("the target learns who the client is before the first byte", async () => {
    start({ proxyProtocol: true });
    const [client, server] = await joined();
    client.end("hello");
    const bytes = await readAll(server);
    expect(bytes.toString("hex", 0, 16)).toBe("0d0a0d0a000d0a515549540a2111000c");
    expect([...bytes.subarray(16, 24)]).toEqual([127, 0, 0, 1, 127, 0, 0, 1]);
    expect(bytes.readUInt16BE(24)).toBe(client.localPort);
    expect(bytes.readUInt16BE(26)).toBe(portOf(front));
    expect(bytes.toString("utf8", 28)).toBe("hello");
    expect(traffic.bytesIn).toBe(5);
  });

  test("a client that was gone before it could be announced is refused, and nothing breaks", async () => {
    const found = Promise.withResolvers<{ address: string }>();
    const slow = { host: "slow.test", port: portOf(target) };
    start({ target: new TargetAddress(slow, () => found.promise), proxyProtocol: true });
    // What is not read does not show its end.
    const unread = createServer({ allowHalfOpen: true, pauseOnConnect: true }, (socket) =>
      relay.accept(socket),
    );
    unread.listen(0, "127.0.0.1");
    await once(unread, "listening");
    try {
      const client = connect({ host: "127.0.0.1", port: portOf(unread) });
      await Promise.all([once(client, "connect"), once(unread, "connection")]);
      client.resetAndDestroy();
      await once(client, "close");
      found.resolve({ address: "127.0.0.1" });
      await expect.poll(() => traffic).toMatchObject({ open: 0, total: 1, refused: 1 });
    } finally {
      unread.close();
    }
  });
});
