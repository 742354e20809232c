import { gunzipSync } from "node:zlib";
import { afterAll, beforeAll, expect, test } from "vitest";
import { DAY_MS, HOUR_MS } from "../../src/server/lib/clock.ts";
import { join, setUp } from "../support/accounts.ts";
import { createNode, sendReport, type CreatedNode } from "../support/nodes.ts";
import { describeOnBothDatabases, type TestService } from "../support/service.ts";

const OWNER = "owner@example.com";

describeOnBothDatabases("the public list", ({ start }) => {
  let service: TestService;
  let admin: string;
  let owner: string;
  const nodes: Record<string, CreatedNode> = {};
  beforeAll(async () => {
    service = await start();
    admin = await setUp(service);
    owner = await join(service, OWNER);
    const create = async (name: string, fields: Record<string, unknown>) => {
      nodes[name] = await createNode(service, owner, { node_name: name, ...fields });
    };
    await create("a", { tags: "game", region_detail: "x".repeat(128) });
    await create("b", { region_type: "overseas", allow_relay: 1, max_traffic: 10 });
    await create("c", { valid_until: "2026-03-11", tags: "Game,fast" });
    await create("d", { valid_until: "2026-03-09" });
    await create("e", {});
    await service.request("PUT", `/api/admin/nodes/${idOf("e")}`, {
      token: admin,
      body: { enabled: false },
    });
    await sendReport(service, OWNER, nodes["b"] as CreatedNode, {
      current_bandwidth: 2.5,
      reported_traffic: 1.5,
      connection_count: 7,
    });
  });
  afterAll(() => service.stop());

  const idOf = (name: string) => (nodes[name] as CreatedNode).id;
  const get = (query = "", headers: Record<string, string> = {}) =>
    service.request("GET", `/api/public${query}`, { headers });
  const change = (name: string, fields: Record<string, unknown>) =>
    service.request("PUT", `/api/nodes/${idOf(name)}`, { token: owner, body: fields });
  const namesOf = async (query: string) =>
    (await get(query)).body.nodes.map((node: { node_name: string }) => node.node_name);

  test("needs no session and shows exactly the fields of the view", async () => {
    const answer = await get();
    expect(answer.status).toBe(200);
    expect(answer.headers).toMatchObject({
      "content-type": "application/json; charset=utf-8",
      "cache-control": "public, max-age=5",
      vary: "Accept-Encoding",
      "access-control-allow-origin": "*",
    });
    expect(Object.keys(answer.body)).toEqual(["nodes"]);
    expect(Object.entries(answer.body.nodes[0])).toEqual([
      ["id", idOf("b")],
      ["node_name", "b"],
      ["region_type", "overseas"],
      ["region_detail", ""],
      ["current_bandwidth", 2.5],
      ["tier_bandwidth", 0],
      ["max_bandwidth", 0],
      ["used_traffic", 1.5],
      ["max_traffic", 10],
      ["connection_count", 7],
      ["max_connections", 0],
      ["tags", ""],
      ["status", "online"],
      ["allow_relay", 1],
    ]);
  });

  test.each([
    ["", ["b", "a", "c"]],
    ["?", ["b", "a", "c"]],
    ["?region=domestic", ["a", "c"]],
    ["?tag=GAME", ["a", "c"]],
    ["?tag=game&region=overseas", []],
    ["?status=offline", ["a", "c"]],
    ["?limit=2", ["b", "a"]],
    ["?show_offline=1&limit=1", ["b"]],
  ])("under %j is as the specification orders it", async (query, expected) => {
    expect(await namesOf(query)).toEqual(expected);
  });

  test.each([
    ["", ["b", "a", "c"], 3],
    ["?text=GAME", ["a", "c"], 2],
    ["?text=fast+c", ["c"], 1],
    ["?text=xxx", ["a"], 1],
    ["?text=nowhere", [], 0],
    ["?tag=%20GAME", ["a", "c"], 2],
    ["?tag=gam", [], 0],
    ["?region=overseas", ["b"], 1],
    ["?relay=true", ["b"], 1],
    ["?relay=false", ["b", "a", "c"], 3],
    ["?region=domestic&limit=1&offset=1", ["c"], 2],
    ["?limit=2&offset=2", ["c"], 3],
    ["?offset=9", [], 3],
    ["?text=&tag=", ["b", "a", "c"], 3],
  ])("is searched by %j", async (query, expected, found) => {
    const { status, body } = await service.request("GET", `/api/public/nodes${query}`);
    expect([status, body.found, body.total]).toEqual([200, found, 3]);
    expect(body.nodes.map((node: { node_name: string }) => node.node_name)).toEqual(expected);
    const whole = (await get()).body.nodes;
    for (const node of body.nodes) expect(whole).toContainEqual(node);
  });

  const search = async (text: string) =>
    (await service.request("GET", `/api/public/nodes?text=${text}`)).body.found;

  test("is searched in its texts as they are now", async () => {
    expect(await search("osaka")).toBe(0);
    await change("b", { region_detail: "Osaka" });
    expect(await search("osaka")).toBe(1);
    await change("b", { region_detail: "" });
    expect(await search("osaka")).toBe(0);
  });

  test.each(["limit=0", "limit=201", "offset=-1", "region=all", "relay=1", "colour=red"])(
    "refuses a search by %s",
    async (query) => {
      const answer = await service.request("GET", `/api/public/nodes?${query}`);
      expect([answer.status, answer.body.code]).toEqual([400, "invalid_request"]);
    },
  );

  test("says the tags of its nodes, of none that are not listed", async () => {
    const hidden = await createNode(service, owner, { node_name: "hidden", tags: "secret, game" });
    const tags = async () => (await service.request("GET", "/api/public/tags")).body;
    expect(await tags()).toEqual({ tags: ["fast", "game", "secret"] });
    await service.request("PUT", `/api/admin/nodes/${hidden.id}`, {
      token: admin,
      body: { enabled: false },
    });
    expect(await tags()).toEqual({ tags: ["fast", "game"] });
    await service.request("DELETE", `/api/nodes/${hidden.id}`, { token: owner });
  });

  test("is read in pages", async () => {
    expect(await namesOf(`?limit=1&after=${idOf("b")}`)).toEqual(["a"]);
    expect(await namesOf(`?limit=9&after=${idOf("a")}`)).toEqual(["c"]);
    expect(await namesOf(`?after=${idOf("c")}`)).toEqual([]);
  });

  test.each([
    "limit=0",
    "limit=x",
    "after=-1",
    "region=mars",
    "tag=",
    "status=%20",
    "limit=1&limit=2",
  ])("refuses %s", async (query) => {
    const answer = await get(`?${query}`);
    expect([answer.status, answer.body.code]).toEqual([400, "invalid_request"]);
    expect(answer.body.fields).toEqual([
      { path: query.split("=")[0], message: expect.any(String) },
    ]);
  });

  test("names all parameters that are wrong", async () => {
    const { body } = await get("?limit=x&after=y&region=z");
    expect(body.fields.map((field: { path: string }) => field.path)).toEqual([
      "limit",
      "after",
      "region",
    ]);
  });

  test.each(["", "?limit=3"])("under %j is answered 304 until something changes", async (query) => {
    const { etag } = (await get(query)).headers as { etag: string };
    const same = await get(query, { "if-none-match": `"x", ${etag}` });
    expect([same.status, same.body]).toEqual([304, ""]);
    expect(same.headers).toMatchObject({
      etag,
      "cache-control": "public, max-age=5",
      vary: "Accept-Encoding",
    });
    expect((await get(query, { "if-none-match": "*" })).status).toBe(304);
    const count = query === "" ? 1 : 2;
    await sendReport(service, OWNER, nodes["a"] as CreatedNode, {
      status: "busy",
      connection_count: count,
    });
    const changed = await get(query, { "if-none-match": etag });
    expect(changed.status).toBe(200);
    expect(changed.headers.etag).not.toBe(etag);
  });

  test("is compressed for who asks for it", async () => {
    const answer = await service.request("GET", "/api/public", {
      headers: { "accept-encoding": "gzip" },
    });
    expect(answer.headers["content-encoding"]).toBeUndefined();
    for (let index = 0; index < 4; index++) {
      await createNode(service, owner, {
        node_name: `long ${index}`,
        region_detail: "x".repeat(128),
      });
    }
    const response = await fetch(`${service.origin}/api/public`, {
      headers: { "accept-encoding": "br" },
    });
    expect(response.headers.get("content-encoding")).toBe("br");
    expect(await response.json()).toEqual((await get()).body);
    const zipped = await rawBody("gzip");
    expect(zipped.coding).toBe("gzip");
    expect(zipped.length).toBe(String(zipped.bytes.length));
    expect(JSON.parse(gunzipSync(zipped.bytes).toString())).toEqual((await get()).body);
  });

  const rawBody = async (coding: string) => {
    const { request } = await import("node:http");
    const { promise, resolve } = Promise.withResolvers<{
      coding: unknown;
      length: unknown;
      bytes: Buffer;
    }>();
    request(
      `${service.origin}/api/public`,
      { headers: { "accept-encoding": coding } },
      (response) => {
        const chunks: Buffer[] = [];
        response.on("data", (chunk: Buffer) => chunks.push(chunk));
        response.on("end", () =>
          resolve({
            coding: response.headers["content-encoding"],
            length: response.headers["content-length"],
            bytes: Buffer.concat(chunks),
          }),
        );
      },
    ).end();
    return promise;
  };

  test("answers HEAD with the same headers and no body", async () => {
    const head = await service.request("HEAD", "/api/public");
    const { headers, status } = await get();
    expect([head.status, head.body]).toEqual([status, ""]);
    expect(head.headers).toMatchObject({
      etag: headers.etag,
      "content-length": headers["content-length"],
    });
  });

  test("gives the same answer with a trailing slash, which takes the longer way", async () => {
    const [short, long] = [await get(), await service.request("GET", "/api/public/")];
    expect(long.body).toEqual(short.body);
    for (const name of ["etag", "cache-control", "vary", "content-type", "content-length"]) {
      expect([name, long.headers[name]]).toEqual([name, short.headers[name]]);
    }
  });

  test("follows an administrator and the calendar", async () => {
    await service.request("PUT", `/api/admin/nodes/${idOf("e")}`, {
      token: admin,
      body: { enabled: true },
    });
    expect(await namesOf("")).toContain("e");
    service.clock.advance(DAY_MS + 11 * HOUR_MS);
    expect(await namesOf("")).toContain("c");
    service.clock.advance(HOUR_MS);
    expect(await namesOf("")).not.toContain("c");
  });
});
