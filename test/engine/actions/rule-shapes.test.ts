import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { aliyunEsa } from "../../../src/server/callbacks/actions/aliyun-esa.ts";
import { cloudflareOriginRule } from "../../../src/server/callbacks/actions/cloudflare-origin-rule.ts";
import { tencentEdgeone } from "../../../src/server/callbacks/actions/tencent-edgeone.ts";
import type { Mapping } from "../../../src/server/callbacks/change.ts";
import type { OutgoingHttp } from "../../../src/server/lib/outgoing-http.ts";
import { actionInput } from "../../support/action-input.ts";
import { FakeAliyun } from "../../support/fake-aliyun.ts";
import { FakeCloudflare } from "../../support/fake-cloudflare.ts";
import { FakeTencent } from "../../support/fake-tencent.ts";
import { openOutgoing } from "../../support/outgoing.ts";

const now = Date.parse("2026-11-20T12:00:00Z");
const MOVED: Mapping = { publicIp: "198.51.100.7", publicPort: 50_234 };

let http: OutgoingHttp;
beforeEach(() => {
  ({ http } = openOutgoing());
});
afterEach(async () => http.stop());

const exchange = () => http.exchange([], new AbortController().signal);

describe("a rule of Cloudflare", () => {
  let fake: FakeCloudflare;
  afterEach(async () => fake.server.close());
  const run = (ruleId: string, mapping = MOVED) => {
    const config = {
      api_token: fake.token,
      zone_id: fake.zoneId,
      rule_id: ruleId,
      base_url: fake.baseUrl,
    };
    return cloudflareOriginRule.run(actionInput({ config, exchange: exchange(), mapping, now }));
  };

  test("that has no port yet gets one, and keeps its origin's name", async () => {
    const action_parameters = { origin: { host: "origin.example.com" } };
    const bare = { id: "a", version: "1", action: "route", expression: "true", action_parameters };
    fake = await FakeCloudflare.listen([bare]);
    expect((await run("a")).note).toBe("The port of the rule a went from none to 50234");
    expect(fake.rule("a")?.action_parameters).toEqual({
      origin: { host: "origin.example.com", port: 50_234 },
    });
  });

  test("without any parameters gets them", async () => {
    fake = await FakeCloudflare.listen([
      { id: "a", version: "1", action: "route", expression: "true" },
    ]);
    await run("a");
    expect(fake.rule("a")?.action_parameters).toEqual({ origin: { port: 50_234 } });
  });

  test("that does something else is refused", async () => {
    fake = await FakeCloudflare.listen([
      { id: "a", version: "1", action: "rewrite", expression: "true", description: "headers" },
    ]);
    await expect(run("a")).rejects.toMatchObject({
      kind: "permanent",
      errorClass: "not_an_origin_rule",
      message: 'The rule headers does "rewrite", not "route"',
    });
    expect(fake.server.writes).toHaveLength(0);
  });

  test("that is missing is answered with those that are there", async () => {
    fake = await FakeCloudflare.listen([
      { id: "a", version: "1", action: "route", expression: "true", description: "nas" },
    ]);
    await expect(run("b")).rejects.toThrow("The zone has no origin rule b; it has nas (a)");
  });

  test("of a zone that never had one is not made up", async () => {
    fake = await FakeCloudflare.listen([]);
    fake.ruleset = undefined;
    await expect(run("a")).rejects.toMatchObject({
      kind: "permanent",
      errorClass: "no_origin_rules",
      message: expect.stringContaining("could not find entrypoint ruleset"),
    });
    expect(fake.server.writes).toHaveLength(0);
  });

  test("carries a port only: another address alone is nothing to write", async () => {
    const action_parameters = { origin: { port: 50_234 } };
    fake = await FakeCloudflare.listen([
      { id: "a", version: "1", action: "route", expression: "true", action_parameters },
    ]);
    expect((await run("a")).status).toBe("skipped");
    expect(fake.server.writes).toHaveLength(0);
  });
});

describe("a rule of ESA", () => {
  let fake: FakeAliyun;
  beforeEach(async () => {
    fake = await FakeAliyun.listen(() => now);
  });
  afterEach(async () => fake.server.close());
  const run = async (rule: Record<string, unknown>) => {
    fake.rules.set("5", { ConfigId: 5, ConfigType: "rule", ...rule });
    const config = {
      access_key_id: fake.key.id,
      access_key_secret: fake.key.secret,
      site_id: fake.siteId,
      rule_id: "5",
      base_url: fake.server.url,
    };
    const input = actionInput({ config, exchange: exchange(), mapping: MOVED, now });
    const outcome = await aliyunEsa.run(input);
    const query = fake.server.writes[0]?.url.searchParams ?? new URLSearchParams();
    return { outcome, sent: Object.fromEntries(query) };
  };
  const ids = () => ({ SiteId: fake.siteId, ConfigId: "5" });

  test.each<[string | undefined, Record<string, string>]>([
    ["http", { OriginHttpPort: "50234" }],
    ["https", { OriginHttpsPort: "50234" }],
    ["follow", { OriginHttpPort: "50234", OriginHttpsPort: "50234" }],
    [undefined, { OriginHttpPort: "50234", OriginHttpsPort: "50234" }],
  ])("with the scheme %s has these ports set: %j", async (scheme, expected) => {
    const ports = { OriginHttpPort: "80", OriginHttpsPort: "443" };
    const { sent } = await run({
      ...ports,
      ...(scheme === undefined ? {} : { OriginScheme: scheme }),
    });
    expect(sent).toEqual({ ...ids(), ...expected });
  });

  test("is sent only what differs", async () => {
    const { sent } = await run({ OriginScheme: "follow", OriginHttpPort: "50234" });
    expect(sent).toEqual({ ...ids(), OriginHttpsPort: "50234" });
  });

  test("that holds for the whole site is sent no name and no condition", async () => {
    const { outcome, sent } = await run({ ConfigType: "global", OriginHttpPort: "80" });
    expect(outcome.note).toBe("The port of the rule 5 went from 80 (OriginHttpPort) to 50234");
    expect(Object.keys(sent).toSorted()).toEqual([
      "ConfigId",
      "OriginHttpPort",
      "OriginHttpsPort",
      "SiteId",
    ]);
  });
});

/** A `ModifyOrigin` of EdgeOne. */
function origin(more: Record<string, unknown> = {}) {
  return {
    Name: "ModifyOrigin",
    ModifyOriginParameters: {
      OriginType: "IPDomain",
      Origin: "203.0.113.9",
      OriginProtocol: "follow",
      HTTPOriginPort: 80,
      HTTPSOriginPort: 443,
      ...more,
    },
  };
}

function branch(...actions: unknown[]) {
  return { Condition: "*", Actions: actions };
}

describe("a rule of EdgeOne", () => {
  let fake: FakeTencent;
  beforeEach(async () => {
    fake = await FakeTencent.listen(() => now);
  });
  afterEach(async () => fake.server.close());
  const run = async (
    branches: unknown[],
    more: { update_origin_ip?: boolean } = {},
    mapping = MOVED,
  ) => {
    fake.rules.set("r", { RuleId: "r", RuleName: "nas", Branches: branches });
    const config = {
      secret_id: fake.key.id,
      secret_key: fake.key.secret,
      site_id: fake.zoneId,
      rule_id: "r",
      base_url: fake.server.url,
      ...more,
    };
    return tencentEdgeone.run(actionInput({ config, exchange: exchange(), mapping, now }));
  };
  const stored = () => JSON.stringify(fake.rules.get("r"));

  test.each([
    ["http", { HTTPOriginPort: 50_234, HTTPSOriginPort: 443 }],
    ["https", { HTTPOriginPort: 80, HTTPSOriginPort: 50_234 }],
    ["follow", { HTTPOriginPort: 50_234, HTTPSOriginPort: 50_234 }],
  ])("with the protocol %s gets the ports it uses, and the address", async (protocol, ports) => {
    await run([branch(origin({ OriginProtocol: protocol }))]);
    expect(stored()).toBe(
      JSON.stringify({
        Status: "enable",
        RuleName: "nas",
        Description: [],
        RuleId: "r",
        Branches: [branch(origin({ OriginProtocol: protocol, Origin: "198.51.100.7", ...ports }))],
      }),
    );
  });

  test("keeps its address when that is asked for", async () => {
    await run([branch(origin())], { update_origin_ip: false });
    expect(stored()).toContain('"Origin":"203.0.113.9"');
    expect(stored()).toContain("50234");
  });

  test("keeps the name of an origin group", async () => {
    await run([branch(origin({ OriginType: "OriginGroup", Origin: "og-1" }))]);
    expect(stored()).toContain('"Origin":"og-1"');
    expect(stored()).toContain("50234");
  });

  test("may have its origin in a rule of its own rule", async () => {
    const subRule = { Description: ["deep"], Branches: [branch(origin())] };
    await run([{ ...branch({ Name: "Cache" }), SubRules: [{ Branches: [] }, subRule] }]);
    expect(stored()).toContain('"Origin":"198.51.100.7"');
  });

  test.each<[string, unknown[], string]>([
    ["no origin", [branch({ Name: "Cache" })], "has no ModifyOrigin actions"],
    ["two origins", [branch(origin()), branch(origin())], "has 2 ModifyOrigin actions"],
    [
      "origins at two depths",
      [{ ...branch(origin()), SubRules: [{ Branches: [branch(origin())] }] }],
      "has 2 ModifyOrigin actions",
    ],
  ])("with %s is left alone", async (_what, branches, message) => {
    await expect(run(branches)).rejects.toMatchObject({
      kind: "permanent",
      message: expect.stringContaining(message),
    });
    expect(fake.server.received).toHaveLength(1);
  });

  test("that leads to a bucket has no port", async () => {
    const bucket = {
      Name: "ModifyOrigin",
      ModifyOriginParameters: { OriginType: "COS", Origin: "a.cos.example.com" },
    };
    await expect(run([branch(bucket)])).rejects.toMatchObject({
      errorClass: "origin_without_port",
      message: "An origin of type COS without http, https or follow has no port to set",
    });
  });

  test("is refused an address that the provider does not take", async () => {
    const mapping = { publicIp: "10.0.0.9", publicPort: 50_234 };
    await expect(run([branch(origin())], {}, mapping)).rejects.toMatchObject({
      kind: "permanent",
      errorClass: "InvalidParameter.ErrInvalidActionOriginPrivateAddress",
    });
  });

  test("that is locked for a moment is tried again", async () => {
    const Error = { Code: "OperationDenied.ResourceLockedTemporary", Message: "busy" };
    fake.server.failNext(undefined, { status: 200, body: { Response: { Error } } });
    await expect(run([branch(origin())])).rejects.toMatchObject({ kind: "transient" });
  });
});
