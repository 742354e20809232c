import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { CallbackWorld } from "../support/callback-world.ts";
import { queryDns } from "../support/dns-query.ts";
import { FakeDesec } from "../support/fake-desec.ts";
import { FakeDyndns2 } from "../support/fake-dyndns2.ts";
import { API_KEY, PowerdnsServer } from "../support/powerdns-server.ts";
import { describeOnBothDatabases } from "../support/service.ts";
import { storedText } from "../support/stored-text.ts";

const seeds = [
  { name: "home.example.com", type: "A", ttl: 120, value: "192.0.2.1" },
  { name: "other.example.com", type: "A", ttl: 120, value: "192.0.2.200" },
];
const records = [
  { name: "home.example.com", type: "A" },
  { name: "_game._udp.example.com", type: "SRV", target: "home.example.com", ttl: 60 },
  { name: "home.example.com", type: "TXT", template: "{{ transport }}={{ public_address }}" },
  { name: "home.example.com", type: "AAAA" },
  { name: "p.example.com", type: "AAAA", ip4p: true },
];

describeOnBothDatabases("callbacks that keep records in step", (context) => {
  let world: CallbackWorld;
  let powerdns: PowerdnsServer;
  beforeAll(async () => {
    world = await CallbackWorld.start(context);
    powerdns = await PowerdnsServer.start({ records: seeds });
  });
  afterAll(async () => {
    await world.stop();
    await powerdns.stop();
  });

  const addDomainAccount = async (name: string, provider: string, config: object) => {
    const asked = world.ask("POST", "/api/domains/accounts", { name, provider, config });
    return (await world.expect<{ id: number }>(201, "account", asked)).id;
  };
  const addAccount = (name: string, id: number, list: object[] = records) =>
    world.addAccount({
      name,
      type: "domain_account",
      config: { url: undefined, domain_account_id: id, records: list },
    });
  const look = async (name: string, type: string) =>
    (await queryDns(powerdns.port, name, type)).map(({ value, ttl }) => `${ttl} ${value}`);

  test("write them with the next change, one run for all, and say each", async () => {
    const config = { base_url: powerdns.apiUrl, api_key: API_KEY, zone: "example.com" };
    const domain = await addDomainAccount("PowerDNS", "powerdns", config);
    const account = await addAccount("DNS of home", domain);
    const rule = await world.openRule({ name: "zone" });
    const task = await world.addTask({ name: "zone", stun_rule_id: rule.id, account_id: account });

    const dry = await world.ask("POST", `/api/callbacks/tasks/${task}/run?dry_run=true`);
    expect(dry.body.dry_run).toMatchObject({
      changed: true,
      before: [
        { name: "home.example.com", type: "A", values: ["192.0.2.1"] },
        { name: "_game._udp.example.com", type: "SRV", values: [] },
        { name: "home.example.com", type: "TXT", values: [] },
        { type: "AAAA", values: null, note: "An AAAA record holds no IPv4 address" },
        { name: "p.example.com", values: [] },
      ],
      after: [
        { values: ["203.0.113.7"] },
        { values: ["0 0 5000 home.example.com."] },
        { values: ['"udp=203.0.113.7:5000"'] },
        { values: null },
        { values: ["2001::1388:cb00:7107"] },
      ],
    });
    const tested = await world.ask("POST", `/api/callbacks/accounts/${account}/test`);
    expect(tested.body).toMatchObject({ ok: true, details: { kind: "Native" } });
    expect(await look("home.example.com", "A")).toEqual(["120 192.0.2.1"]);
    expect(await world.runs(`?task_id=${task}`)).toEqual([]);

    await world.move({ port: 5_001 });
    const run = await world.lastRun();
    expect(run).toMatchObject({ status: "succeeded", http_status: 200, error: null });
    expect(bodyOf(run)).toMatchObject([
      { result: "updated", before: ["192.0.2.1"], after: ["203.0.113.7"] },
      { result: "updated", after: ["0 0 5001 home.example.com."] },
      { result: "updated", after: ['"udp=203.0.113.7:5001"'] },
      { result: "skipped", note: "An AAAA record holds no IPv4 address" },
      { result: "updated", after: ["2001::1389:cb00:7107"] },
    ]);
    expect(run.attempts[0]?.stages.map(({ stage }) => stage)).toEqual([
      ...Array<string>(4).fill("read"),
      "write",
      ...Array<string>(4).fill("verify"),
    ]);
    expect(await look("home.example.com", "A")).toEqual(["120 203.0.113.7"]);
    expect(await look("_game._udp.example.com", "SRV")).toEqual(["60 0 0 5001 home.example.com."]);
    expect(await look("home.example.com", "TXT")).toEqual(['300 "udp=203.0.113.7:5001"']);
    expect(await look("other.example.com", "A")).toEqual(["120 192.0.2.200"]);

    await world.ask("POST", `/api/callbacks/tasks/${task}/run`);
    await world.settle();
    expect(await world.lastRun()).toMatchObject({ status: "skipped", trigger: "manual" });
    expect(await storedText(world.service.config)).not.toContain(API_KEY);
    await world.ask("PUT", `/api/callbacks/tasks/${task}`, { enabled: false });

    const refused = await world.ask("DELETE", `/api/domains/accounts/${domain}`);
    expect([refused.status, refused.body.code]).toEqual([409, "conflict"]);
    expect(refused.body.error).toContain("DNS of home");
    await world.ask("DELETE", `/api/callbacks/tasks/${task}`);
    expect((await world.ask("DELETE", `/api/callbacks/accounts/${account}`)).status).toBe(200);
    expect((await world.ask("DELETE", `/api/domains/accounts/${domain}`)).status).toBe(200);
  });

  test.for([
    ["desec", { token: "t", domain: "example.com" }, "A", "does not lie in example.com"],
    ["dyndns2", { username: "u", password: "p" }, "TXT", "holds records of type A, AAAA only"],
  ] as const)("of %s that it cannot keep are named by a test", async (each) => {
    const [provider, config, type, sentence] = each;
    // Nobody is asked.
    const settings = { ...config, base_url: "http://127.0.0.1:1" };
    const domain = await addDomainAccount(`foreign at ${provider}`, provider, settings);
    const foreign = { name: "home.example.org", type };
    const account = await addAccount(`foreign at ${provider}`, domain, [foreign]);
    const { status, body } = await world.ask("POST", `/api/callbacks/accounts/${account}/test`);
    expect(status).toBe(200);
    expect(body).toMatchObject({
      ok: false,
      message: expect.stringContaining(sentence) as unknown,
    });
  });

  test("try again only what has not been reached, and hide the domain account's secret", async () => {
    const desec = await FakeDesec.listen("example.com");
    const { token } = desec;
    const config = { token, domain: "example.com", base_url: desec.baseUrl };
    const account = await addAccount("deSEC", await addDomainAccount("deSEC", "desec", config), [
      { name: "a.example.com", type: "A" },
      { name: "b.example.com", type: "A", ttl: 60 },
    ]);
    const rule = await world.openRule({ name: "retried" });
    const task = await world.addTask({ name: "d", stun_rule_id: rule.id, account_id: account });
    const throttled = { status: 429, headers: { "retry-after": "600" }, body: { detail: token } };
    desec.server.failNext(throttled);
    await world.move({ port: 6_001 });
    const retrying = await world.lastRun();
    expect(retrying).toMatchObject({ status: "retrying", http_status: 429, attempt_count: 1 });
    expect(retrying.error).toContain("2 of 2 records failed");
    expect(bodyOf(retrying)).toMatchObject([
      { name: "a.example.com", result: "failed", code: "http_429" },
      { name: "b.example.com", result: "failed", code: "http_429" },
    ]);
    // As long as it was asked for, and no earlier.
    await world.advance(500_000);
    await world.settle();
    expect(await world.lastRun()).toMatchObject({ status: "retrying", attempt_count: 1 });
    await world.advance(200_000);
    await world.settle();
    const failed = await world.lastRun();
    expect(failed).toMatchObject({ status: "failed", http_status: 400, attempt_count: 2 });
    expect(failed.error).toContain("greater than or equal to 3600");
    expect(JSON.stringify(failed)).not.toContain(token);
    expect(await storedText(world.service.config)).not.toContain(token);
    await world.ask("PUT", `/api/callbacks/tasks/${task}`, { enabled: false });
    await desec.server.close();
  });

  test("call a service that cannot be read once for a value", async () => {
    const dyndns = await FakeDyndns2.listen();
    const { user: username, password } = dyndns;
    const config = { base_url: dyndns.server.url, username, password };
    const domain = await addDomainAccount("DynDNS", "dyndns2", config);
    const account = await addAccount("DynDNS", domain, [{ name: "home.example.com", type: "A" }]);
    const rule = await world.openRule({ name: "unread" });
    const task = await world.addTask({ name: "u", stun_rule_id: rule.id, account_id: account });
    const runNow = async (id = task) => {
      await world.ask("POST", `/api/callbacks/tasks/${id}/run`);
      await world.settle();
      return (await world.lastRun()).status;
    };
    await world.move({ port: 7_001 });
    expect((await world.lastRun()).status).toBe("succeeded");
    expect([await runNow(), dyndns.updates.length]).toEqual(["skipped", 1]);
    // Whoever publishes it: the value is there.
    const other = await world.openRule({ name: "unread too" });
    const fields = { name: "v", stun_rule_id: other.id, account_id: account, enabled: false };
    const second = await world.addTask(fields);
    expect([await runNow(second), dyndns.updates.length]).toEqual(["skipped", 1]);
    await world.move({ address: "203.0.113.77" });
    expect(dyndns.updates).toHaveLength(2);
    expect(dyndns.addresses.get("home.example.com A")).toBe("203.0.113.77");
    // Another account there may hold anything.
    await world.ask("PUT", `/api/domains/accounts/${domain}`, { config: { password } });
    expect([await runNow(), dyndns.updates.length]).toEqual(["succeeded", 3]);
    await world.ask("PUT", `/api/domains/accounts/${domain}`, { name: "renamed" });
    expect([await runNow(), dyndns.updates.length]).toEqual(["skipped", 3]);
    await world.ask("PUT", `/api/callbacks/tasks/${task}`, { enabled: false });
    await dyndns.server.close();
  });

  describe("are refused with 400", () => {
    let domain: number;
    beforeAll(async () => {
      const config = { token: "a-token", base_url: "http://127.0.0.1:1" };
      domain = await addDomainAccount("Duck", "duckdns", config);
    });
    const home = { name: "home.example.com", type: "A" };

    test.for<[what: string, config: object, path: string]>([
      ["an account that is none", { domain_account_id: 99_999 }, "domain_account_id"],
      ["no record", { records: [] }, "records"],
      ["no list", { records: home }, "records"],
      ["a record without a name", { records: [{ type: "A" }] }, "records.0.name"],
      ["a type that is none", { records: [{ ...home, type: "MX" }] }, "records.0.type"],
      ["an unknown field", { records: [{ ...home, port: 1 }] }, "records.0.port"],
      ["a TTL of 0", { records: [{ ...home, ttl: 0 }] }, "records.0.ttl"],
      ["the same record twice", { records: [home, home] }, "records.1.name"],
      [
        "a template with an unknown name",
        { records: [{ ...home, type: "TXT", template: "{{ colour }}" }] },
        "records.0.template",
      ],
    ])("%s", async ([, config, path]) => {
      const whole = { domain_account_id: domain, records: [home], ...config };
      const body = { name: "refused", type: "domain_account", config: whole };
      const answer = await world.ask("POST", "/api/callbacks/accounts", body);
      expect(answer.status).toBe(400);
      const { fields } = answer.body as { fields: { path: string }[] };
      expect(fields.map((each) => each.path)).toEqual([`config.${path}`]);
    });
  });
});

/** What a run says about each record. */
function bodyOf({ response_body: body }: { response_body: string | null }) {
  return (JSON.parse(body ?? "{}") as { records: Record<string, unknown>[] }).records;
}
