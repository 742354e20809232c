import { afterAll, beforeAll, expect, test } from "vitest";
import { join, setUp } from "../support/accounts.ts";
import type { Answer } from "../support/client.ts";
import { FakeNat } from "../support/fake-nat.ts";
import { ManualClock } from "../support/manual-clock.ts";
import { ManualTime } from "../support/manual-time.ts";
import { createRule, getRule } from "../support/rules.ts";
import { describeOnBothDatabases, type TestService } from "../support/service.ts";

const RULES = "/api/stun/rules";
const clock = new ManualClock();

describeOnBothDatabases("STUN rules", (context) => {
  let service: TestService;
  let token: string;
  const time = new ManualTime();
  const nat = new FakeNat(clock, time);
  beforeAll(async () => {
    nat.addresses = ["192.168.1.2"];
    nat.taken.add(7_777);
    service = await context.start({
      clock,
      env: { METRICS_TOKEN: "metrics", STUN_SERVERS: "198.51.100.1:3478,198.51.100.2:3478" },
      stun: nat.options,
    });
    token = await setUp(service);
  });
  afterAll(() => service.stop());

  const ask = (method: string, path: string, body?: unknown): Promise<Answer> =>
    service.request(method, path, { token, body });
  const create = (fields: object): Promise<Answer> =>
    ask("POST", RULES, { name: "any", transport: "udp", ...fields });

  /** Both clocks move on, and what waits for the storage gets there. */
  async function advance(ms: number): Promise<void> {
    await time.advance(ms, () => new Promise(setImmediate));
    clock.advance(ms);
    await service.service.stun.runWorkersOnce();
  }

  test("are for administrators", async () => {
    const { id } = await createRule(service, token, { name: "guarded" });
    const user = await join(service, "user@example.com");
    const paths: [method: string, path: string][] = [
      ["GET", RULES],
      ["POST", RULES],
      ["GET", `${RULES}/${id}`],
      ["PUT", `${RULES}/${id}`],
      ["DELETE", `${RULES}/${id}`],
      ["POST", `${RULES}/${id}/probe`],
      ["GET", `${RULES}/${id}/changes`],
      ["GET", `${RULES}/${id}/observations`],
      ["GET", "/api/stun/stand-ins"],
    ];
    for (const [method, path] of paths) {
      expect((await service.request(method, path)).status).toBe(401);
      expect((await service.request(method, path, { token: user })).status).toBe(403);
    }
    expect((await getRule(service, token, id)).name).toBe("guarded");
  });

  test("need a name and a transport; the rest has defaults", async () => {
    const { status, body } = await create({ name: "  defaults " });
    expect(status).toBe(201);
    const rule = {
      id: expect.any(Number) as unknown,
      name: "defaults",
      enabled: true,
      transport: "udp",
      local_address: null,
      local_port: 0,
      stun_servers: [],
      keepalive_hosts: [],
      probe_interval_seconds: 20,
      settle_seconds: 3,
      forward_to: null,
      trigger_callbacks: true,
      instance: "main",
      state: {
        status: "starting",
        public_ip: null,
        public_port: null,
        local_address: null,
        local_port: null,
        server: null,
        last_probe_at: null,
        last_change_at: null,
        consecutive_failures: 0,
        last_error: null,
      },
    };
    expect(body).toEqual({ message: "Rule created", rule });
    await advance(1_000);
    const open = await getRule(service, token, body.rule.id as number);
    expect(open.state).toEqual({
      status: "open",
      public_ip: "203.0.113.7",
      public_port: 5_000,
      local_address: "0.0.0.0",
      local_port: expect.any(Number) as unknown,
      server: expect.stringMatching(/^198\.51\.100\.[12]:3478$/) as unknown,
      last_probe_at: expect.stringMatching(/^2026-03-10T/) as unknown,
      last_change_at: expect.stringMatching(/^2026-03-10T/) as unknown,
      consecutive_failures: 0,
      last_error: null,
    });
    const { rules } = (await ask("GET", RULES)).body as { rules: { id: number; name: string }[] };
    expect(rules.map((each) => each.name)).toContain("defaults");
    expect(rules).toEqual(rules.toSorted((a, b) => a.id - b.id));
  });

  test("answer every field as it was set, in its one spelling", async () => {
    const settings = {
      name: "everything",
      enabled: false,
      transport: "tcp",
      local_address: "2001:DB8:0::1",
      local_port: 7_000,
      stun_servers: ["STUN.Example.org:3478", "[2001:db8::A]:3478"],
      keepalive_hosts: ["www.example.org:80"],
      probe_interval_seconds: 3600,
      settle_seconds: 300,
      forward_to: { host: "10.0.0.2", port: 80, proxy_protocol: true },
      trigger_callbacks: false,
      instance: "other-one",
    };
    const { status, body } = await create(settings);
    expect(status).toBe(201);
    const { id, state, ...answered } = body.rule;
    expect(answered).toEqual({
      ...settings,
      local_address: "2001:db8::1",
      stun_servers: ["stun.example.org:3478", "[2001:db8::a]:3478"],
    });
    expect(state).toMatchObject({ status: "disabled", last_change_at: null });
    const plain = { host: "nas.lan", port: 443 };
    const changed = await ask("PUT", `${RULES}/${id}`, { forward_to: plain });
    expect(changed.body.rule.forward_to).toEqual(plain);
  });

  const wrong: [fields: object, path: string, message: RegExp][] = [
    [{ name: undefined }, "name", /required/],
    [{ transport: undefined }, "transport", /required/],
    [{ name: "  " }, "name", /empty/],
    [{ name: "a\nb" }, "name", /control/],
    [{ name: "x".repeat(65) }, "name", /64/],
    [{ name: 7 }, "name", /text/],
    [{ enabled: "yes" }, "enabled", /true or false/],
    [{ transport: "sctp" }, "transport", /udp or tcp/],
    [{ local_address: "home.example.org" }, "local_address", /IPv4 or IPv6/],
    [{ local_address: "192.168.1" }, "local_address", /IPv4 or IPv6/],
    [{ local_port: -1 }, "local_port", /0 to 65535/],
    [{ local_port: 65_536 }, "local_port", /0 to 65535/],
    [{ local_port: "7000" }, "local_port", /not text/],
    [{ stun_servers: ["stun.example.org"] }, "stun_servers.0", /host:port/],
    [{ stun_servers: ["a.example:1", "b_d.example:1"] }, "stun_servers.1", /host:port/],
    [{ stun_servers: ["a.example:0"] }, "stun_servers.0", /host:port/],
    [{ stun_servers: ["a.example:1", "A.example:1"] }, "stun_servers.1", /already/],
    [{ stun_servers: "a.example:1" }, "stun_servers", /list/],
    [{ stun_servers: Array(17).fill("a.example:1") }, "stun_servers", /at most 16/],
    [{ keepalive_hosts: ["http://a.example"] }, "keepalive_hosts.0", /host:port/],
    [{ keepalive_hosts: ["a.example:80"] }, "keepalive_hosts", /tcp only/],
    [{ probe_interval_seconds: 0 }, "probe_interval_seconds", /1 to 3600/],
    [{ probe_interval_seconds: 3601 }, "probe_interval_seconds", /1 to 3600/],
    [{ probe_interval_seconds: 1.5 }, "probe_interval_seconds", /whole/],
    [{ settle_seconds: -1 }, "settle_seconds", /0 to 300/],
    [{ settle_seconds: 301 }, "settle_seconds", /0 to 300/],
    [{ forward_to: { host: "10.0.0.2" } }, "forward_to", /object or null/],
    [{ forward_to: { host: "no host", port: 1 } }, "forward_to.host", /DNS name/],
    [{ forward_to: { host: "10.0.0.2", port: 0 } }, "forward_to", /object or null/],
    [
      { forward_to: { host: "10.0.0.2", port: 1, proxy_protocol: true } },
      "forward_to.proxy_protocol",
      /tcp only/,
    ],
    [{ trigger_callbacks: 1 }, "trigger_callbacks", /true or false/],
    [{ instance: "No Name" }, "instance", /a–z/],
    [{ probe_interval: 20 }, "probe_interval", /not a field/],
    [{ id: 7 }, "id", /not a field/],
    [{ state: {} }, "state", /not a field/],
    [{ local_port: 7_777 }, "local_port", /used by somebody else/],
    [{ local_address: "192.168.1.3" }, "local_address", /no address of this host/],
  ];

  test.for(wrong)("are refused with %o: %s", async ([fields, path, message]) => {
    const { status, body } = await create(fields);
    expect(status).toBe(400);
    expect(body.fields).toContainEqual({
      path,
      message: expect.stringMatching(message) as unknown,
    });
    expect(body.error).toContain(path);
  });

  test("are refused a target that is this service itself", async () => {
    const port = Number(new URL(service.origin).port);
    for (const host of ["127.0.0.1", "localhost", "0.0.0.0"]) {
      const { status, body } = await create({ forward_to: { host, port } });
      expect([status, body.fields?.[0]?.path]).toEqual([400, "forward_to"]);
    }
    const other = await create({
      name: "beside",
      forward_to: { host: "127.0.0.1", port: port - 1 },
    });
    expect(other.status).toBe(201);
  });

  test("have names and ports of their own", async () => {
    const first = await createRule(service, token, { name: "one", local_port: 6_000 });
    const second = await createRule(service, token, { name: "two", local_port: 6_001 });
    const taken = await create({ name: "one" });
    expect(taken.status).toBe(400);
    expect(taken.body).toMatchObject({ code: "name_taken", fields: [{ path: "name" }] });
    const renamed = await ask("PUT", `${RULES}/${second.id}`, { name: "one" });
    expect([renamed.status, renamed.body.code]).toEqual([400, "name_taken"]);
    expect((await ask("PUT", `${RULES}/${first.id}`, { name: "one" })).status).toBe(200);

    const samePort = { name: "three", local_port: 6_000 };
    const refused = await create(samePort);
    expect(refused.status).toBe(400);
    expect(refused.body.error).toBe("local_port: is the port of the rule one");
    for (const enabled of [true, false]) {
      const moved = await ask("PUT", `${RULES}/${second.id}`, { local_port: 6_000, enabled });
      expect([moved.status, moved.body.fields?.[0]?.path]).toEqual([400, "local_port"]);
    }
    expect((await create({ ...samePort, transport: "tcp" })).status).toBe(201);
    expect((await create({ ...samePort, name: "four", instance: "elsewhere" })).status).toBe(201);
    await advance(1_000);
    expect((await getRule(service, token, second.id)).state.status).toBe("open");
  });

  test("change in part, not at all, and go", async () => {
    const { id } = await createRule(service, token, { name: "to change", local_port: 6_100 });
    await advance(1_000);
    const nothing = await ask("PUT", `${RULES}/${id}`, {});
    expect(nothing.status).toBe(200);
    expect(nothing.body.rule).toMatchObject({ name: "to change", state: { status: "open" } });
    const changed = await ask("PUT", `${RULES}/${id}`, { settle_seconds: 9, name: "changed" });
    expect(changed.body).toMatchObject({
      message: "Rule updated",
      rule: { name: "changed", settle_seconds: 9, local_port: 6_100, probe_interval_seconds: 20 },
    });
    // Refused, it goes on as before.
    const refused = await ask("PUT", `${RULES}/${id}`, { local_port: 7_777 });
    expect(refused.status).toBe(400);
    await advance(1_000);
    expect((await getRule(service, token, id)).state).toMatchObject({
      status: "open",
      local_port: 6_100,
    });
    expect((await ask("PUT", `${RULES}/${id}`, { color: "red" })).status).toBe(400);
    expect((await ask("PUT", `${RULES}/999999`, { color: "red" })).status).toBe(400);
    expect((await ask("PUT", `${RULES}/999999`, { name: "nobody" })).status).toBe(404);

    expect((await ask("DELETE", `${RULES}/${id}`)).body).toEqual({ message: "Rule deleted" });
    for (const [method, path] of [
      ["GET", ""],
      ["PUT", ""],
      ["DELETE", ""],
      ["POST", "/probe"],
      ["GET", "/changes"],
      ["GET", "/observations"],
    ]) {
      expect((await ask(method ?? "", `${RULES}/${id}${path}`)).status).toBe(404);
    }
    expect(nat.openHoles.map((each) => each.local.port)).not.toContain(6_100);
    const { entries } = (await ask("GET", "/api/admin/audit?limit=200")).body as {
      entries: { action: string; subject: string; details: object }[];
    };
    const ofRule = entries.filter((each) => each.subject === `stun_rule:${id}`).toReversed();
    expect(ofRule.map(({ action, details }) => [action, details])).toEqual([
      ["stun_rule.create", { name: "to change" }],
      ["stun_rule.update", { name: "to change", changed: ["name", "settle_seconds"] }],
      ["stun_rule.delete", { name: "changed" }],
    ]);
  });

  test("are probed when asked to", async () => {
    const { id } = await createRule(service, token, { name: "probed" });
    const early = await ask("POST", `${RULES}/${id}/probe`);
    expect([early.status, early.body.code]).toEqual([409, "conflict"]);
    await advance(1_000);
    const probing = ask("POST", `${RULES}/${id}/probe`);
    const moving = setInterval(() => void time.advance(20), 5);
    const { status, body } = await probing;
    clearInterval(moving);
    expect(status).toBe(200);
    expect(body).toEqual({
      message: "A server has answered",
      observation: {
        at: expect.stringMatching(/Z$/) as unknown,
        server: expect.stringMatching(/^198\.51\.100\.[12]:3478$/) as unknown,
        public_ip: "203.0.113.7",
        public_port: 5_000,
        rtt_ms: 20,
        error: null,
      },
    });
    await ask("PUT", `${RULES}/${id}`, { enabled: false });
    const off = await ask("POST", `${RULES}/${id}/probe`);
    expect([off.status, off.body.error]).toEqual([409, "The rule is switched off"]);
  });

  test("show their changes and observations in pages, newest first", async () => {
    const { id } = await createRule(service, token, { name: "history", settle_seconds: 0 });
    await advance(1_000);
    for (const port of [5_001, 5_002, 5_003]) {
      nat.mapping = { address: "203.0.113.7", port };
      await advance(21_000);
    }
    const { changes } = (await ask("GET", `${RULES}/${id}/changes`)).body;
    expect(changes.map((each: { public_port: number }) => each.public_port)).toEqual([
      5_003, 5_002, 5_001, 5_000,
    ]);
    expect(changes[0]).toMatchObject({
      rule_id: id,
      previous_ip: "203.0.113.7",
      previous_port: 5_002,
      changed: ["port"],
    });
    expect(changes[0].confirmed_by).toHaveLength(2);
    const page = await ask("GET", `${RULES}/${id}/changes?limit=2&before=${changes[0].id}`);
    expect(page.body.changes).toEqual(changes.slice(1, 3));

    const { observations } = (await ask("GET", `${RULES}/${id}/observations`)).body;
    const times = observations.map((each: { at: string }) => each.at);
    expect(times).toEqual(times.toSorted().toReversed());
    const before = encodeURIComponent(times[0] as string);
    const older = await ask("GET", `${RULES}/${id}/observations?limit=2&before=${before}`);
    const rest = observations.filter((each: { at: string }) => each.at < times[0]);
    expect(older.body.observations).toEqual(rest.slice(0, 2));

    for (const query of ["limit=0", "limit=201", "before=x", "before=0", "color=red"]) {
      expect((await ask("GET", `${RULES}/${id}/changes?${query}`)).status).toBe(400);
    }
    for (const query of ["limit=0", "limit=1001", "before=1", "color=red"]) {
      expect((await ask("GET", `${RULES}/${id}/observations?${query}`)).status).toBe(400);
    }
  });

  test("are counted", async () => {
    const { body } = await service.request("GET", "/metrics", { token: "metrics" });
    const value = (name: string) =>
      Number(new RegExp(`^${name.replaceAll(/[{}"]/g, "\\$&")} (\\S+)$`, "m").exec(body)?.[1]);
    expect(value('waypost_stun_rules{status="open"}')).toBeGreaterThan(3);
    expect(value('waypost_stun_rules{status="lost"}')).toBe(0);
    expect(value('waypost_stun_probes_total{outcome="answered"}')).toBeGreaterThan(10);
    expect(value("waypost_stun_changes_total")).toBeGreaterThanOrEqual(3);
    expect(value("waypost_stun_changes_waiting")).toBe(0);
  });
});
