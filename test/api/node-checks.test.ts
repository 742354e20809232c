import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { ADMIN, join, logIn } from "../support/accounts.ts";
import { CheckedFleet, placeOf } from "../support/checked-fleet.ts";
import type { CreatedNode } from "../support/nodes.ts";
import { describeOnBothDatabases, startTestService } from "../support/service.ts";

describeOnBothDatabases("the checks of a node", ({ start }) => {
  let fleet: CheckedFleet;
  let node: CreatedNode;
  let mixed: CreatedNode;
  beforeAll(async () => {
    fleet = await CheckedFleet.start(start);
    [node] = (await fleet.addListening(1)) as [CreatedNode];
    mixed = await fleet.add({ ...placeOf(2), type: "WS" }, { ...placeOf(2), type: "UDP" });
    await fleet.pass(3);
  });
  afterAll(() => fleet.service.stop());

  const get = (id: number | string, token?: string) =>
    fleet.service.request("GET", `/api/nodes/${id}/checks`, token === undefined ? {} : { token });

  test("are shown to their owner", async () => {
    const answer = await get(node.id, fleet.owner);
    expect(answer.status).toBe(200);
    expect(answer.body).toEqual({
      enabled: true,
      interval_seconds: 60,
      healthy: true,
      checks: [
        {
          ...placeOf(1),
          is_online: true,
          latency_ms: expect.any(Number) as unknown,
          handshake: "not_overlay",
          check_time: expect.stringMatching(/^2026-03-10T12:0\d:\d\d\.000Z$/) as unknown,
          last_24h: {
            checks: 3,
            reachable: 3,
            uptime_percent: 100,
            mean_latency_ms: expect.any(Number) as unknown,
            overlay_answers: 0,
          },
        },
      ],
      not_checked: [],
    });
    const slashed = await fleet.service.request("GET", `/api/nodes/${node.id}/checks/`, {
      token: fleet.owner,
    });
    expect(slashed.body).toEqual(answer.body);
  });

  test("are apart for what cannot be checked", async () => {
    expect((await get(mixed.id, fleet.owner)).body).toMatchObject({
      healthy: false,
      checks: [
        {
          ...placeOf(2),
          type: "WS",
          is_online: false,
          latency_ms: -1,
          error: "Connection refused",
          last_24h: { checks: 3, reachable: 0, uptime_percent: 0, mean_latency_ms: null },
        },
      ],
      not_checked: [
        {
          ...placeOf(2),
          type: "UDP",
          reason: "Only TCP, WS and WSS connections are checked",
        },
      ],
    });
  });

  test("are shown to nobody else", async () => {
    expect((await get(node.id)).status).toBe(401);
    expect((await get("x")).status).toBe(401);
    const other = await join(fleet.service, "other@example.com");
    expect((await get(node.id, other)).body.code).toBe("forbidden");
    expect((await get(node.id, other)).status).toBe(403);
    const admin = await logIn(fleet.service, ADMIN);
    expect((await get(node.id, admin)).status).toBe(403);
    expect((await get(999_999, fleet.owner)).status).toBe(404);
    expect((await get("x", fleet.owner)).status).toBe(404);
    const post = await fleet.service.request("POST", `/api/nodes/${node.id}/checks`, {
      token: fleet.owner,
      body: {},
    });
    expect(post.status).toBe(405);
  });

  test("are numbers for Prometheus", async () => {
    const total = (outcome: string) =>
      fleet.metric(`waypost_background_checks_total{outcome="${outcome}"}`);
    expect(await total("reached")).toBe(3);
    expect(await total("failed")).toBe(3);
    expect(await total("not_checked")).toBe(0);
    expect(await fleet.metric("waypost_nodes_unhealthy")).toBe(1);
    expect(await fleet.metric("waypost_background_checks_waiting")).toBe(0);
    expect(await fleet.metric("waypost_background_checks_suspended")).toBe(0);
  });
});

describe("where no interval is set", () => {
  test("nothing is dialled, everybody is healthy, and the answer says so", async () => {
    const fleet = await CheckedFleet.start(startTestService, { CHECK_INTERVAL_SECONDS: "0" });
    try {
      const node = await fleet.add();
      await fleet.pass(4);
      expect(await fleet.checksOf(node)).toEqual({
        enabled: false,
        interval_seconds: 0,
        healthy: true,
        checks: [],
        not_checked: [
          { ...placeOf(1), reason: "Nodes are not checked: CHECK_INTERVAL_SECONDS is 0" },
        ],
      });
      expect(fleet.network.dialled).toEqual([]);
      expect(await fleet.selectable()).toEqual(["node-1"]);
      expect(await fleet.metric("waypost_nodes_unhealthy")).toBe(0);
    } finally {
      await fleet.service.stop();
    }
  });
});
