import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from "vitest";
import { setUp } from "../support/accounts.ts";
import { BindServer } from "../support/bind-server.ts";
import { freePort } from "../support/free-port.ts";
import { ManualClock } from "../support/manual-clock.ts";
import { API_KEY, PowerdnsServer } from "../support/powerdns-server.ts";
import { LIST, PublishedList, valuesAt, zoneConfig } from "../support/published-list.ts";
import { describeOnBothDatabases, startTestService } from "../support/service.ts";

const INTERVAL_MS = 60_000;
/** Signatures carry the time, and servers take five minutes more or less. */
const BEFORE_MS = 280_000;
const TCP = `_easytier._tcp.${LIST}`;
const SPF = { name: `spf.example.com`, type: "TXT", ttl: 60, value: '"v=spf1 -all"' };
const FOREIGN = { name: TCP, type: "SRV", ttl: 60, value: "1 1 1 other.example.org." };
const srv = (host: string) => `100 100 11010 ${host}.`;
const at = (address: string) => `${address.replaceAll(".", "-")}.${LIST}`;

describeOnBothDatabases("lists of nodes as DNS records", ({ start }) => {
  let bind: BindServer;
  let world: PublishedList;
  let account: string;
  beforeAll(async () => {
    const service = await start({
      clock: new ManualClock(Date.now() - BEFORE_MS),
      env: { METRICS_TOKEN: "metrics" },
      publications: { chance: () => 0.5 },
    });
    world = new PublishedList(service, await setUp(service));
  });
  afterAll(() => world.service.stop());
  beforeEach(async () => {
    world.service.clock.set(new Date(Date.now() - BEFORE_MS).toISOString());
    bind = await BindServer.start({ records: [SPF, FOREIGN] });
    account = await world.addAccount(bind.port);
    for (const [name, ip] of [
      ["one", "203.0.113.1"],
      ["two", "203.0.113.2"],
    ] as const) {
      await world.addNode(name, { connections: [{ type: "TCP", ip, port: 11_010 }] });
    }
  });
  afterEach(async () => {
    await bind.stop();
    for (const { id } of world.nodes.values()) await world.ask("DELETE", `/api/nodes/${id}`);
    world.nodes.clear();
    for (const { id } of (await world.ask("GET", "/api/domains/publications")).body.publications) {
      await world.ask("DELETE", `/api/domains/publications/${id}?keep_records=true`);
    }
    await world.ask("DELETE", account);
  });

  const values = (name: string, type: string) => valuesAt(bind, name, type);
  const serial = async () =>
    (await world.ask("POST", `${account}/test`, {})).body.details.serial as number;

  test("a node that is lost leaves the records at once, others stay, and nothing else rewrites them", async () => {
    await world.addNode("named", {
      connections: [{ type: "TCP", ip: "relay.example.org", port: 11_010 }],
    });
    const list = await world.publish(account, { interval_seconds: 60 });
    const all = [FOREIGN.value, srv(at("203.0.113.1")), srv(at("203.0.113.2"))];
    expect(await values(TCP, "SRV")).toEqual([...all, srv("relay.example.org")].toSorted());
    expect(await values(at("203.0.113.1"), "A")).toEqual(["203.0.113.1"]);
    expect((await world.get(list)).state).toMatchObject({ status: "published", error: null });

    const before = await serial();
    for (let round = 0; round < 3; round++) {
      for (const name of world.nodes.keys()) await world.report(name, { connection_count: round });
      await world.work(INTERVAL_MS);
    }
    expect(await serial()).toBe(before);

    await world.report("one", { status: "offline" });
    await world.soon();
    expect(await values(TCP, "SRV")).toEqual(
      [FOREIGN.value, srv(at("203.0.113.2")), srv("relay.example.org")].toSorted(),
    );
    expect(await values(at("203.0.113.1"), "A")).toEqual([]);
    expect(await serial()).toBe(before + 1);

    await world.report("one");
    await world.work(INTERVAL_MS);
    expect(await values(TCP, "SRV")).toContain(srv(at("203.0.113.1")));

    expect((await world.ask("DELETE", list)).status).toBe(200);
    expect(await values(TCP, "SRV")).toEqual([FOREIGN.value]);
    expect(await values(at("203.0.113.2"), "A")).toEqual([]);
    expect((await world.ask("GET", list)).status).toBe(404);
  });

  test("a node that moves takes its records along, and another name or type moves them all", async () => {
    const list = await world.publish(account, { type: "TXT", node_count: 1, transport: "TCP" });
    const { url, id, node_name: name } = (await world.get(list)).state.nodes[0] ?? {};
    expect(await values(LIST, "TXT")).toEqual([`"${url}"`]);
    const connections = [{ type: "TCP", ip: "2001:db8::7", port: 4242 }];
    await world.ask("PUT", `/api/nodes/${id}`, { connections });
    await world.soon();
    expect(await values(LIST, "TXT")).toEqual(['"tcp://[2001:db8::7]:4242"']);

    await world.ask("PUT", list, { name: "moved.example.com", type: "SRV" });
    await world.work();
    expect(await values(LIST, "TXT")).toEqual([]);
    const target = "2001-db8-0-0-0-0-0-7.moved.example.com";
    expect(await values("_easytier._tcp.moved.example.com", "SRV")).toEqual([
      `100 100 4242 ${target}.`,
    ]);
    expect(await values(target, "AAAA")).toEqual(["2001:db8::7"]);
    expect((await world.get(list)).state.nodes).toMatchObject([{ node_name: name }]);

    await world.ask("PUT", list, { enabled: false });
    await world.work();
    expect(await values("_easytier._tcp.moved.example.com", "SRV")).toEqual([]);
    expect((await world.get(list)).state).toMatchObject({
      status: "disabled",
      records: [],
      next_attempt_at: null,
    });
  });

  test("when no node is left, those stay that may come back, and those go that were taken out", async () => {
    const list = await world.publish(account, { type: "TXT", interval_seconds: 60 });
    const [before] = await values(LIST, "TXT");
    await world.report("one", { status: "offline" });
    await world.soon();
    expect(await values(LIST, "TXT")).toEqual(['"tcp://203.0.113.2:11010"']);
    await world.report("two", { status: "offline" });
    await world.soon();
    await world.work(INTERVAL_MS);
    expect(before).toContain("203.0.113.2");
    expect(await values(LIST, "TXT")).toEqual(['"tcp://203.0.113.2:11010"']);
    expect((await world.get(list)).state).toMatchObject({ status: "stale", error: null });

    const id = world.nodes.get("two")?.id;
    await world.ask("PUT", `/api/admin/nodes/${id}`, { enabled: false });
    await world.soon();
    expect(await values(LIST, "TXT")).toEqual([]);
    expect((await world.get(list)).state).toMatchObject({ status: "empty", nodes: [] });

    await world.report("one");
    await world.soon();
    expect(await values(LIST, "TXT")).toEqual(['"tcp://203.0.113.1:11010"']);
  });

  test("a text of others is left alone, and why nothing is published is said", async () => {
    const list = await world.publish(account, { type: "TXT", name: SPF.name });
    const { state } = await world.get(list);
    expect(state).toMatchObject({ status: "failing", failures: 1 });
    expect(state.error).toMatch(/^spf\.example\.com TXT: .* is not ours \("v=spf1 -all"\)/);
    expect(await values(SPF.name, "TXT")).toEqual([SPF.value]);
    expect((await world.ask("DELETE", list)).status).toBe(200);
    expect(await values(SPF.name, "TXT")).toEqual([SPF.value]);
  });

  test("a name server that is away is asked again, ever later, and nothing is lost of what is to be withdrawn", async () => {
    const list = await world.publish(account, { type: "TXT", interval_seconds: 60 });
    const [published] = await values(LIST, "TXT");
    const dead = await freePort();
    await world.ask("PUT", account, { config: zoneConfig(dead) });
    await world.work(INTERVAL_MS);
    const { state } = await world.get(list);
    expect(state).toMatchObject({ status: "failing", failures: 1 });
    expect(state.error).toContain(`127.0.0.1:${dead}`);
    expect(state.nodes).toHaveLength(2);
    await world.work();
    const headers = { authorization: "Bearer metrics" };
    const metrics = await world.service.request("GET", "/metrics", { headers });
    expect(metrics.body).toMatch(/^waypost_node_publications_failing 1$/m);
    const waits = [];
    for (let failures = 2; failures <= 4; failures++) {
      const { next_attempt_at: next } = (await world.get(list)).state;
      const wait = Date.parse(next ?? "") - world.service.clock.now();
      waits.push(wait);
      await world.work(wait);
      expect((await world.get(list)).state.failures).toBe(failures);
    }
    expect(waits).toEqual([5_000, 15_000, 60_000]);

    const refused = await world.ask("DELETE", list);
    expect(refused.status).toBe(202);
    expect(refused.body.publication.state).toMatchObject({ status: "deleting", failures: 1 });
    expect(await values(LIST, "TXT")).toEqual([published]);
    const { status, body } = await world.ask("DELETE", account);
    expect([status, body.error]).toEqual([409, `The account is still used by: TXT ${LIST}`]);

    await world.ask("PUT", account, { config: zoneConfig(bind.port) });
    await world.work(5_000);
    expect((await world.ask("GET", list)).status).toBe(404);
    expect(await values(LIST, "TXT")).toEqual([]);
  });

  test("records that somebody removes are found missing by a comparison, and put right", async () => {
    const list = await world.publish(account, { type: "TXT", node_count: 1 });
    const [first] = await values(LIST, "TXT");
    // The zone has lost it.
    await bind.stop();
    bind = await BindServer.start();
    await world.ask("PUT", account, { config: zoneConfig(bind.port) });
    const comparison = (await world.ask("POST", `${list}/compare`, {})).body.comparison;
    expect(comparison).toMatchObject({
      changed: true,
      records: [{ name: LIST, type: "TXT", result: "updated", before: [], after: [first] }],
    });
    expect(await values(LIST, "TXT")).toEqual([]);
    const answer = await world.ask("POST", `${list}/publish`, {});
    expect([answer.status, answer.body.publication.state.status]).toEqual([200, "published"]);
    expect(await values(LIST, "TXT")).toEqual([first]);
  });
});

test("PowerDNS is given a list, and gives its sets back", async () => {
  const powerdns = await PowerdnsServer.start();

  const service = await startTestService({ clock: new ManualClock(Date.now()) });
  try {
    const world = new PublishedList(service, await setUp(service));
    const connections = [{ type: "TCP", ip: "203.0.113.1", port: 11_010 }];
    await world.addNode("one", { connections });
    const config = { base_url: powerdns.apiUrl, api_key: API_KEY, zone: "example.com" };
    const account = await world.addAccount(0, { provider: "powerdns", config });
    const list = await world.publish(account);
    expect(await valuesAt(powerdns, TCP, "SRV")).toEqual([srv(at("203.0.113.1"))]);
    expect((await world.ask("DELETE", list)).status).toBe(200);
    expect(await valuesAt(powerdns, TCP, "SRV")).toEqual([]);
    expect(await valuesAt(powerdns, at("203.0.113.1"), "A")).toEqual([]);
  } finally {
    await service.stop();
    await powerdns.stop();
  }
});
