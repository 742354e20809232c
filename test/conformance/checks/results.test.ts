import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { join } from "../../support/accounts.ts";
import { check, checkBatch } from "../../support/checks.ts";
import { createNode, sendReport } from "../../support/nodes.ts";
import { OverlayPeer } from "../../support/overlay-peer.ts";
import { checkCases, expectedAt, NETWORK, type CheckCase } from "./cases.ts";
import { places, startSetUp, type SetUp } from "./set-ups.ts";

const OWNER = "owner@example.com";
const SILENT_NODES = 20;

let closed: string;

beforeAll(async () => {
  const peer = await OverlayPeer.listen();
  closed = peer.address;
  await peer.close();
});

/** The node of a case, and what to ask about it. */
async function stage({ peer, server, asked }: CheckCase) {
  const node = peer && (await OverlayPeer.listen({ network: NETWORK, ...peer }));
  const question = {
    server: server?.replace("PORT", String(node?.port)) ?? node?.address ?? closed,
    network_name: NETWORK.name,
    network_secret: NETWORK.secret,
    ...asked,
  };
  return { node, question };
}

/** A whole result with those fields: nothing else may be in it. */
function wholeResult(expected: { is_online: boolean; handshake?: string; error?: string }) {
  const check_time = expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/) as string;
  const some = expect.any(Number) as number;
  const latency_ms = expected.is_online ? some : -1;
  return { connection_count: 0, latency_ms, check_time, ...expected };
}

describe.concurrent.each(places)("checked by %s", (place) => {
  let setUp: SetUp;
  beforeAll(async () => {
    setUp = await startSetUp(place);
  });
  afterAll(() => setUp.stop());

  test.concurrent.each(checkCases)("$title", async (each) => {
    const { node, question } = await stage(each);
    const { status, body } = await check(setUp.service, question);
    expect(status).toBe(200);
    expect(body).toEqual(wholeResult(expectedAt(place, each.expected)));
    expect(Number.isInteger(body.latency_ms)).toBe(true);
    expect(body.latency_ms).toBeGreaterThanOrEqual(body.is_online ? 0 : -1);
    await node?.allClosed();
    await node?.close();
  });

  test.concurrent("all of them in batches, in their order", async () => {
    for (let start = 0; start < checkCases.length; start += 20) {
      const cases = checkCases.slice(start, start + 20);
      const staged = await Promise.all(cases.map(stage));
      const questions = staged.map(({ question }) => question);
      const { status, body } = await checkBatch(setUp.service, questions);
      expect(status).toBe(200);
      expect(body).toEqual({
        results: cases.map(({ expected }) => wholeResult(expectedAt(place, expected))),
      });
      for (const { node } of staged) await node?.close();
    }
  });

  test.concurrent("20 silent nodes take one time-out, not twenty", async () => {
    const peer = await OverlayPeer.listen({ line: "silent" });
    const silent = {
      server: peer.address,
      network_name: NETWORK.name,
      network_secret: NETWORK.secret,
    };
    const startedAt = performance.now();
    const nodes = Array.from({ length: SILENT_NODES }, () => silent);
    const { status, body } = await checkBatch(setUp.service, nodes);
    const seconds = (performance.now() - startedAt) / 1000;
    expect(status).toBe(200);
    const expected = wholeResult({ is_online: true, handshake: "not_overlay" });
    expect(body.results).toEqual(nodes.map(() => expected));
    // Waiting for the time-out of others is no part of the latency.
    for (const { latency_ms } of body.results) expect(latency_ms).toBeLessThan(1500);
    expect(Math.floor(seconds / 3)).toBe(1);
    await peer.allClosed();
    await peer.close();
  });

  test.concurrent("a node of this registry: the service alone knows its connections", async () => {
    const peer = await OverlayPeer.listen({ network: NETWORK });
    const session = await join(setUp.service, OWNER);
    const connections = [{ type: "TCP", ip: "127.0.0.1", port: peer.port }];
    const node = await createNode(setUp.service, session, { connections });
    await sendReport(setUp.service, OWNER, node, { connection_count: 7 });
    const { body } = await check(setUp.service, {
      server: peer.address,
      network_name: NETWORK.name,
      network_secret: NETWORK.secret,
    });
    expect(body.connection_count).toBe(place === "the service" ? 7 : 0);
    await peer.close();
  });

  test.concurrent("health", async () => {
    const health = { status: "ok", service: "waypost-edgecheck" };
    const timestamp = expect.stringMatching(/^\d{4}-\d\d-\d\dT.*Z$/) as string;
    const mode = place === "the service" ? "local" : "remote";
    const { body } = await setUp.service.request("GET", "/api/edgecheck/health");
    expect(body).toEqual({ ...health, mode, timestamp });
    const checker = setUp.checkFunction ?? setUp.service;
    const own = await checker.request("GET", "/api/edgecheck/health");
    expect(own.body).toEqual({ ...health, mode: "local", timestamp });
  });
});
