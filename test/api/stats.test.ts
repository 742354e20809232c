import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { DAY_MS, HOUR_MS, MINUTE_MS } from "../../src/server/lib/clock.ts";
import { join, logIn, setUp } from "../support/accounts.ts";
import { createNode, sendReport, type CreatedNode } from "../support/nodes.ts";
import { describeOnBothDatabases, type TestService } from "../support/service.ts";

const OWNER = "owner@example.com";

describeOnBothDatabases("statistics", ({ start }) => {
  let service: TestService;
  let admin: string;
  let owner: string;
  beforeAll(async () => {
    service = await start();
    admin = await setUp(service);
    owner = await join(service, OWNER);
  });
  afterAll(() => service.stop());

  const stats = async () => (await service.request("GET", "/api/stats")).body;
  const report = (node: CreatedNode, fields: Record<string, unknown>) =>
    sendReport(service, OWNER, node, fields);

  test("are zero at the beginning", async () => {
    const answer = await service.request("GET", "/api/stats");
    expect(answer.status).toBe(200);
    expect(answer.headers["content-type"]).toBe("application/json; charset=utf-8");
    expect(Object.entries(answer.body)).toEqual([
      ["total_nodes", 0],
      ["online_nodes", 0],
      ["domestic_nodes", 0],
      ["overseas_nodes", 0],
      ["total_bandwidth", 0],
    ]);
    expect((await service.request("GET", "/api/stats/")).body).toEqual(answer.body);
  });

  test("count what is neither expired nor switched off, and the bandwidth of what is online", async () => {
    const [a, b, c] = [
      await createNode(service, owner, { node_name: "a" }),
      await createNode(service, owner, { node_name: "b", region_type: "overseas" }),
      await createNode(service, owner, { node_name: "c", valid_until: "2026-03-10" }),
    ];
    await createNode(service, owner, { node_name: "d", valid_until: "2026-03-09" });
    await report(a, { current_bandwidth: 0.1 });
    await report(b, { current_bandwidth: 0.2 });
    await report(c, { current_bandwidth: 100, status: "draining" });
    const counted = {
      total_nodes: 3,
      online_nodes: 2,
      domestic_nodes: 2,
      overseas_nodes: 1,
      total_bandwidth: 0.3,
    };
    expect(await stats()).toEqual(counted);

    await service.request("PUT", `/api/admin/nodes/${b.id}`, {
      token: admin,
      body: { enabled: false },
    });
    const without = {
      ...counted,
      total_nodes: 2,
      online_nodes: 1,
      overseas_nodes: 0,
      total_bandwidth: 0.1,
    };
    expect(await stats()).toEqual(without);
    service.clock.set("2026-03-10T23:59:59.999Z");
    expect(await stats()).toEqual(without);
    service.clock.advance(1);
    expect(await stats()).toEqual({ ...without, total_nodes: 1, domestic_nodes: 1 });
    await service.request("DELETE", `/api/nodes/${a.id}`, { token: owner });
    expect((await stats()).total_nodes).toBe(0);
    await service.restart();
    expect((await stats()).total_nodes).toBe(0);
  });
});

interface Point {
  at: string;
  bandwidth: number;
  connections: number;
  traffic: number;
  uptime: number;
}

function minutePoint(time: string, values: number[]): Partial<Point> {
  const [bandwidth = 0, connections = 0, traffic = 0, uptime = 0] = values;
  return { at: `2026-03-10T12:${time}:00.000Z`, bandwidth, connections, traffic, uptime };
}

describeOnBothDatabases("history", ({ start }) => {
  let service: TestService;
  let owner: string;
  let other: string;
  let node: CreatedNode;
  beforeAll(async () => {
    service = await start();
    await setUp(service);
    owner = await join(service, OWNER);
    other = await join(service, "other@example.com");
    service.clock.set("2026-03-10T12:00:30.000Z");
    node = await createNode(service, owner);
    service.clock.set("2026-03-10T12:01:00.000Z");
    await service.service.reports.runWorkersOnce();
    await beat({ current_bandwidth: 10, connection_count: 2 });
    await beat({ current_bandwidth: 20, connection_count: 4, reported_traffic: 0.1 });
    await beat({ current_bandwidth: 20, connection_count: 4, reported_traffic: 0.2 });
    await beat({ current_bandwidth: 0, connection_count: 0, status: "draining" });
    await beat({ current_bandwidth: 0, connection_count: 0, status: "draining" });
  });
  afterAll(() => service.stop());

  /** A report, and a minute. */
  const beat = async (fields: Record<string, unknown>) => {
    const answer = await sendReport(service, OWNER, node, fields);
    if (answer.status !== 200) throw new Error(JSON.stringify(answer.body));
    service.clock.advance(MINUTE_MS);
    await service.service.reports.runWorkersOnce();
  };
  const get = (path: string, token?: string) =>
    service.request("GET", path, token === undefined ? {} : { token });
  const historyOf = (query: string, token = owner) =>
    get(`/api/nodes/${node.id}/history${query}`, token);

  describe("of a node", () => {
    test("has a point for each minute since its creation", async () => {
      const { status, body } = await historyOf("");
      expect(status).toBe(200);
      expect(Object.keys(body)).toEqual(["range", "step_seconds", "points"]);
      expect([body.range, body.step_seconds]).toEqual(["24h", 60]);
      expect(body.points).toEqual([
        minutePoint("00", [0, 0, 0, 0]),
        minutePoint("01", [10, 2, 0, 1]),
        minutePoint("02", [20, 4, 0.1, 1]),
        minutePoint("03", [20, 4, 0.2, 1]),
        minutePoint("04", [0, 0, 0, 0]),
        minutePoint("05", [0, 0, 0, 0]),
      ]);
      expect(Object.keys(body.points[0])).toEqual([
        "at",
        "bandwidth",
        "connections",
        "traffic",
        "uptime",
      ]);
    });

    test("has hours and days, the unfinished ones included", async () => {
      const hours = (await historyOf("?range=30d")).body;
      expect([hours.range, hours.step_seconds]).toEqual(["30d", 3600]);
      expect(hours.points).toEqual([
        {
          at: "2026-03-10T12:00:00.000Z",
          bandwidth: 16.667,
          connections: 3.333,
          traffic: 0.3,
          uptime: 0.545,
        },
      ]);
      const days = (await historyOf("?range=1y")).body;
      expect([days.range, days.step_seconds]).toEqual(["1y", 86_400]);
      expect(days.points).toMatchObject([{ at: "2026-03-10T00:00:00.000Z", traffic: 0.3 }]);
    });

    test("is for its owner", async () => {
      expect((await get(`/api/nodes/${node.id}/history`)).status).toBe(401);
      expect((await historyOf("", other)).status).toBe(403);
      expect((await get("/api/nodes/999999/history", owner)).status).toBe(404);
      expect((await get("/api/nodes/x/history", owner)).status).toBe(404);
    });
  });

  describe("of the fleet", () => {
    test("is public and has a point for each minute in which the service ran", async () => {
      const { status, body, headers } = await get("/api/stats/history?range=24h");
      expect(status).toBe(200);
      expect(headers["access-control-allow-origin"]).toBe("*");
      expect([body.range, body.step_seconds]).toEqual(["24h", 60]);
      expect(body.points.at(-1)).toEqual({
        at: "2026-03-10T12:05:00.000Z",
        total_nodes: 1,
        online_nodes: 0,
        bandwidth: 0,
        connections: 0,
        traffic: 0,
      });
      const online = body.points.filter(
        (point: { online_nodes: number }) => point.online_nodes === 1,
      );
      expect(
        online.map((point: Point) => [point.at.slice(14, 16), point.bandwidth, point.traffic]),
      ).toEqual([
        ["01", 10, 0],
        ["02", 20, 0.1],
        ["03", 20, 0.2],
      ]);
    });

    test("has the running hour and day as well", async () => {
      const hours = (await get("/api/stats/history?range=30d")).body;
      expect(hours.points).toMatchObject([{ at: "2026-03-10T12:00:00.000Z", traffic: 0.3 }]);
      const days = (await get("/api/stats/history?range=1y")).body;
      expect(days.points).toMatchObject([{ at: "2026-03-10T00:00:00.000Z", traffic: 0.3 }]);
    });
  });

  test.each(["/api/stats/history", "own"])("of %s refuses what it does not know", async (path) => {
    const base = path === "own" ? `/api/nodes/${node.id}/history` : path;
    for (const [query, field] of [
      ["range=2d", "range"],
      ["range=", "range"],
      ["from=1", "from"],
      ["range=1y&range=1y", "range"],
    ]) {
      const answer = await get(`${base}?${query}`, owner);
      expect([answer.status, answer.body.fields?.[0]?.path]).toEqual([400, field]);
    }
  });

  test("shows what is over after hours and days of silence, and stays within its range", async () => {
    service.clock.advance(2 * HOUR_MS);
    await service.service.reports.runWorkersOnce();
    const silent = (await historyOf("?range=30d")).body.points as Point[];
    expect(silent.map((point) => [point.at.slice(11, 13), point.traffic])).toEqual([
      ["12", 0.3],
      ["13", 0],
      ["14", 0],
    ]);
    service.clock.advance(DAY_MS + 30_000);
    await service.service.reports.runWorkersOnce();
    owner = await logIn(service, OWNER);
    const day = (await historyOf("")).body.points as Point[];
    expect(day).toHaveLength(1440);
    expect(day.every((point) => point.uptime === 0)).toBe(true);
    const year = (await historyOf("?range=1y")).body.points as Point[];
    expect(year.map((point) => [point.at.slice(0, 10), point.traffic])).toEqual([
      ["2026-03-10", 0.3],
      ["2026-03-11", 0],
    ]);
    await service.restart();
    expect((await historyOf("?range=1y")).body.points).toEqual(year);
  });
});
