import { createSocket, type Socket } from "node:dgram";
import { once } from "node:events";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import type { Endpoint } from "../../../src/server/stun/endpoint.ts";
import type { Traffic } from "../../../src/server/stun/hole.ts";
import { UdpRelay, type UdpRelayLimits } from "../../../src/server/stun/relay-udp.ts";
import { TargetAddress, type Lookup } from "../../../src/server/stun/target-address.ts";
import { countOpenSockets } from "../../support/open-sockets.ts";

let target: Socket;
let relay: UdpRelay;
let traffic: Traffic;
const replies: { text: string; to: Endpoint }[] = [];
let arrived: (() => void) | undefined;

const client = (last: number): Endpoint => ({ address: `192.0.2.${last}`, port: 5000 });
const packet = (text: string) => Buffer.from(text);

beforeEach(async () => {
  target = createSocket("udp4");
  target.bind(0, "127.0.0.1");
  await once(target, "listening");
});

afterEach(() => {
  relay.close();
  target.close();
  replies.length = 0;
});

function start(limits: Partial<UdpRelayLimits> = {}, host = "127.0.0.1", lookup?: Lookup): void {
  traffic = { open: 0, total: 0, refused: 0, bytesIn: 0, bytesOut: 0 };
  relay = new UdpRelay({
    target: new TargetAddress({ host, port: target.address().port }, lookup),
    reply: (bytes, to) => {
      replies.push({ text: String(bytes), to });
      arrived?.();
    },
    traffic,
    limits,
  });
}

function nextReply(): Promise<void> {
  return new Promise((resolve) => (arrived = resolve));
}

function echo(): void {
  target.on("message", (bytes, { port }) => target.send(bytes, port, "127.0.0.1"));
}

describe("sessions", () => {
  test("answers of the target find the client they are for", async () => {
    echo();
    start();
    relay.receive(packet("one"), client(1));
    await nextReply();
    relay.receive(packet("two!"), client(2));
    await nextReply();
    expect(replies).toEqual([
      { text: "one", to: client(1) },
      { text: "two!", to: client(2) },
    ]);
    expect(traffic).toEqual({ open: 2, total: 2, refused: 0, bytesIn: 7, bytesOut: 7 });
  });

  test("the target sees a port of its own for each client, and the same one again", async () => {
    start();
    const ports: number[] = [];
    target.on("message", (_, { port }) => ports.push(port));
    for (const last of [1, 2, 1, 2]) {
      relay.receive(packet("x"), client(last));
      await once(target, "message");
    }
    expect(ports[2]).toBe(ports[0]);
    expect(ports[3]).toBe(ports[1]);
    expect(ports[0]).not.toBe(ports[1]);
  });

  test("packets that come before the session stands are kept in their order", async () => {
    start();
    const texts: string[] = [];
    target.on("message", (bytes) => texts.push(String(bytes)));
    for (const text of ["a", "b", "c"]) relay.receive(packet(text), client(1));
    while (texts.length < 3) await once(target, "message");
    expect(texts).toEqual(["a", "b", "c"]);
  });

  test("a session without packets ends, and its socket with it", async () => {
    const before = countOpenSockets();
    start({ idleMs: 40 });
    relay.receive(packet("x"), client(1));
    await once(target, "message");
    expect(countOpenSockets()).toBe(before + 1);
    await expect.poll(() => traffic.open).toBe(0);
    await expect.poll(countOpenSockets).toBe(before);
    relay.receive(packet("x"), client(1));
    await once(target, "message");
    expect(traffic.total).toBe(2);
  });

  test("a session that is used lasts, whoever sends", async () => {
    const IDLE_MS = 200;
    const wait = () => new Promise((resolve) => setTimeout(resolve, IDLE_MS / 4));
    start({ idleMs: IDLE_MS });
    relay.receive(packet("x"), client(1));
    const [, { port }] = (await once(target, "message")) as [Buffer, { port: number }];
    for (let turn = 0; turn < 8; turn++) {
      await wait();
      target.send("only the target speaks", port, "127.0.0.1");
    }
    for (let turn = 0; turn < 8; turn++) {
      await wait();
      relay.receive(packet("only the client speaks"), client(1));
    }
    expect(traffic).toMatchObject({ open: 1, total: 1 });
  });

  test("packets for a target that is still looked for do not pile up", async () => {
    const found = Promise.withResolvers<{ address: string }>();
    start({}, "nas.test", () => found.promise);
    const texts: string[] = [];
    target.on("message", (bytes) => texts.push(String(bytes)));
    for (let sent = 0; sent < 100; sent++) relay.receive(packet(`${sent}`), client(1));
    found.resolve({ address: "127.0.0.1" });
    await once(target, "message");
    relay.receive(packet("last"), client(1));
    await expect.poll(() => texts.at(-1)).toBe("last");
    expect(texts).toHaveLength(33);
  });

  test("a session that ends while its target is looked for leaves no socket", async () => {
    const before = countOpenSockets();
    const found = Promise.withResolvers<{ address: string }>();
    start({}, "nas.test", () => found.promise);
    relay.receive(packet("x"), client(1));
    relay.close();
    found.resolve({ address: "127.0.0.1" });
    await new Promise((resolve) => setTimeout(resolve, 20));
    expect(countOpenSockets()).toBe(before);
    expect(traffic).toMatchObject({ open: 0, total: 1 });
  });

  test("closing ends all sessions", async () => {
    const before = countOpenSockets();
    start();
    for (let last = 1; last <= 50; last++) relay.receive(packet("x"), client(last));
    await once(target, "message");
    relay.close();
    await expect.poll(countOpenSockets).toBe(before);
    expect(traffic.open).toBe(0);
  });
});

describe("limits", () => {
  test("a client that was never answered gives way, one that was stays", async () => {
    echo();
    start({ sessions: 2 });
    relay.receive(packet("good"), client(1));
    await nextReply();
    target.removeAllListeners("message");
    for (let last = 2; last <= 100; last++) relay.receive(packet("flood"), client(last));
    expect(traffic).toMatchObject({ open: 2, total: 100, refused: 98 });
    echo();
    relay.receive(packet("newest"), client(100));
    await expect.poll(() => replies.map(({ text }) => text)).toContain("newest");
    relay.receive(packet("still here"), client(1));
    await expect.poll(() => replies.map(({ text }) => text)).toContain("still here");
  });

  test("when all clients are answered a further one is refused", async () => {
    echo();
    start({ sessions: 2 });
    for (const last of [1, 2]) {
      relay.receive(packet("x"), client(last));
      await nextReply();
    }
    relay.receive(packet("x"), client(3));
    expect(traffic).toMatchObject({ open: 2, total: 2, refused: 1 });
  });
});

describe("the target", () => {
  test("one that nobody listens at costs nothing, and answers as soon as it is there", async () => {
    start();
    const { port } = target.address();
    target.close();
    await once(target, "close");
    for (let round = 0; round < 3; round++) {
      relay.receive(packet("too early"), client(1));
      await new Promise((resolve) => setTimeout(resolve, 5));
    }
    target = createSocket("udp4");
    target.bind(port, "127.0.0.1");
    await once(target, "listening");
    echo();
    const reply = nextReply();
    relay.receive(packet("now"), client(1));
    await reply;
    expect(replies).toEqual([{ text: "now", to: client(1) }]);
    expect(traffic).toMatchObject({ open: 1, total: 1 });
  });

  test("its name is looked up once for many sessions", async () => {
    echo();
    let lookups = 0;
    start({}, "nas.test", async () => {
      lookups++;
      return { address: "127.0.0.1" };
    });
    for (let last = 1; last <= 10; last++) relay.receive(packet("x"), client(last));
    await expect.poll(() => replies.length).toBe(10);
    expect(lookups).toBe(1);
  });

  test("a name without an address refuses the session", async () => {
    start({}, "nowhere.test", () => Promise.reject(new Error("no such name")));
    relay.receive(packet("x"), client(1));
    await expect.poll(() => traffic).toMatchObject({ open: 0, total: 1, refused: 1 });
  });

  test("one that there is no way to refuses the session, and nothing breaks", async () => {
    // To connect to the broadcast address is not permitted: it fails as a network that is gone does.
    start({}, "255.255.255.255");
    relay.receive(packet("x"), client(1));
    await expect.poll(() => traffic).toMatchObject({ open: 0, total: 1, refused: 1, bytesIn: 0 });
  });
});
