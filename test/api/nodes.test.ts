import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { DAY_MS, MINUTE_MS } from "../../src/server/lib/clock.ts";
import { join, setUp } from "../support/accounts.ts";
import type { RequestOptions } from "../support/client.ts";
import { createNode, nodeBody, sendReport } from "../support/nodes.ts";
import { describeOnBothDatabases, type TestService } from "../support/service.ts";

const OWNER = "owner@example.com";
const OTHER = "other@example.com";

describeOnBothDatabases("nodes", ({ start }) => {
  let service: TestService;
  let admin: string;
  let owner: string;
  let other: string;
  beforeAll(async () => {
    service = await start();
    admin = await setUp(service);
    owner = await join(service, OWNER);
    other = await join(service, OTHER);
  });
  afterAll(() => service.stop());

  const call = (method: string, path: string, token?: string, body?: unknown) => {
    const options: RequestOptions = {};
    if (token !== undefined) options.token = token;
    if (body !== undefined) options.body = body;
    return service.request(method, path, options);
  };
  const create = (fields: Record<string, unknown>, session = owner) =>
    createNode(service, session, fields);
  const read = async (id: number, session = owner) =>
    (await call("GET", `/api/nodes/${id}`, session)).body.node;
  const auditOf = async (id: number) => {
    const { body } = await call("GET", "/api/admin/audit", admin);
    return body.entries
      .filter((entry: { subject: string }) => entry.subject === `node:${id}`)
      .map(({ actor, action, details }: Record<string, unknown>) => ({ actor, action, details }));
  };

  const changeStatus = async (path: string, token: string | undefined, body: unknown) =>
    (await call("PUT", `/api/nodes/${path}`, token, body)).status;

  describe("creation", () => {
    test("answers the id and a report token that works", async () => {
      const answer = await call("POST", "/api/nodes/", owner, nodeBody({ node_name: "first" }));
      expect(answer.status).toBe(201);
      expect(Object.keys(answer.body)).toEqual(["message", "node_id", "report_token"]);
      expect(answer.body.node_id).toBeGreaterThan(0);
      expect(answer.body.report_token).toMatch(/^wpr_[\w-]{43}$/);
      const node = { id: answer.body.node_id, name: "first", token: answer.body.report_token };
      expect((await sendReport(service, OWNER, node)).status).toBe(200);
      expect(JSON.stringify(await auditOf(node.id))).not.toContain(node.token);
    });

    test("fills in the defaults, and the tier from the ceiling", async () => {
      const { id } = await create({ node_name: "defaults", max_bandwidth: 250 });
      expect(await read(id)).toEqual({
        id,
        node_name: "defaults",
        region_type: "domestic",
        region_detail: "",
        connections: [{ type: "TCP", ip: "203.0.113.7", port: 11010 }],
        tier_bandwidth: 250,
        max_bandwidth: 250,
        max_traffic: 0,
        reset_cycle: 30,
        max_connections: 0,
        tags: "",
        valid_until: null,
        allow_relay: 0,
        current_bandwidth: 0,
        used_traffic: 0,
        connection_count: 0,
        status: "offline",
        enabled: true,
        version: "",
        reset_date: "2026-04-09T00:00:00.000Z",
        reported_at: null,
        created_at: new Date(service.clock.now()).toISOString(),
      });
    });

    test("keeps every field, in its one spelling", async () => {
      const given = {
        node_name: "  überall 节点 \u{1f680} ",
        region_type: "overseas",
        region_detail: "Frankfurt, DE",
        connections: [
          { type: "tcp", ip: "203.0.113.7", port: 1 },
          { type: "Wss", ip: "2001:0DB8:0:0::00A1", port: 65535 },
          { type: "quic", ip: "Relay.Example.COM.", port: 443, note: "ignored" },
          { type: "UDP", ip: "节点.example.com", port: 443 },
        ],
        tier_bandwidth: 100.5,
        max_bandwidth: 1e6,
        max_traffic: 1e9,
        reset_cycle: 366,
        max_connections: 1e7,
        tags: " game , Fast,",
        valid_until: "2028-02-29",
        allow_relay: true,
      };
      const { id } = await create({ ...given, owner_id: 1, enabled: false });
      expect(await read(id)).toMatchObject({
        ...Object.fromEntries(Object.entries(given).slice(1)),
        node_name: "überall 节点 \u{1f680}",
        connections: [
          { type: "TCP", ip: "203.0.113.7", port: 1 },
          { type: "WSS", ip: "2001:db8::a1", port: 65535 },
          { type: "QUIC", ip: "relay.example.com", port: 443 },
          { type: "UDP", ip: "xn--3px729a.example.com", port: 443 },
        ],
        allow_relay: 1,
        enabled: true,
      });
    });

    test("accepts a valid_until in the past, and shows the node as expired", async () => {
      const node = await create({ node_name: "past", valid_until: "2026-03-09" });
      expect((await read(node.id)).status).toBe("expired");
      const today = await create({ node_name: "today", valid_until: "2026-03-10" });
      expect((await read(today.id)).status).toBe("offline");
      expect((await sendReport(service, OWNER, node)).body.code).toBe("node_expired");
    });

    test("refuses a name that the owner has already, exactly compared", async () => {
      await create({ node_name: "Taken" });
      const again = await call("POST", "/api/nodes/", owner, nodeBody({ node_name: " Taken " }));
      expect([again.status, again.body.code]).toEqual([400, "name_taken"]);
      expect(again.body.fields).toEqual([{ path: "node_name", message: expect.any(String) }]);
      await create({ node_name: "taken" });
      await create({ node_name: "Taken" }, other);
    });

    test("of one name twice at once succeeds once", async () => {
      const answers = await Promise.all(
        Array.from({ length: 8 }, () =>
          call("POST", "/api/nodes/", owner, nodeBody({ node_name: "race" })),
        ),
      );
      const statuses = answers.map((answer) => answer.status).sort((a, b) => a - b);
      expect(statuses).toEqual([201, ...Array<number>(7).fill(400)]);
      const { body } = await call("GET", "/api/nodes/my", owner);
      const named = body.nodes.filter((node: { node_name: string }) => node.node_name === "race");
      expect(named).toHaveLength(1);
    });

    test.each([
      ["no body", undefined],
      ["a list", []],
      ["a word", "node"],
      ["null", null],
    ])("with %s is refused", async (_title, body) => {
      const options: RequestOptions = { token: owner };
      if (body !== undefined) options.body = body;
      const answer = await service.request("POST", "/api/nodes/", options);
      expect([answer.status, answer.body.code]).toEqual([400, "invalid_request"]);
    });

    test("names everything that is missing", async () => {
      const answer = await call("POST", "/api/nodes/", owner, {});
      expect(answer.status).toBe(400);
      expect(answer.body.fields).toEqual(
        ["node_name", "region_type", "connections"].map((path) => ({
          path,
          message: "is required",
        })),
      );
    });

    test("names everything that is wrong, at once", async () => {
      const answer = await call("POST", "/api/nodes/", owner, {
        node_name: "",
        region_type: "mars",
        region_detail: "x".repeat(129),
        connections: [
          { type: "TCP", ip: "203.0.113.7", port: 11010 },
          { type: "SCTP", ip: "127.1", port: "80" },
          { type: "TCP", ip: "10.0.0.1" },
          7,
        ],
        tier_bandwidth: "100",
        max_bandwidth: -1,
        max_traffic: 1e9 + 1,
        reset_cycle: 0,
        max_connections: 1.5,
        tags: null,
        valid_until: "2026-02-30",
        allow_relay: 2,
      });
      expect(answer.status).toBe(400);
      expect(answer.body.error).toContain("node_name: must have 1 to 64 characters");
      const messages = Object.fromEntries(
        answer.body.fields.map(({ path, message }: Record<string, string>) => [path, message]),
      );
      expect(messages).toEqual({
        node_name: "must have 1 to 64 characters",
        region_type: "must be domestic or overseas",
        region_detail: "must have at most 128 characters",
        "connections.1.type": "must be one of TCP, UDP, WS, WSS, WG, QUIC",
        "connections.1.ip": expect.stringContaining("must be an IPv4 address"),
        "connections.1.port": "must be a whole number from 1 to 65535, not text",
        "connections.2.port": "is required",
        "connections.3": "must be an object of type, ip and port",
        tier_bandwidth: "must be a number from 0 to 1000000, not text",
        max_bandwidth: "must be a number from 0 to 1000000",
        max_traffic: "must be a number from 0 to 1000000000",
        reset_cycle: "must be a whole number from 1 to 366",
        max_connections: "must be a whole number from 0 to 10000000",
        tags: "must be text",
        valid_until: "must be a date of the calendar, YYYY-MM-DD, or null for ever",
        allow_relay: "must be 0 or 1",
      });
    });

    test("takes SQL, markup and prototype keys for what they are", async () => {
      const name = `'; drop table nodes; -- <b> {{x}} $1 ?`;
      const { id } = await create({ node_name: name, tags: name, region_detail: `" \\ ${name}` });
      expect(await read(id)).toMatchObject({
        node_name: name,
        tags: name,
        region_detail: `" \\ ${name}`,
      });
      const raw = `{"node_name":"proto","region_type":"domestic","connections":[{"type":"TCP","ip":"::1","port":1}],"__proto__":{"enabled":false},"constructor":{}}`;
      const answer = await service.request("POST", "/api/nodes/", { token: owner, raw });
      expect(answer.status).toBe(201);
    });
  });

  describe("reading", () => {
    test("one's nodes gives exactly the fields of the view, by id", async () => {
      const session = await join(service, "reader@example.com");
      expect((await call("GET", "/api/nodes/my", session)).body).toEqual({ nodes: [] });
      const second = await create({ node_name: "b" }, session);
      const third = await create({ node_name: "a" }, session);
      await sendReport(service, "reader@example.com", second, {
        current_bandwidth: 12.5,
        reported_traffic: 0.1,
        connection_count: 4,
      });
      const { status, body } = await call("GET", "/api/nodes/my", session);
      expect(status).toBe(200);
      expect(body.nodes.map((node: { id: number }) => node.id)).toEqual([second.id, third.id]);
      expect(Object.entries(body.nodes[0])).toEqual([
        ["id", second.id],
        ["node_name", "b"],
        ["region_type", "domestic"],
        ["region_detail", ""],
        ["connections", [{ type: "TCP", ip: "203.0.113.7", port: 11010 }]],
        ["current_bandwidth", 12.5],
        ["tier_bandwidth", 0],
        ["max_bandwidth", 0],
        ["used_traffic", 0.1],
        ["max_traffic", 0],
        ["connection_count", 4],
        ["max_connections", 0],
        ["tags", ""],
        ["status", "online"],
      ]);
    });

    test("one's nodes, each whole, is the list of what each gives by itself", async () => {
      const session = await join(service, "whole@example.com");
      const { id: first } = await create({ node_name: "b", valid_until: "2030-01-01" }, session);
      const { id: second } = await create({ node_name: "a" }, session);
      const { status, body } = await call("GET", "/api/nodes/", session);
      expect(status).toBe(200);
      expect(body).toEqual({ nodes: [await read(first, session), await read(second, session)] });
      expect((await call("GET", "/api/nodes")).status).toBe(401);
    });

    test("one node is for its owner only, administrators included", async () => {
      const { id } = await create({ node_name: "mine" });
      expect((await call("GET", `/api/nodes/${id}`, other)).status).toBe(403);
      expect((await call("GET", `/api/nodes/${id}`, admin)).status).toBe(403);
      expect((await call("GET", `/api/nodes/${id}`)).status).toBe(401);
      expect((await call("GET", "/api/nodes/999999", owner)).status).toBe(404);
    });

    test("shows the report's tier until the owner sets another", async () => {
      const node = await create({ node_name: "tier", tier_bandwidth: 100 });
      service.clock.advance(1000);
      await sendReport(service, OWNER, node, { tier_bandwidth: 40 });
      expect((await read(node.id)).tier_bandwidth).toBe(40);
      service.clock.advance(1000);
      await call("PUT", `/api/nodes/${node.id}`, owner, { tags: "x" });
      expect((await read(node.id)).tier_bandwidth).toBe(40);
      await service.restart();
      expect((await read(node.id)).tier_bandwidth).toBe(40);
      await call("PUT", `/api/nodes/${node.id}`, owner, { tier_bandwidth: 100 });
      expect((await read(node.id)).tier_bandwidth).toBe(100);
      await service.restart();
      expect((await read(node.id)).tier_bandwidth).toBe(100);
    });
  });

  describe("a change", () => {
    test("of nothing is accepted, changes nothing and leaves no trace", async () => {
      const { id } = await create({ node_name: "still", tags: "a" });
      const before = await read(id);
      const answer = await call("PUT", `/api/nodes/${id}`, owner, {});
      expect([answer.status, Object.keys(answer.body)]).toEqual([200, ["message"]]);
      await call("PUT", `/api/nodes/${id}`, owner, { tags: "a", unknown: 1 });
      expect(await read(id)).toEqual(before);
      expect((await auditOf(id)).map((entry: { action: string }) => entry.action)).toEqual([
        "node.create",
      ]);
    });

    test("of some fields leaves the others, and is seen by everybody at once", async () => {
      const { id } = await create({ node_name: "partly", tags: "a", valid_until: "2030-01-01" });
      const before = await read(id);
      const answer = await call("PUT", `/api/nodes/${id}`, owner, {
        node_name: "renamed",
        valid_until: null,
        allow_relay: 1,
        max_traffic: 5,
      });
      expect(answer.status).toBe(200);
      const changed = { node_name: "renamed", valid_until: null, allow_relay: 1, max_traffic: 5 };
      expect(await read(id)).toEqual({ ...before, ...changed });
      expect(await auditOf(id)).toContainEqual({
        actor: OWNER,
        action: "node.update",
        details: {
          node_name: "partly",
          changed: {
            node_name: { from: "partly", to: "renamed" },
            valid_until: { from: "2030-01-01", to: null },
            allow_relay: { from: false, to: true },
            max_traffic: { from: 0, to: 5 },
          },
        },
      });
    });

    test("survives a restart", async () => {
      const { id } = await create({ node_name: "lasting" });
      const connections = [{ type: "WG", ip: "2001:db8::1", port: 5 }];
      await call("PUT", `/api/nodes/${id}`, owner, {
        connections,
        region_type: "overseas",
        tags: "kept",
      });
      const before = await read(id);
      await service.restart();
      expect(await read(id)).toEqual(before);
    });

    test("of the cycle keeps the sum until the next boundary of the new one", async () => {
      const node = await create({ node_name: "cycle", reset_cycle: 30 });
      await sendReport(service, OWNER, node, { reported_traffic: 3 });
      await call("PUT", `/api/nodes/${node.id}`, owner, { reset_cycle: 7 });
      const startOfDay = service.clock.now() - (service.clock.now() % DAY_MS);
      const boundary = new Date(startOfDay + 7 * DAY_MS).toISOString();
      expect(await read(node.id)).toMatchObject({
        used_traffic: 3,
        reset_cycle: 7,
        reset_date: boundary,
      });
      await service.restart();
      expect(await read(node.id)).toMatchObject({ used_traffic: 3, reset_date: boundary });
    });

    test.each([
      ["null for a field that cannot be null", { max_traffic: null }, "max_traffic"],
      ["no connection", { connections: [] }, "connections"],
      [
        "17 connections",
        { connections: Array.from({ length: 17 }, () => ({ type: "TCP", ip: "::1", port: 1 })) },
        "connections",
      ],
      ["connections as an object", { connections: {} }, "connections"],
      ["a number in quotes", { reset_cycle: "30" }, "reset_cycle"],
      ["a number beyond all doubles", JSON.parse('{"max_bandwidth":1e999}'), "max_bandwidth"],
      ["a date with a time", { valid_until: "2026-01-01T00:00:00Z" }, "valid_until"],
      ["an empty date", { valid_until: "" }, "valid_until"],
      ["the 29th of February of a common year", { valid_until: "2026-02-29" }, "valid_until"],
      ["a name of 65 characters", { node_name: "\u{1f680}".repeat(65) }, "node_name"],
      ["a name with a line break", { node_name: "a\nb" }, "node_name"],
      ["a name of spaces", { node_name: "   " }, "node_name"],
      ["a name of 10,000 characters", { node_name: "x".repeat(10_000) }, "node_name"],
      ["tags of 257 characters", { tags: "x".repeat(257) }, "tags"],
      ["region_type in capitals", { region_type: "Domestic" }, "region_type"],
      ["port 0", { connections: [{ type: "TCP", ip: "::1", port: 0 }] }, "connections.0.port"],
      [
        "port 65536",
        { connections: [{ type: "TCP", ip: "::1", port: 65536 }] },
        "connections.0.port",
      ],
      [
        "half a port",
        { connections: [{ type: "TCP", ip: "::1", port: 1.5 }] },
        "connections.0.port",
      ],
    ])("with %s is refused and changes nothing", async (title, body, path) => {
      const { id } = await create({ node_name: `bad ${title}`.slice(0, 64) });
      const before = await read(id);
      const answer = await call("PUT", `/api/nodes/${id}`, owner, body);
      expect([answer.status, answer.body.code]).toEqual([400, "invalid_request"]);
      expect(answer.body.fields.map((field: { path: string }) => field.path)).toEqual([path]);
      expect(await read(id)).toEqual(before);
    });

    test("accepts 64 astral characters as a name", async () => {
      const { id } = await create({ node_name: "astral" });
      const name = "\u{1f680}".repeat(64);
      expect((await call("PUT", `/api/nodes/${id}`, owner, { node_name: name })).status).toBe(200);
      expect((await read(id)).node_name).toBe(name);
    });

    test.each([
      ["a decimal number", "2130706433"],
      ["octal", "010.0.0.1"],
      ["hexadecimal", "0x7f.0.0.1"],
      ["too short", "127.1"],
      ["too long", "1.2.3.4.5"],
      ["out of range", "1.2.3.256"],
      ["in brackets", "[::1]"],
      ["with a zone", "fe80::1%eth0"],
      ["with a port", "example.com:80"],
      ["a URL", "tcp://example.com"],
      ["with a space", "exa mple.com"],
      ["with an underscore", "a_b.example.com"],
      ["with an empty label", "a..b"],
      ["full-width digits", "１２７.0.0.1"],
      ["a label of 64 characters", `${"a".repeat(64)}.com`],
      ["254 characters", `${"a.".repeat(126)}ab`],
      ["empty", ""],
      ["a number", 1],
    ])("to an ip that is %s is refused", async (_title, ip) => {
      const { id } = await create({ node_name: `ip ${ip}`.slice(0, 60) });
      const connections = [{ type: "TCP", ip, port: 1 }];
      const answer = await call("PUT", `/api/nodes/${id}`, owner, { connections });
      expect(answer.body.fields?.[0]?.path).toBe("connections.0.ip");
      expect(answer.status).toBe(400);
    });

    test("to the name of another node is refused, to its own it is not", async () => {
      const { id } = await create({ node_name: "one" });
      await create({ node_name: "two" });
      const answer = await call("PUT", `/api/nodes/${id}`, owner, {
        node_name: "two",
        tags: "lost",
      });
      expect([answer.status, answer.body.code]).toEqual([400, "name_taken"]);
      expect(await read(id)).toMatchObject({ node_name: "one", tags: "" });
      expect((await call("PUT", `/api/nodes/${id}`, owner, { node_name: "one" })).status).toBe(200);
    });

    test("asks for a session, then for a right body, then for the node, then for its owner", async () => {
      const { id } = await create({ node_name: "order" });
      const bad = { max_traffic: -1 };
      expect(await changeStatus("999999", undefined, bad)).toBe(401);
      expect(await changeStatus("999999", other, bad)).toBe(400);
      expect(await changeStatus("abc", other, bad)).toBe(400);
      expect(await changeStatus("999999", other, { tags: "" })).toBe(404);
      expect(await changeStatus(String(id), other, bad)).toBe(400);
      expect(await changeStatus(String(id), other, { tags: "" })).toBe(403);
      expect(await changeStatus(String(id), other, {})).toBe(403);
      expect(await changeStatus(String(id), admin, { tags: "" })).toBe(403);
    });

    test.each(["0", "-1", "1.5", "abc", "01", "99999999999999999999", "1e3", "%31%00"])(
      "of the node %s finds none",
      async (id) => {
        expect((await call("PUT", `/api/nodes/${id}`, owner, {})).status).toBe(404);
        expect((await call("DELETE", `/api/nodes/${id}`, owner)).status).toBe(404);
      },
    );
  });

  describe("deletion", () => {
    test("takes the node out of everything", async () => {
      const node = await create({ node_name: "doomed" });
      const answer = await call("DELETE", `/api/nodes/${node.id}`, owner);
      expect([answer.status, Object.keys(answer.body)]).toEqual([200, ["message"]]);
      expect((await call("GET", `/api/nodes/${node.id}`, owner)).status).toBe(404);
      expect((await sendReport(service, OWNER, node)).status).toBe(404);
      expect((await call("DELETE", `/api/nodes/${node.id}`, owner)).status).toBe(404);
      expect((await auditOf(node.id))[0]).toMatchObject({
        action: "node.delete",
        details: { node_name: "doomed" },
      });
      const again = await create({ node_name: "doomed" });
      expect(again.id).toBeGreaterThan(node.id);
    });

    test("is refused to others", async () => {
      const { id } = await create({ node_name: "guarded" });
      expect((await call("DELETE", `/api/nodes/${id}`)).status).toBe(401);
      expect((await call("DELETE", `/api/nodes/${id}`, other)).status).toBe(403);
      expect((await call("DELETE", `/api/nodes/${id}`, admin)).status).toBe(403);
      expect((await call("DELETE", "/api/nodes/999999", other)).status).toBe(404);
      expect((await read(id)).node_name).toBe("guarded");
    });

    test("goes with the account of the owner", async () => {
      const email = "leaving@example.com";
      const session = await join(service, email);
      const nodes = [
        await create({ node_name: "a" }, session),
        await create({ node_name: "b" }, session),
      ];
      const { body } = await call("GET", "/api/admin/users", admin);
      const { id } = body.users.find((user: { email: string }) => user.email === email);
      expect((await call("DELETE", `/api/admin/users/${id}`, admin)).status).toBe(200);
      for (const node of nodes) expect((await sendReport(service, email, node)).status).toBe(404);
      await service.restart();
      for (const node of nodes) expect((await sendReport(service, email, node)).status).toBe(404);
    });
  });

  describe("a new report token", () => {
    test("works at once; the one before for ten more minutes; an older one no longer", async () => {
      const first = await create({ node_name: "rotating" });
      const rotate = async () => {
        const answer = await call("POST", `/api/nodes/${first.id}/report-token`, owner);
        expect([answer.status, Object.keys(answer.body)]).toEqual([
          201,
          ["message", "report_token"],
        ]);
        return { ...first, token: answer.body.report_token as string };
      };
      const second = await rotate();
      const statusOf = async (node: typeof first) =>
        (await sendReport(service, OWNER, node)).status;
      expect([await statusOf(first), await statusOf(second)]).toEqual([200, 200]);
      const third = await rotate();
      expect([await statusOf(first), await statusOf(second), await statusOf(third)]).toEqual([
        403, 200, 200,
      ]);
      await service.restart();
      expect([await statusOf(first), await statusOf(second), await statusOf(third)]).toEqual([
        403, 200, 200,
      ]);
      service.clock.advance(10 * MINUTE_MS - 1);
      expect(await statusOf(second)).toBe(200);
      service.clock.advance(1);
      expect([await statusOf(second), await statusOf(third)]).toEqual([403, 200]);
      const details = JSON.stringify(await auditOf(first.id));
      expect(details).toContain("node.rotate_token");
      for (const { token } of [first, second, third]) expect(details).not.toContain(token);
    });

    test("is for the owner only", async () => {
      const { id } = await create({ node_name: "sealed" });
      const path = `/api/nodes/${id}/report-token`;
      expect((await call("POST", path)).status).toBe(401);
      expect((await call("POST", path, other)).status).toBe(403);
      expect((await call("POST", path, admin)).status).toBe(403);
      expect((await call("POST", "/api/nodes/999999/report-token", owner)).status).toBe(404);
      const strange = await call("POST", path, owner, { token: "mine" });
      expect(strange.body.fields).toEqual([{ path: "token", message: expect.any(String) }]);
    });
  });

  test("changes that come at the same time leave memory and storage equal", async () => {
    const session = await join(service, "busy@example.com");
    const nodes = await Promise.all(
      Array.from({ length: 4 }, (_, index) => create({ node_name: `busy-${index}` }, session)),
    );
    await Promise.all(
      nodes.flatMap(({ id }, index) =>
        Array.from({ length: 12 }, (_, round) => {
          if (round === 5) return call("POST", `/api/nodes/${id}/report-token`, session);
          if (round === 9 && index === 0) return call("DELETE", `/api/nodes/${id}`, session);
          if (round % 4 === 3) {
            return call("PUT", `/api/admin/nodes/${id}`, admin, { enabled: round % 8 === 3 });
          }
          const name = `busy-${(index + round) % 5}`;
          return call("PUT", `/api/nodes/${id}`, session, { node_name: name, max_traffic: round });
        }),
      ),
    );
    const inMemory = (await call("GET", "/api/nodes/my", session)).body;
    const everything = (await call("GET", "/api/admin/nodes", admin)).body;
    await service.restart();
    expect((await call("GET", "/api/nodes/my", session)).body).toEqual(inMemory);
    expect((await call("GET", "/api/admin/nodes", admin)).body).toEqual(everything);
    expect(inMemory.nodes).toHaveLength(3);
  });
});
