import { afterAll, beforeAll, expect, test } from "vitest";
import { join, setUp } from "../support/accounts.ts";
import { LIST, LISTS, PublishedList } from "../support/published-list.ts";
import { describeOnBothDatabases } from "../support/service.ts";

const DEAD_PORT = 1;
const idOf = (path: string) => Number(path.split("/").at(-1));

describeOnBothDatabases("published lists of nodes", ({ start }) => {
  let world: PublishedList;
  let account: number;
  let duckdns: number;
  beforeAll(async () => {
    const service = await start({ publications: { chance: () => 0.5 } });
    world = new PublishedList(service, await setUp(service));
    account = idOf(await world.addAccount(DEAD_PORT));
    const fields = {
      name: "duck",
      provider: "duckdns",
      config: { token: "duck-token-0123456789" },
    };
    duckdns = idOf(await world.addAccount(DEAD_PORT, fields));
  });
  afterAll(() => world.service.stop());

  const body = (fields: object = {}) => ({
    domain_account_id: account,
    name: LIST,
    type: "TXT",
    ...fields,
  });
  const create = (fields: object = {}) => world.ask("POST", LISTS, body(fields));

  test("are for administrators", async () => {
    const user = await join(world.service, "user@example.com");
    const paths = [
      ["GET", LISTS],
      ["POST", LISTS],
      ["POST", `${LISTS}/preview`],
      ["GET", `${LISTS}/1`],
      ["PUT", `${LISTS}/1`],
      ["DELETE", `${LISTS}/1`],
      ["POST", `${LISTS}/1/publish`],
      ["POST", `${LISTS}/1/compare`],
    ] as const;
    for (const [method, path] of paths) {
      expect([path, (await world.service.request(method, path)).status]).toEqual([path, 401]);
      const refused = await world.service.request(method, path, { token: user });
      expect([path, refused.status]).toEqual([path, 403]);
    }
  });

  test("are created, changed in part and deleted, and all of that is on record", async () => {
    const made = await create({ name: "Peers.Example.com.", tag: " fast ", priority: "latency" });
    expect([made.status, made.body.message]).toEqual([201, "The list is published from now on"]);
    const { id } = made.body.publication;
    const path = `${LISTS}/${id as number}`;
    expect(made.body.publication).toMatchObject({
      domain_account_id: account,
      domain_account_name: "zone",
      name: LIST,
      type: "TXT",
      node_count: 3,
      region: "all",
      priority: "latency",
      relay_only: false,
      tag: "fast",
      transport: null,
      interval_seconds: 300,
      ttl_seconds: 60,
      enabled: true,
      peer_url: `txt://${LIST}`,
    });
    const changes = { priority: null, tag: null, transport: "WSS", node_count: 5, type: "SRV" };
    const changed = await world.ask("PUT", path, changes);
    expect([changed.status, changed.body.publication]).toMatchObject([
      200,
      { ...changes, peer_url: `srv://${LIST}`, interval_seconds: 300 },
    ]);
    const nothing = await world.ask("PUT", path, {});
    expect(nothing.body.publication.updated_at).toBe(changed.body.publication.updated_at);
    expect((await world.ask("GET", LISTS)).body.publications).toHaveLength(1);
    expect((await world.ask("DELETE", `${path}?keep_records=true`)).status).toBe(200);
    for (const [method, at] of [
      ["GET", ""],
      ["DELETE", ""],
      ["POST", "/publish"],
    ] as const) {
      const input = method === "POST" ? {} : undefined;
      expect((await world.ask(method, `${path}${at}`, input)).status).toBe(404);
    }
    const { entries } = (await world.ask("GET", "/api/admin/audit?limit=50")).body;
    const actions = (entries as { subject: string; action: string; details: object }[])
      .filter(({ subject }) => subject === `node_publication:${id as number}`)
      .map(({ action, details }) => [action, details]);
    expect(actions).toEqual([
      ["node_publication.delete", { name: LIST, type: "SRV", keep_records: true }],
      ["node_publication.update", { name: LIST, changed: Object.keys(changes) }],
      ["node_publication.create", { name: LIST, type: "TXT" }],
    ]);
  });

  test.each<[object, string, RegExp]>([
    [{ name: "peers" }, "name", /DNS name/],
    [{ name: "*.example.com" }, "name", /DNS name/],
    [{ name: "two words.example.com" }, "name", /DNS name/],
    [{ name: `${"a.".repeat(100)}example.com` }, "name", /at most 200/],
    [{ type: "A" }, "type", /TXT/],
    [{ node_count: 0 }, "node_count", /1/],
    [{ node_count: 21 }, "node_count", /20/],
    [{ interval_seconds: 59 }, "interval_seconds", /60/],
    [{ ttl_seconds: 0 }, "ttl_seconds", /1/],
    [{ region: "mars" }, "region", /domestic/],
    [{ transport: "FTP" }, "transport", /./],
    [{ domain_account_id: 999 }, "domain_account_id", /no domain account/],
    [{ nonsense: 1 }, "nonsense", /./],
  ])("%j is refused, at its field", async (fields, path, message) => {
    for (const at of [LISTS, `${LISTS}/preview`]) {
      const answer = await world.ask("POST", at, body(fields));
      expect([at, answer.status, answer.body.code]).toEqual([at, 400, "invalid_request"]);
      const field = answer.body.fields.find((each: { path: string }) => each.path === path);
      expect(field?.message).toMatch(message);
    }
  });

  test("a provider that cannot be asked what it holds is refused: nothing could be withdrawn", async () => {
    const { status, body: answer } = await create({ domain_account_id: duckdns });
    expect(status).toBe(400);
    expect(answer.fields[0].message).toMatch(/duckdns, which cannot be asked/);
  });

  test("one name has one list of a type", async () => {
    const first = await create({ name: "once.example.com", enabled: false });
    const again = await create({ name: "ONCE.example.com" });
    expect([again.status, again.body.code, again.body.fields[0].path]).toEqual([
      400,
      "name_taken",
      "name",
    ]);
    const other = await create({ name: "once.example.com", type: "SRV", enabled: false });
    expect(other.status).toBe(201);
    for (const { publication } of [first.body, other.body]) {
      await world.ask("DELETE", `${LISTS}/${publication.id as number}`);
    }
    expect((await world.ask("GET", LISTS)).body.publications).toEqual([]);
  });

  test("a preview names nodes and records, stores nothing and hands nobody out", async () => {
    const connections = [
      { type: "TCP", ip: "203.0.113.7", port: 11_010 },
      { type: "WSS", ip: "relay.example.org", port: 443 },
    ];
    const id = await world.addNode("seen", { connections, max_connections: 10 });
    const ask = (fields: object) => world.ask("POST", `${LISTS}/preview`, body(fields));
    for (let time = 0; time < 30; time++) await ask({});
    expect((await ask({})).body.preview).toEqual({
      nodes: [{ id, node_name: "seen", url: "tcp://203.0.113.7:11010", weight: 100 }],
      records: [{ name: LIST, type: "TXT", values: ['"tcp://203.0.113.7:11010"'] }],
      note: null,
    });
    const { preview } = (await ask({ type: "SRV", transport: "WSS" })).body;
    expect(preview.records).toEqual([
      {
        name: `_easytier._wss.${LIST}`,
        type: "SRV",
        values: ["100 100 443 relay.example.org."],
      },
    ]);
    expect((await ask({ region: "overseas" })).body.preview.nodes).toEqual([]);
    expect((await world.ask("GET", LISTS)).body.publications).toEqual([]);
    const slot = world.service.service.fleet.slotOf(id) ?? -1;
    expect(world.service.service.fleet.columns.own[slot]).toBe(0);
  });
});
