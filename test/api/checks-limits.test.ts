import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { check, checkBatch, nodeOf, SilentNetwork } from "../support/checks.ts";
import { OverlayPeer } from "../support/overlay-peer.ts";
import { RawConnection } from "../support/raw-connection.ts";
import { startTestService, type TestService } from "../support/service.ts";

const KEY = "the-key-of-the-checks";
const node = nodeOf("tcp://127.0.0.1:1");
const from = (address: string) => ({ headers: { "x-forwarded-for": address } });
const batchOf = (count: number) => Array.from({ length: count }, () => node);

describe("the key of the check endpoints", () => {
  let service: TestService;
  beforeEach(async () => {
    service = await startTestService({ env: { CHECK_API_KEY: KEY, RATE_LIMIT: "on" } });
  });
  afterEach(() => service.stop());

  const paths = [
    ["GET", "/api/edgecheck/check?server=tcp://127.0.0.1:1&network_name=a&network_secret="],
    ["POST", "/api/edgecheck/batch-check"],
    ["GET", "/api/edgecheck/health"],
  ] as const;
  const body = { nodes: [node] };

  test.each(paths)("opens %s %s", async (method, path) => {
    const ask = (headers: Record<string, string>) =>
      service.request(method, path, { headers, ...(method === "POST" ? { body } : {}) });
    expect((await ask({ "x-api-key": KEY })).status).toBe(200);
    const none = await ask({});
    expect(none.status).toBe(401);
    expect(none.body.error).toBe("Send the key of the online checks in the header X-API-Key");
    expect(none.headers["www-authenticate"]).toBe("ApiKey");
    for (const wrong of [`${KEY}x`, KEY.slice(1), KEY.toUpperCase(), `${KEY}, ${KEY}`]) {
      const refused = await ask({ "x-api-key": wrong });
      expect(refused.status).toBe(401);
      expect(refused.body).toEqual({
        error: "The key in X-API-Key is wrong",
        code: "unauthorized",
      });
    }
  });

  test("is asked for before anything is said about the request", async () => {
    const answers = [
      await check(service, {}),
      await service.request("POST", "/api/edgecheck/batch-check", { raw: "{" }),
      await service.request("POST", "/api/edgecheck/batch-check", { body: { nodes: [] } }),
    ];
    expect(answers.map((each) => each.status)).toEqual([401, 401, 401]);
    const headers = { "x-api-key": KEY };
    expect((await check(service, {}, { headers })).status).toBe(400);
  });

  test("cannot be found by trying: the right one is refused as well after 30 wrong ones", async () => {
    const health = (key: string) =>
      service.request("GET", "/api/edgecheck/health", { headers: { "x-api-key": key } });
    for (let n = 0; n < 30; n++) expect((await health(`wrong ${n}`)).status).toBe(401);
    const refused = await health(KEY);
    expect(refused.status).toBe(429);
    expect(refused.headers["retry-after"]).toBe("2");
    service.clock.advance(2000);
    expect((await health(KEY)).status).toBe(200);
  });

  test("is optional where none is set", async () => {
    const open = await startTestService();
    const headers = { "x-api-key": "whatever" };
    expect((await open.request("GET", "/api/edgecheck/health", { headers })).status).toBe(200);
    expect((await check(open, node)).status).toBe(200);
    await open.stop();
  });
});

describe("one caller", () => {
  let service: TestService;
  beforeEach(async () => {
    service = await startTestService({ env: { RATE_LIMIT: "on", TRUST_PROXY: "true" } });
  });
  afterEach(() => service.stop());

  test("may have 30 checks at once and then one every two seconds", async () => {
    for (let n = 0; n < 30; n++) expect((await check(service, node)).status).toBe(200);
    const refused = await check(service, node);
    expect(refused.status).toBe(429);
    expect(refused.headers["retry-after"]).toBe("2");
    expect(refused.body).toEqual({
      error: "Only 30 checks a minute are done for one caller; try again in 2 s",
      code: "rate_limited",
    });
    expect((await check(service, node, from("203.0.113.9"))).status).toBe(200);
    expect((await service.request("GET", "/api/edgecheck/health")).status).toBe(200);
    service.clock.advance(2000);
    expect((await check(service, node)).status).toBe(200);
    expect((await check(service, node)).status).toBe(429);
  });

  test("has a batch counted as its nodes", async () => {
    expect((await checkBatch(service, batchOf(20))).status).toBe(200);
    const refused = await checkBatch(service, batchOf(11));
    expect(refused.status).toBe(429);
    expect(refused.headers["retry-after"]).toBe("2");
    expect((await checkBatch(service, batchOf(10))).status).toBe(200);
    expect((await check(service, node)).status).toBe(429);
  });

  test("pays nothing for a request that is wrong", async () => {
    for (let n = 0; n < 40; n++) {
      expect((await check(service, { ...node, server: "x" })).status).toBe(400);
    }
    expect((await checkBatch(service, batchOf(20))).status).toBe(200);
    expect((await checkBatch(service, batchOf(10))).status).toBe(200);
  });

  test("is a whole IPv6 network", async () => {
    expect((await checkBatch(service, batchOf(20), from("2001:db8:1:2::1"))).status).toBe(200);
    expect((await checkBatch(service, batchOf(20), from("2001:db8:1:2::2"))).status).toBe(429);
    expect((await checkBatch(service, batchOf(20), from("2001:db8:1:3::1"))).status).toBe(200);
  });
});

describe("all callers together", () => {
  const AT_ONCE = 64;
  const WAITING = 256;
  let network: SilentNetwork;
  let service: TestService;
  let callers: RawConnection[];

  beforeEach(async () => {
    network = new SilentNetwork();
    callers = [];
    service = await startTestService({ checks: { sockets: network, timeoutMs: 25_000 } });
  });
  afterEach(async () => {
    for (const caller of callers) caller.close();
    await service.stop();
  });

  /** Sends a batch of 20 on a connection of its own, and does not wait for the answer. */
  async function occupy(): Promise<RawConnection> {
    const connection = await RawConnection.open(service.origin);
    callers.push(connection);
    const body = JSON.stringify({ nodes: batchOf(20) });
    connection.send(
      "POST /api/edgecheck/batch-check HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Type: application/json\r\n" +
        `Content-Length: ${body.length}\r\n\r\n${body}`,
    );
    return connection;
  }

  /** Resolves once as many checks run and wait. */
  async function underWay(running: number, waiting: number): Promise<void> {
    const wanted = `waypost_checks_running ${running}\n[^]*waypost_checks_waiting ${waiting}\n`;
    let metrics = "";
    while (!new RegExp(wanted).test(metrics)) {
      metrics = (await service.request("GET", "/metrics")).body as string;
    }
  }

  test("have 64 checks at once, 256 more wait, and what comes then is refused", async () => {
    for (let n = 0; n < (AT_ONCE + WAITING) / 20; n++) await occupy();
    await underWay(AT_ONCE, WAITING);
    expect(network.started).toBe(AT_ONCE);
    // The limit per caller is lifted, this one is not.
    const refused = await check(service, node);
    expect(refused.status).toBe(429);
    expect(refused.headers["retry-after"]).toBe("5");
    expect(refused.body).toEqual({
      error: "Too many checks are under way; try again in 5 s",
      code: "rate_limited",
    });

    // Whoever hangs up gives its slots to those who wait, and its places to those who come.
    callers[0]?.close();
    await underWay(AT_ONCE, WAITING - 20);
    expect(network.started).toBe(AT_ONCE + 20);
    await occupy();
    await underWay(AT_ONCE, WAITING);
    expect((await check(service, node)).status).toBe(429);
  });

  test("leave nothing behind when they have all hung up", async () => {
    for (let n = 0; n < 5; n++) await occupy();
    await underWay(AT_ONCE, 36);
    for (const caller of callers) caller.close();
    await underWay(0, 0);
    expect(network.ended).toBe(network.started);
  });

  test("are told at once when the service stops", async () => {
    const caller = await occupy();
    await underWay(20, 0);
    await service.service.stop();
    const answer = await caller.answer();
    expect(answer.status).toBe(503);
    expect(answer.headers["retry-after"]).toBe("2");
    expect(JSON.parse(answer.body)).toEqual({
      error: "The service is stopping",
      code: "not_ready",
    });
    expect(network.ended).toBe(20);
  });
});

describe("twenty targets that say nothing", () => {
  const LIMIT_MS = 400;

  test("are answered in the time of one when no connection opens", async () => {
    const sockets = new SilentNetwork();
    const service = await startTestService({ checks: { sockets, timeoutMs: LIMIT_MS } });
    const startedAt = performance.now();
    const { status, body } = await checkBatch(service, batchOf(20));
    const tookMs = performance.now() - startedAt;
    await service.stop();
    expect(status).toBe(200);
    for (const result of body.results) {
      expect(result).toMatchObject({ is_online: false, error: "Timed out after 0.4 s" });
    }
    expect(tookMs).toBeGreaterThanOrEqual(LIMIT_MS - 5);
    expect(tookMs).toBeLessThan(LIMIT_MS * 3);
  });

  test("and when connections open and no handshake comes", async () => {
    const peers = await Promise.all(
      Array.from({ length: 20 }, () => OverlayPeer.listen({ line: "silent" })),
    );
    const service = await startTestService({ checks: { handshakeMs: LIMIT_MS } });
    const startedAt = performance.now();
    const nodes = peers.map((peer) => nodeOf(peer.address));
    const { body } = await checkBatch(service, nodes);
    const tookMs = performance.now() - startedAt;
    await service.stop();
    await Promise.all(peers.map((peer) => peer.close()));
    for (const result of body.results) {
      expect(result).toMatchObject({ is_online: true, handshake: "not_overlay" });
    }
    expect(tookMs).toBeLessThan(LIMIT_MS * 3);
  });
});
