import { afterEach, describe, expect, test } from "vitest";
import { NodeSockets } from "../../../src/probe/node/sockets.ts";
import { DialError } from "../../../src/probe/sockets.ts";
import { OverlayPeer } from "../../support/overlay-peer.ts";
import { anyTarget, realProbe, targetOf } from "../../support/probing.ts";

const sockets = new NodeSockets();
const forever = new AbortController().signal;
const reason = new Error("called off");
const peers: OverlayPeer[] = [];

afterEach(async () => {
  for (const peer of peers.splice(0)) await peer.close();
});

async function silentPeer(): Promise<OverlayPeer> {
  const peer = await OverlayPeer.listen({ line: "silent" });
  peers.push(peer);
  return peer;
}

describe("the sockets of Node", () => {
  test.each(["localhost", "", "127.1", "0x7f000001"])(
    "dial no %j, only addresses",
    async (text) => {
      await expect(sockets.connect(text, 80, forever)).rejects.toEqual(
        new DialError("failed", "Only IP addresses can be dialled"),
      );
    },
  );

  test("say plainly that nobody listens", async () => {
    const peer = await OverlayPeer.listen();
    const { port } = peer;
    await peer.close();
    await expect(sockets.connect("127.0.0.1", port, forever)).rejects.toEqual(
      new DialError("refused", "Connection refused"),
    );
  });

  test("dial nothing when it was called off before", async () => {
    const peer = await silentPeer();
    const signal = AbortSignal.abort(reason);
    await expect(sockets.connect("127.0.0.1", peer.port, signal)).rejects.toBe(reason);
    expect(peer.connectionCount).toBe(0);
  });

  test("leave no connection when it is called off on the way", async () => {
    const peer = await silentPeer();
    const calling = new AbortController();
    const connecting = sockets.connect("127.0.0.1", peer.port, calling.signal);
    calling.abort(reason);
    await expect(connecting).rejects.toBe(reason);
    await peer.allClosed();
  });

  test("end what waits for a connection that is closed", async () => {
    const peer = await silentPeer();
    const connection = await sockets.connect("127.0.0.1", peer.port, forever);
    const reading = connection.read();
    const securing = connection.secure("localhost");
    connection.close();
    connection.close();
    await expect(reading).rejects.toThrow("closed");
    await expect(securing).rejects.toThrow("closed");
    await expect(connection.read()).rejects.toThrow("closed");
    await expect(connection.write(Buffer.from("a"))).rejects.toThrow("destroyed");
    await peer.allClosed();
  });
});

describe("a check over real sockets that is called off", () => {
  test.each(["tcp", "ws", "wss"] as const)("leaves no connection, over %s", async (transport) => {
    const peer = await silentPeer();
    const calling = new AbortController();
    const server = `${transport}://127.0.0.1:${peer.port}`;
    const checking = realProbe().check(targetOf(server), anyTarget, calling.signal);
    checking.catch(() => {});
    while (peer.connectionCount === 0) await new Promise((resolve) => setImmediate(resolve));
    calling.abort(reason);
    await expect(checking).rejects.toBe(reason);
    await peer.allClosed();
  });
});

describe("twenty silent servers", () => {
  test("take the time of one", async () => {
    const all = await Promise.all(Array.from({ length: 20 }, silentPeer));
    const probe = realProbe({ handshakeMs: 300 });
    const startedAt = performance.now();
    const verdicts = await Promise.all(
      all.map((peer) => probe.check(targetOf(peer.address), anyTarget)),
    );
    expect(performance.now() - startedAt).toBeLessThan(1500);
    for (const verdict of verdicts) expect(verdict).toMatchObject({ handshake: "not_overlay" });
    await Promise.all(all.map((peer) => peer.allClosed()));
  });
});
