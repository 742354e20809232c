import { afterAll, beforeAll, expect, test } from "vitest";
import { idOf, join, setUp } from "../support/accounts.ts";
import type { RequestOptions } from "../support/client.ts";
import { createNode, sendReport, type CreatedNode } from "../support/nodes.ts";
import { describeOnBothDatabases, type TestService } from "../support/service.ts";

const OWNER = "Owner@Example.com";

describeOnBothDatabases("the administration of nodes", ({ start }) => {
  let service: TestService;
  let admin: string;
  let owner: string;
  const nodes: CreatedNode[] = [];
  beforeAll(async () => {
    service = await start();
    admin = await setUp(service);
    owner = await join(service, OWNER);
    const other = await join(service, "other@example.com");
    nodes.push(
      await createNode(service, owner, { node_name: "a", tags: "x" }),
      await createNode(service, other, { node_name: "b", valid_until: "2026-01-01" }),
      await createNode(service, owner, { node_name: "c" }),
    );
  });
  afterAll(() => service.stop());

  const call = (method: string, path: string, token?: string, body?: unknown) => {
    const options: RequestOptions = {};
    if (token !== undefined) options.token = token;
    if (body !== undefined) options.body = body;
    return service.request(method, path, options);
  };
  const idsOf = async (query: string) =>
    (await call("GET", `/api/admin/nodes${query}`, admin)).body.nodes.map(
      (node: { id: number }) => node.id,
    );
  const switchTo = (enabled: unknown, node: CreatedNode) =>
    call("PUT", `/api/admin/nodes/${node.id}`, admin, { enabled });
  const nodeAt = (index: number) => nodes[index] as CreatedNode;

  test("lists the nodes of all owners whole, expired ones included", async () => {
    const { status, body } = await call("GET", "/api/admin/nodes", admin);
    expect(status).toBe(200);
    expect(body.nodes.map((node: { node_name: string }) => node.node_name)).toEqual([
      "a",
      "b",
      "c",
    ]);
    const own = (await call("GET", `/api/nodes/${nodeAt(0).id}`, owner)).body.node;
    const ownerId = await idOf(service, admin, OWNER);
    expect(body.nodes[0]).toEqual({ ...own, owner_id: ownerId, owner_email: OWNER });
    expect(body.nodes[1]).toMatchObject({ status: "expired", owner_email: "other@example.com" });
  });

  test("lists in pages by id", async () => {
    const all = nodes.map((node) => node.id);
    expect(await idsOf("?limit=2")).toEqual(all.slice(0, 2));
    expect(await idsOf(`?limit=2&after=${all[1]}`)).toEqual(all.slice(2));
    expect(await idsOf(`?after=${all[2]}`)).toEqual([]);
  });

  test("filters by a part of name, owner, region or tags, by status, region and switch", async () => {
    const [a, b, c] = nodes.map((node) => node.id);
    expect(await idsOf("?search=OWNER%40exa")).toEqual([a, c]);
    expect(await idsOf("?search=X")).toEqual([a, b, c]);
    expect(await idsOf("?search=owner&limit=1&after=1")).toEqual([c]);
    expect(await idsOf("?search=b&status=expired&region=domestic")).toEqual([b]);
    expect(await idsOf("?search=100%25")).toEqual([]);
    expect(await idsOf("?status=offline")).toEqual([a, c]);
    expect(await idsOf("?region=overseas")).toEqual([]);
    expect(await idsOf("?enabled=false")).toEqual([]);
  });

  test.each(["limit=0", "limit=1001", "limit=x", "after=-1", "owner=1"])(
    "refuses %s",
    async (query) => {
      const answer = await call("GET", `/api/admin/nodes?${query}`, admin);
      expect([answer.status, answer.body.fields?.[0]?.path]).toEqual([400, query.split("=")[0]]);
    },
  );

  test("is for administrators", async () => {
    const path = `/api/admin/nodes/${nodeAt(0).id}`;
    expect((await call("GET", "/api/admin/nodes")).status).toBe(401);
    expect((await call("GET", "/api/admin/nodes", owner)).status).toBe(403);
    expect((await call("PUT", path, undefined, { enabled: false })).status).toBe(401);
    expect((await call("PUT", path, owner, { enabled: false })).status).toBe(403);
  });

  test("takes a node that is switched off out of everything public, and back in", async () => {
    const node = nodeAt(0);
    await sendReport(service, OWNER, node, { current_bandwidth: 5 });
    const seen = async () => ({
      list: (await call("GET", "/api/public")).body.nodes.map((each: { id: number }) => each.id),
      query: (await call("POST", "/api/query", undefined, {})).body.nodes.map(
        (each: { id: number }) => each.id,
      ),
      stats: (await call("GET", "/api/stats")).body.total_nodes,
    });
    const on = { list: [node.id, nodeAt(2).id], query: [node.id], stats: 2 };
    expect(await seen()).toEqual(on);
    const answer = await switchTo(false, node);
    expect([answer.status, Object.keys(answer.body)]).toEqual([200, ["message"]]);
    const off = { list: [nodeAt(2).id], query: [], stats: 1 };
    expect(await seen()).toEqual(off);
    expect((await call("GET", `/api/nodes/${node.id}`, owner)).body.node.enabled).toBe(false);
    await call("PUT", `/api/nodes/${node.id}`, owner, { tags: "y", enabled: true });
    expect(await seen()).toEqual(off);
    await service.restart();
    expect(await seen()).toEqual(off);
    expect((await switchTo(true, node)).status).toBe(200);
    expect(await seen()).toEqual(on);
  });

  test("writes what it does to the audit log, once", async () => {
    const node = nodeAt(2);
    await switchTo(false, node);
    await switchTo(false, node);
    await call("PUT", `/api/admin/nodes/${node.id}`, admin, {});
    await switchTo(true, node);
    const { body } = await call("GET", "/api/admin/audit", admin);
    const entries = body.entries.filter(
      (entry: { subject: string; action: string }) =>
        entry.subject === `node:${node.id}` && entry.action !== "node.create",
    );
    expect(entries).toMatchObject([
      { action: "node.enable", actor: "admin@example.com", details: { node_name: "c" } },
      { action: "node.disable", actor: "admin@example.com", details: { node_name: "c" } },
    ]);
    expect(entries).toHaveLength(2);
  });

  test.each([
    [{ enabled: 1 }, "enabled"],
    [{ enabled: "true" }, "enabled"],
    [{ enabled: null }, "enabled"],
    [{ tags: "x" }, "tags"],
  ])("refuses the body %o", async (body, path) => {
    const answer = await call("PUT", `/api/admin/nodes/${nodeAt(0).id}`, admin, body);
    expect([answer.status, answer.body.fields?.[0]?.path]).toEqual([400, path]);
  });

  test("finds no node that is not there", async () => {
    const missing = { id: 999_999, name: "", token: "" };
    expect((await switchTo(false, missing)).status).toBe(404);
    expect((await call("PUT", "/api/admin/nodes/x", admin, {})).status).toBe(404);
    expect((await call("PUT", "/api/admin/nodes/x", admin, { enabled: 1 })).status).toBe(400);
  });
});
