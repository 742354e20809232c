import { afterAll, afterEach, beforeAll, describe, expect, test } from "vitest";
import { join } from "node:path";
import { check, checkBatch, NETWORK_SECRET, nodeOf } from "../support/checks.ts";
import { bundled } from "../support/edge-bundle.ts";
import { HttpsNameServer } from "../support/https-name-server.ts";
import { OverlayPeer, type OverlayPeerOptions } from "../support/overlay-peer.ts";
import { WorkerFunction } from "../support/worker-function.ts";

const NETWORK = { name: "net", secret: NETWORK_SECRET };

let script: string;
let names: HttpsNameServer;
let worker: WorkerFunction;
const peers: OverlayPeer[] = [];

beforeAll(async () => {
  script = join(await bundled(), "check-function.worker.js");
  names = await HttpsNameServer.listen({
    "v4.example": { records: [{ type: 1, data: "127.0.0.1" }] },
    "v6.example": { records: [{ type: 28, data: "::1" }] },
    "alias.example": {
      records: [
        { type: 5, data: "v4.example." },
        { type: 1, data: "127.0.0.1" },
      ],
    },
    "private.example": { records: [{ type: 1, data: "10.0.0.1" }] },
    "nonsense.example": { records: [{ type: 1, data: "v4.example" }] },
    "failing.example": { status: 2 },
    "garbled.example": { text: "<html>" },
    "strange.example": { text: '{"Status":"0"}' },
    "slow.example": "silence",
  });
  worker = await WorkerFunction.start(script, {
    CHECK_ALLOW: "127.0.0.1, ::1",
    CHECK_DNS_URL: names.url,
    RATE_LIMIT: "off",
  });
});
afterEach(async () => {
  await Promise.all(peers.splice(0).map((peer) => peer.close()));
});
afterAll(async () => {
  await worker.stop();
  await names.close();
});

async function listen(options: OverlayPeerOptions = {}): Promise<OverlayPeer> {
  const peer = await OverlayPeer.listen({ network: NETWORK, ...options });
  peers.push(peer);
  return peer;
}

async function resultOf(server: string): Promise<unknown> {
  return (await check(worker, nodeOf(server))).body;
}

describe("an isolate", () => {
  test.each(["tcp", "ws"] as const)(
    "shakes hands over %s and leaves no connection",
    async (transport) => {
      const peer = await listen({ transport });
      expect(await resultOf(peer.address)).toEqual({
        is_online: true,
        connection_count: 0,
        latency_ms: expect.any(Number) as number,
        check_time: expect.stringMatching(/^\d{4}-\d\d-\d\dT.*Z$/) as string,
        handshake: "ok",
      });
      await peer.allClosed();
    },
  );

  test("cannot accept a certificate that is not valid: online all the same", async () => {
    const peer = await listen({ transport: "wss" });
    expect(await resultOf(peer.address)).toMatchObject({ is_online: true, handshake: "not_tried" });
    await peer.allClosed();
  });

  test.each(["closes", "web-server"] as const)(
    "does not take a TLS connection that ends for a verdict: a server that %s",
    async (line) => {
      const peer = await listen({ transport: "tcp", line });
      const server = peer.address.replace("tcp:", "wss:");
      expect(await resultOf(server)).toMatchObject({ is_online: true, handshake: "not_tried" });
    },
  );

  test("dials IPv6 addresses", async () => {
    const peer = await listen({ host: "::1" });
    expect(await resultOf(peer.address)).toMatchObject({ handshake: "ok" });
  });

  test("runs at most six checks of a batch at a time, answered in their order", async () => {
    const peer = await listen();
    const dead = "tcp://127.0.0.1:1";
    const servers = Array.from({ length: 20 }, (_, n) => (n % 3 === 0 ? dead : peer.address));
    let most = 0;
    const watch = setInterval(() => (most = Math.max(most, peer.openCount)), 0);
    const { status, body } = await checkBatch(worker, servers.map(nodeOf));
    clearInterval(watch);
    expect(status).toBe(200);
    expect(body.results.map((each: { is_online: boolean }) => each.is_online)).toEqual(
      servers.map((each) => each !== dead),
    );
    expect(most).toBeLessThanOrEqual(6);
    await peer.allClosed();
  });

  test("has 64 checks at once: eleven batches of six are one too many", async () => {
    const peer = await listen({ line: "silent" });
    const six = Array.from({ length: 6 }, () => nodeOf(peer.address));
    const answers = await Promise.all(Array.from({ length: 11 }, () => checkBatch(worker, six)));
    const statuses = answers.map(({ status }) => status);
    expect(statuses.filter((each) => each === 200)).toHaveLength(10);
    expect(statuses.filter((each) => each === 429)).toHaveLength(1);
    expect((await checkBatch(worker, [nodeOf("tcp://127.0.0.1:1")])).status).toBe(200);
  });
});

describe("names", () => {
  test.each(["v4.example", "v6.example", "alias.example", "V4.Example."])(
    "such as %s are found by asking over HTTPS",
    async (name) => {
      const host = name.startsWith("v6") ? "::1" : "127.0.0.1";
      const peer = await listen({ host });
      expect(await resultOf(`tcp://${name}:${peer.port}`)).toMatchObject({ handshake: "ok" });
    },
  );

  test("are asked for once, and for IPv6 only where there is no IPv4", async () => {
    const before = names.asked.length;
    await resultOf("tcp://v4.example:1");
    await resultOf("tcp://v6.example:1");
    expect(names.asked.slice(before)).toEqual(["v4.example A", "v6.example A", "v6.example AAAA"]);
  });

  test.each([
    ["private.example", "Private addresses are not checked"],
    ["nonsense.example", "Only IP addresses are checked"],
    ["absent.example", "The name has no address"],
    ["failing.example", "The name could not be resolved: the resolver answers with code 2"],
    ["garbled.example", "The name could not be resolved: the resolver does not answer"],
    ["strange.example", "The name could not be resolved: the resolver's answer is none"],
    ["slow.example", "The name could not be resolved in time"],
  ])("such as %s are not dialled", async (name, error) => {
    expect(await resultOf(`tcp://${name}:1`)).toMatchObject({ is_online: false, error });
  });
});

describe("its settings", () => {
  let other: WorkerFunction;
  const start = async (settings: Record<string, string>) =>
    (other = await WorkerFunction.start(script, settings));
  afterEach(() => other.stop());

  test("allow public targets only, unless ranges are opened", async () => {
    await start({});
    expect((await check(other, nodeOf("tcp://127.0.0.1:1"))).body).toMatchObject({
      is_online: false,
      error: "Loopback addresses are not checked",
    });
  });

  test.each([
    [
      { CHECK_ALLOW: "everything" },
      "WAYPOST_CHECK_ALLOW must be a comma-separated list of addresses and CIDR ranges",
    ],
    [
      { CHECK_DNS_URL: "ftp://names.example" },
      "WAYPOST_CHECK_DNS_URL must be a URL that begins with https:// or http://",
    ],
    [{ RATE_LIMIT: "maybe" }, "WAYPOST_RATE_LIMIT must be on or off"],
  ])("are named when they are wrong: %o", async (settings, error) => {
    await start(settings);
    const answer = await other.request("GET", "/api/edgecheck/health");
    expect(answer.status).toBe(500);
    expect(answer.body).toEqual({ error, code: "internal" });
  });

  test("limit a caller and ask for the key as anywhere", async () => {
    await start({ CHECK_API_KEY: "the-key" });
    const headers = { "x-api-key": "the-key" };
    const twenty = Array.from({ length: 20 }, () => nodeOf("tcp://127.0.0.1:1"));
    expect((await checkBatch(other, twenty)).status).toBe(401);
    expect((await checkBatch(other, twenty, { headers })).status).toBe(200);
    expect((await checkBatch(other, twenty, { headers })).status).toBe(429);
  });

  test("are the only thing it keeps: it says nothing about what it was asked", async () => {
    await start({ CHECK_ALLOW: "127.0.0.1" });
    const peer = await listen();
    await check(other, nodeOf(peer.address));
    await checkBatch(other, [nodeOf(peer.address), nodeOf("tcp://127.0.0.1:1")]);
    await check(other, { ...nodeOf("nowhere"), network_name: "" });
    // Here it does speak, of the certificate, which shows that it is listened to.
    const untrusted = await listen({ transport: "wss" });
    await check(other, nodeOf(untrusted.address));
    await expect.poll(() => other.said).toContain("certificate");
    expect(other.said).not.toMatch(new RegExp(`${NETWORK_SECRET}|network_|edgecheck`));
  });
});
