import { mkdtemp, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeAll, expect, test } from "vitest";
import { ServiceProcess } from "../durability/service-process.ts";
import { check, checkBatch, NETWORK_SECRET, nodeOf } from "../support/checks.ts";
import { bundled } from "../support/edge-bundle.ts";
import { startInVain } from "../support/fault-start.ts";
import { OverlayPeer } from "../support/overlay-peer.ts";
import { exchange, RawConnection } from "../support/raw-connection.ts";

const NETWORK = { name: "net", secret: NETWORK_SECRET };

let program: string;
let running: ServiceProcess | undefined;

beforeAll(async () => {
  program = join(await bundled(), "check-function.node.mjs");
});
afterEach(async () => {
  await running?.kill();
  running = undefined;
});

async function start(settings: Record<string, string> = {}): Promise<ServiceProcess> {
  running = await ServiceProcess.start({ PORT: "0", ...settings }, {}, program);
  return running;
}

function folder(): Promise<string> {
  return mkdtemp(join(tmpdir(), "waypost-edge-"));
}

/** Of a single check. */
function pathOf(server: string): string {
  return `/api/edgecheck/check?${new URLSearchParams({ ...nodeOf(server) }).toString()}`;
}

test("it is one file that needs nothing beside it, and says where it listens and nothing else", async () => {
  const peer = await OverlayPeer.listen({ network: NETWORK });
  const checks = await start();
  expect((await check(checks, nodeOf(peer.address))).body).toMatchObject({ handshake: "ok" });
  expect((await check(checks, nodeOf("tcp://127.0.0.1:0"))).status).toBe(400);
  expect((await checkBatch(checks, [nodeOf("wss://127.0.0.1:1")])).status).toBe(200);
  expect(await checks.terminate()).toBe(0);
  expect(checks.said).toBe(`The check function listens on ${checks.origin}\n`);
  await peer.close();
});

const wrong: [Record<string, string>, string][] = [
  [{ PORT: "70000" }, "WAYPOST_PORT must be a port from 0 to 65535"],
  [
    { PORT: "", HOST: "203.0.113.1" },
    "The host is not an address of this machine; see WAYPOST_HOST",
  ],
  [
    { CHECK_ALLOW: "10.0.0.0/40" },
    "WAYPOST_CHECK_ALLOW must be a comma-separated list of addresses and CIDR ranges",
  ],
  [{ CHECK_POLICY: "none" }, "WAYPOST_CHECK_POLICY must be auto or public or any"],
  [{ RATE_LIMIT: "maybe" }, "WAYPOST_RATE_LIMIT must be on or off"],
  [
    { CHECK_API_KEY: "two words" },
    "WAYPOST_CHECK_API_KEY must be 1–256 characters of ASCII without spaces and control characters",
  ],
  [{ CHECK_API_KEY_FILE: "absent" }, "WAYPOST_CHECK_API_KEY_FILE cannot be read: ENOENT"],
  [
    { TRUST_PROXY: "proxy" },
    "WAYPOST_TRUST_PROXY must be a comma-separated list of addresses and CIDR ranges",
  ],
];

test.each(wrong)("%o stops the start with one line", async (settings, line) => {
  const outcome = await startInVain({ PORT: "0", ...settings }, await folder(), program);
  expect(outcome).toEqual({ status: 1, out: "", err: `${line}\n` });
});

test("a port in use stops the start with one line", async () => {
  const first = await start();
  const { port } = new URL(first.origin);
  const { status, err } = await startInVain({ PORT: port }, await folder(), program);
  expect(status).toBe(1);
  expect(err).toBe("The port is in use already; choose another with WAYPOST_PORT\n");
});

test("settings are read from .env too, and the environment wins", async () => {
  const place = await folder();
  await writeFile(join(place, ".env"), "WAYPOST_RATE_LIMIT=never\nWAYPOST_PORT=70000\n");
  const { err } = await startInVain({ PORT: "0" }, place, program);
  expect(err).toBe("WAYPOST_RATE_LIMIT must be on or off\n");
});

test("the key may be in a file", async () => {
  const file = join(await folder(), "key");
  await writeFile(file, "a-key-in-a-file\n");
  const checks = await start({ CHECK_API_KEY_FILE: file });
  expect((await checks.request("GET", "/api/edgecheck/health")).status).toBe(401);
  const headers = { "x-api-key": "a-key-in-a-file" };
  expect((await checks.request("GET", "/api/edgecheck/health", { headers })).status).toBe(200);
});

test("a check that has begun is finished and answered before the end", async () => {
  const peer = await OverlayPeer.listen({ line: "silent" });
  const checks = await start();
  const answer = exchange(
    checks.origin,
    `GET ${pathOf(peer.address)} HTTP/1.1\r\nHost: 127.0.0.1\r\nConnection: close\r\n\r\n`,
  );
  await expect.poll(() => peer.connectionCount).toBe(1);
  const ended = checks.terminate();
  const { body } = await answer;
  expect(JSON.parse(body)).toMatchObject({ is_online: true, handshake: "not_overlay" });
  expect(await ended).toBe(0);
  await peer.close();
});

test("a caller that goes away takes its check with it", async () => {
  const peer = await OverlayPeer.listen({ line: "silent" });
  const checks = await start();
  const caller = await RawConnection.open(checks.origin);
  caller.send(`GET ${pathOf(peer.address)} HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n`);
  await expect.poll(() => peer.openCount).toBe(1);
  const startedAt = performance.now();
  caller.close();
  await peer.allClosed();
  expect(performance.now() - startedAt).toBeLessThan(1500);
  await peer.close();
});

test("who is not on this machine, or comes through something else, has public targets only", async () => {
  const checks = await start({ CHECK_ALLOW: "127.0.0.2" });
  const at = async (host: string, headers: Record<string, string>) =>
    (await check(checks, nodeOf(`tcp://${host}:1`), { headers })).body.error as string;
  expect(await at("127.0.0.1", {})).toBe("Connection refused");
  for (const headers of [
    { "x-forwarded-for": "203.0.113.9" },
    { forwarded: "for=203.0.113.9" },
    { host: "checks.example" },
  ]) {
    expect(await at("127.0.0.1", headers as Record<string, string>)).toContain("not checked");
    expect(await at("127.0.0.2", headers as Record<string, string>)).toBe("Connection refused");
  }
});

test.each([
  ["public", "Loopback addresses are not checked"],
  ["any", "Connection refused"],
])("the policy %s holds for everybody", async (policy, error) => {
  const checks = await start({ CHECK_POLICY: policy });
  const headers = { "x-forwarded-for": "203.0.113.9" };
  for (const options of [{}, { headers }]) {
    expect((await check(checks, nodeOf("tcp://127.0.0.1:1"), options)).body.error).toBe(error);
  }
});

test("callers are told apart by what trusted proxies say, and by nothing else", async () => {
  const checks = await start({ TRUST_PROXY: "127.0.0.1, 10.0.0.0/8", CHECK_POLICY: "any" });
  const twenty = Array.from({ length: 20 }, () => nodeOf("tcp://127.0.0.1:1"));
  const from = async (forwarded: string) =>
    (await checkBatch(checks, twenty, { headers: { "x-forwarded-for": forwarded } })).status;
  expect(await from("203.0.113.1")).toBe(200);
  expect(await from("203.0.113.1")).toBe(429);
  expect(await from("203.0.113.2, 10.1.1.1")).toBe(200);
  expect(await from("198.51.100.5, 203.0.113.2")).toBe(429);
  expect(await from("2001:db8:1:2::1")).toBe(200);
  expect(await from("2001:db8:1:2:ffff::1")).toBe(429);
});

test("without a trusted proxy nobody can say to be somebody else", async () => {
  const checks = await start({ CHECK_POLICY: "any" });
  const twenty = Array.from({ length: 20 }, () => nodeOf("tcp://127.0.0.1:1"));
  const from = async (forwarded: string) =>
    (await checkBatch(checks, twenty, { headers: { "x-forwarded-for": forwarded } })).status;
  expect(await from("203.0.113.1")).toBe(200);
  expect(await from("203.0.113.2")).toBe(429);
});

const UPLOAD = `POST /api/edgecheck/batch-check HTTP/1.1\r\nHost: 127.0.0.1\r\n`;

test("an upload without an end is refused as soon as it is too long", async () => {
  const { origin } = await start();
  const head = `${UPLOAD}Transfer-Encoding: chunked\r\n\r\n`;
  const answer = await exchange(origin, `${head}${(70_000).toString(16)}\r\n${"x".repeat(70_000)}`);
  expect(answer.status).toBe(413);
  expect(answer.headers["connection"]).toBe("close");
  expect(JSON.parse(answer.body).code).toBe("body_too_large");
});

test("an upload that breaks off is nothing to speak of", async () => {
  const checks = await start();
  const caller = await RawConnection.open(checks.origin);
  caller.send(`${UPLOAD}Content-Length: 100\r\n\r\n{"nodes":`);
  // Another request in between, so that the first has begun.
  expect((await checks.request("GET", "/api/edgecheck/health")).status).toBe(200);
  caller.close();
  expect((await checks.request("GET", "/api/edgecheck/health")).status).toBe(200);
  expect(await checks.terminate()).toBe(0);
  expect(checks.said).toBe(`The check function listens on ${checks.origin}\n`);
});

test("what is no proper request is refused with the usual body", async () => {
  const { origin } = await start();
  const tail = "Host: 127.0.0.1\r\nConnection: close\r\n\r\n";
  const cases: [string, number, string][] = [
    ["GET / HTTP/1.1\r\nno colon\r\n\r\n", 400, "invalid_request"],
    [`TRACE /api/edgecheck/check HTTP/1.1\r\n${tail}`, 405, "method_not_allowed"],
    [`GET /${"x".repeat(20_000)} HTTP/1.1\r\n${tail}`, 431, "headers_too_large"],
    [`GET //elsewhere/api/edgecheck/health HTTP/1.1\r\n${tail}`, 404, "not_found"],
    [`GET http://127.0.0.1/api/edgecheck/nothing HTTP/1.1\r\n${tail}`, 404, "not_found"],
    [`GET nowhere HTTP/1.1\r\n${tail}`, 400, "invalid_request"],
  ];
  for (const [text, status, code] of cases) {
    const answer = await exchange(origin, text);
    expect([answer.status, JSON.parse(answer.body).code]).toEqual([status, code]);
  }
});
