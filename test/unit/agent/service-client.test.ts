import { afterEach, beforeEach, expect, test } from "vitest";
import { waitAfterFailure, waitAfterRefusal } from "../../../src/agent/back-off.ts";
import type { Report } from "../../../src/agent/report.ts";
import { ServiceClient } from "../../../src/agent/service-client.ts";
import { ProviderServer, type Reply } from "../../support/provider-server.ts";

const answer = { message: "", used_traffic: 1.5, max_traffic: 0, reset_date: "2030-01-01" };
const report: Report = {
  id: "id-1",
  madeAt: 0,
  bytes: 1_234_567_891n,
  load: {
    bandwidth: 2e6,
    connections: 4,
    status: "online",
    version: "v".repeat(99),
    intervalSeconds: 60,
  },
};
const never = new AbortController().signal;

let server: ProviderServer;
let reply: Reply;
beforeEach(async () => {
  reply = { status: 200, body: answer };
  server = await ProviderServer.listen(() => reply);
});
afterEach(() => server.close());

function send(url = server.url, signal = never) {
  const identity = { email: "a@example.org", nodeName: "relay-1", token: "secret" };
  return new ServiceClient(url, identity, () => 0).report(report, signal);
}

test("a report says what the protocol has words for, within its limits", async () => {
  expect(await send(`${server.url}/base`)).toEqual({
    kind: "accepted",
    answer: { usedTraffic: 1.5, resetDate: "2030-01-01" },
  });
  const { url, method, body } = server.received[0] ?? {};
  expect([method, url?.pathname]).toEqual(["POST", "/base/api/report"]);
  expect(JSON.parse(String(body))).toEqual({
    node_name: "relay-1",
    email: "a@example.org",
    token: "secret",
    current_bandwidth: 1e6,
    reported_traffic: 1.234567891,
    connection_count: 4,
    status: "online",
    report_id: "id-1",
    interval_seconds: 60,
    version: "v".repeat(64),
  });
});

test.each<[Reply, string, string]>([
  [
    { status: 400, body: { error: "It is odd" } },
    "refused",
    "The service refuses the report (400): It is odd",
  ],
  [{ status: 401, body: "" }, "refused", "asks for a log-in (401)"],
  [
    { status: 403, body: { error: "The node is past its valid_until date" } },
    "refused",
    "(403): The node is past",
  ],
  [
    { status: 404, body: { error: "No node" } },
    "refused",
    "knows no node with this name and e-mail",
  ],
  [{ status: 410, body: "" }, "refused", "takes no reports any more (410)"],
  [{ status: 200, body: "<html>" }, "refused", "What answers at --url is no Waypost service"],
  [
    { status: 302, headers: { location: "https://b.example/" } },
    "refused",
    "has moved to https://b.example/",
  ],
  [{ status: 500, body: { error: "Oh" } }, "failed", "The service answered 500: Oh"],
  [{ status: 408, body: "" }, "failed", "The service answered 408"],
])("an answer is understood: %j", async (given, kind, sentence) => {
  reply = given;
  expect(await send()).toMatchObject({ kind, why: expect.stringContaining(sentence) });
});

test.each([429, 503])("%i with Retry-After says when to come again", async (status) => {
  reply = { status, headers: { "retry-after": "17" }, body: {} };
  expect(await send()).toMatchObject({ kind: "failed", retryAfterMs: 17_000 });
});

test("the token goes nowhere but where it was sent", async () => {
  const other = await ProviderServer.listen();
  reply = { status: 307, headers: { location: `${other.url}/api/report` } };
  expect(await send()).toMatchObject({ kind: "refused" });
  expect(other.received).toEqual([]);
  await other.close();
});

test("a service that cannot be reached, or is given up, is a failure and no exception", async () => {
  const { url } = server;
  await server.close();
  expect(await send(url)).toMatchObject({ kind: "failed", why: "Nothing listens at --url" });
  expect(await send(url, AbortSignal.abort())).toMatchObject({ kind: "failed" });
  server = await ProviderServer.listen();
});

test("waits grow to a minute, are never shorter than asked for, and are spread", () => {
  const waits = [1, 2, 3, 4, 30].map((failures) => waitAfterFailure(failures, undefined, () => 1));
  expect(waits).toEqual([500, 1_000, 2_000, 4_000, 60_000]);
  expect(waitAfterFailure(30, undefined, () => 0)).toBe(30_000);
  expect(waitAfterFailure(1, 20_000, () => 0)).toBe(20_000);
  expect(waitAfterFailure(1, 20_000, () => 0.5)).toBe(20_250);
  expect(waitAfterFailure(30, 0, () => 1)).toBe(60_000);
  expect([waitAfterRefusal(() => 0), waitAfterRefusal(() => 1)]).toEqual([240_000, 360_000]);
});
