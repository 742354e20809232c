import { afterEach, describe, expect, test } from "vitest";
import type { CheckTarget } from "../../../src/probe/probe.ts";
import { checkedTransports } from "../../../src/probe/server-address.ts";
import type { Handshake } from "../../../src/probe/verdict.ts";
import { digestOf } from "../../support/overlay-codec.ts";
import { OverlayPeer, type OverlayPeerOptions } from "../../support/overlay-peer.ts";
import { anyTarget, FakeResolver, realProbe, targetOf } from "../../support/probing.ts";

const peers: OverlayPeer[] = [];

afterEach(async () => {
  for (const peer of peers.splice(0)) await peer.close();
});

async function listen(options: OverlayPeerOptions): Promise<OverlayPeer> {
  const peer = await OverlayPeer.listen(options);
  peers.push(peer);
  return peer;
}

const ours: Partial<CheckTarget> = {};
const wrongSecret = { networkSecret: "guessed" };
const elsewhere = { networkName: "another-net" };
const anonymous = { networkName: "made-up", networkSecret: "", anonymous: true };

interface Row {
  node: string;
  options: OverlayPeerOptions;
  asked: Partial<CheckTarget>;
  handshake: Handshake;
  /** The node says nothing that would end the wait. */
  waits?: true;
}

const rows: Row[] = [
  { node: "a member", options: {}, asked: ours, handshake: "ok" },
  { node: "a member, chopped", options: { line: "chopped" }, asked: ours, handshake: "ok" },
  { node: "a talkative one", options: { mode: "talkative" }, asked: ours, handshake: "ok" },
  { node: "one with credentials", options: { mode: "credential" }, asked: ours, handshake: "ok" },
  { node: "an old one", options: { mode: "old" }, asked: ours, handshake: "ok" },
  { node: "a member", options: {}, asked: wrongSecret, handshake: "auth_failed" },
  { node: "an old one", options: { mode: "old" }, asked: wrongSecret, handshake: "auth_failed" },
  {
    node: "a lenient one",
    options: { mode: "lenient" },
    asked: wrongSecret,
    handshake: "auth_failed",
  },
  {
    node: "a forgetful one",
    options: { mode: "forgetful" },
    asked: ours,
    handshake: "refused",
    waits: true,
  },
  { node: "a relay", options: { foreign: "relay" }, asked: elsewhere, handshake: "shared" },
  { node: "a private one", options: {}, asked: elsewhere, handshake: "refused" },
  { node: "an old one", options: { mode: "old" }, asked: elsewhere, handshake: "refused" },
  { node: "a relay", options: { foreign: "relay" }, asked: anonymous, handshake: "refused" },
  { node: "a secure one", options: { mode: "secure" }, asked: ours, handshake: "secure_mode" },
  { node: "a secure one", options: { mode: "secure" }, asked: elsewhere, handshake: "refused" },
  { node: "a deaf one", options: { mode: "deaf" }, asked: ours, handshake: "refused", waits: true },
  {
    node: "a mute one",
    options: { mode: "mute" },
    asked: ours,
    handshake: "not_overlay",
    waits: true,
  },
  { node: "an echo", options: { mode: "echo" }, asked: ours, handshake: "not_overlay" },
  { node: "one that floods us", options: { mode: "floods" }, asked: ours, handshake: "refused" },
  {
    node: "another magic",
    options: { mode: "wrong-magic" },
    asked: ours,
    handshake: "not_overlay",
  },
  {
    node: "another version",
    options: { mode: "wrong-version" },
    asked: ours,
    handshake: "not_overlay",
  },
  {
    node: "a short digest",
    options: { mode: "short-digest" },
    asked: ours,
    handshake: "not_overlay",
  },
  {
    node: "another packet",
    options: { mode: "wrong-type" },
    asked: ours,
    handshake: "not_overlay",
  },
  { node: "junk", options: { mode: "junk" }, asked: ours, handshake: "not_overlay" },
  {
    node: "a packet too long",
    options: { mode: "oversize" },
    asked: ours,
    handshake: "not_overlay",
  },
  {
    node: "one that hangs up",
    options: { mode: "hangs-up" },
    asked: ours,
    handshake: "not_overlay",
  },
  {
    node: "silence",
    options: { line: "silent" },
    asked: ours,
    handshake: "not_overlay",
    waits: true,
  },
  { node: "a closed door", options: { line: "closes" }, asked: ours, handshake: "not_overlay" },
  { node: "a slammed door", options: { line: "resets" }, asked: ours, handshake: "not_overlay" },
  { node: "a web server", options: { line: "web-server" }, asked: ours, handshake: "not_overlay" },
  {
    node: "a drip of zeros",
    options: { line: { dripMs: 5, bytes: Buffer.alloc(100_000) } },
    asked: ours,
    handshake: "not_overlay",
    waits: true,
  },
];

describe.each(checkedTransports)("a check over %s", (transport) => {
  test.each(rows)("finds $handshake at $node", async ({ options, asked, handshake, waits }) => {
    const peer = await listen({ transport, ...options });
    const probe = realProbe(waits ? { handshakeMs: 200 } : {});
    const verdict = await probe.check(targetOf(peer.address, asked), anyTarget);
    expect(verdict).toEqual({ isOnline: true, latencyMs: expect.any(Number), handshake });
    expect(verdict.isOnline && Number.isInteger(verdict.latencyMs)).toBe(true);
    await peer.allClosed();
    expect(peer.connectionCount).toBe(1);
  });

  test("shows its secret to its own network only as a digest, and nothing when anonymous", async () => {
    const peer = await listen({ transport });
    const probe = realProbe();
    await probe.check(targetOf(peer.address), anyTarget);
    await probe.check(targetOf(peer.address, { anonymous: true }), anyTarget);
    const [first, second] = peer.nodes.map((node) => node.hellos[0]);
    expect(first).toMatchObject({
      networkName: "net",
      digest: digestOf("net", "secret"),
      version: 1,
      features: [],
    });
    expect(second?.digest).toEqual(Buffer.alloc(32));
    expect(first?.peerId).toBeGreaterThan(0);
    expect(first?.peerId).not.toBe(second?.peerId);
  });

  test("finds nothing when nobody listens", async () => {
    const peer = await OverlayPeer.listen({ transport });
    const { address } = peer;
    await peer.close();
    const verdict = await realProbe().check(targetOf(address), anyTarget);
    expect(verdict).toEqual({ isOnline: false, error: "Connection refused" });
  });
});

describe("a check over wss", () => {
  test("names the server it means, or the name that nodes give themselves", async () => {
    const peer = await listen({ transport: "wss" });
    const resolver = new FakeResolver({ "node.example": () => ["127.0.0.1"] });
    const probe = realProbe({ resolver });
    for (const server of [peer.address, `wss://node.example:${peer.port}`]) {
      expect(await probe.check(targetOf(server), anyTarget)).toMatchObject({ handshake: "ok" });
    }
    expect(peer.serverNames).toEqual(["localhost", "node.example"]);
  });
});

describe("a check of a server that has no TLS", () => {
  test("finds no overlay", async () => {
    const peer = await listen({ transport: "ws" });
    const server = peer.address.replace("ws:", "wss:");
    const verdict = await realProbe().check(targetOf(server), anyTarget);
    expect(verdict).toMatchObject({ isOnline: true, handshake: "not_overlay" });
    await peer.allClosed();
  });
});
