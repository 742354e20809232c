import type { Action } from "../../../src/server/callbacks/actions/action.ts";
import { aliyunEsa } from "../../../src/server/callbacks/actions/aliyun-esa.ts";
import { cloudflareOriginRule } from "../../../src/server/callbacks/actions/cloudflare-origin-rule.ts";
import { tencentEdgeone } from "../../../src/server/callbacks/actions/tencent-edgeone.ts";
import { FakeAliyun } from "../../support/fake-aliyun.ts";
import { FakeCloudflare } from "../../support/fake-cloudflare.ts";
import { FakeTencent } from "../../support/fake-tencent.ts";
import type { ProviderServer, Reply } from "../../support/provider-server.ts";

export const NOW = Date.parse("2026-11-20T12:00:00Z");

/** A provider with one rule, whose port is 50001, and the account that leads to it. */
export interface ProviderCase {
  action: Action;
  config: Record<string, unknown>;
  server: ProviderServer;
  secret: string;
  /** All that the provider holds of the rule. */
  rule: () => Record<string, unknown>;
  /** The ports that visitors of the rule are sent to. */
  ports: () => unknown[];
  /** Lets this happen right after the next write was stored. */
  afterWrite: (change: (rule: Record<string, unknown>) => void) => void;
  isWrite: (request: { method: string; headers: unknown }) => boolean;
  /** What is wrong with another secret. */
  wrongSecret: { config: Record<string, unknown>; errorClass: string };
  missingRule: { config: Record<string, unknown>; errorClass: string };
  limited: Reply;
  /** How long it says to wait, if it can say it. */
  limitedForMs: number | undefined;
  broken: Reply;
}

async function cloudflare(): Promise<ProviderCase> {
  const id = "3a03d665bac047339bb530ecb439a90d";
  const other = { id: "other", version: "1", action: "route", expression: "true" };
  const fake = await FakeCloudflare.listen([
    other,
    {
      id,
      version: "3",
      action: "route",
      expression: '(http.host eq "nas.example.com")',
      description: "nas",
      enabled: false,
      ref: "my-ref",
      last_updated: "2026-01-01T00:00:00Z",
      logging: { enabled: true },
      action_parameters: {
        host_header: "nas.example.com",
        sni: { value: "nas.example.com" },
        origin: { host: "origin.example.com", port: 50_001 },
      },
    },
  ]);
  const config = {
    api_token: fake.token,
    zone_id: fake.zoneId,
    rule_id: id,
    base_url: fake.baseUrl,
  };
  const rule = () => fake.rule(id) ?? {};
  return {
    action: cloudflareOriginRule,
    config,
    server: fake.server,
    secret: fake.token,
    rule,
    ports: () => [(rule().action_parameters as { origin: { port: number } }).origin.port],
    afterWrite: (change) => (fake.afterWrite = change),
    isWrite: ({ method }) => method !== "GET",
    wrongSecret: { config: { api_token: "wrong-token" }, errorClass: "cloudflare_10000" },
    missingRule: { config: { rule_id: "gone" }, errorClass: "rule_not_found" },
    limitedForMs: 120_000,
    limited: { status: 429, headers: { "retry-after": "120" }, body: { success: false } },
    broken: { status: 502, headers: { "content-type": "text/html" }, body: "<html>bad gateway" },
  };
}

async function aliyun(now = () => NOW): Promise<ProviderCase> {
  const fake = await FakeAliyun.listen(now);
  const id = "352816096987136";
  const rule = {
    ConfigId: Number(id),
    ConfigType: "rule",
    SiteVersion: 0,
    RuleName: "nas",
    RuleEnable: "off",
    Rule: '(http.host eq "nas.example.com")',
    Sequence: 1,
    OriginScheme: "follow",
    OriginHttpPort: "50001",
    OriginHttpsPort: "50001",
    OriginHost: "nas.example.com",
    Range: "force",
  };
  fake.rules.set(id, rule);
  const config = {
    access_key_id: fake.key.id,
    access_key_secret: fake.key.secret,
    site_id: fake.siteId,
    rule_id: id,
    base_url: fake.server.url,
  };
  const limited = {
    Code: "Throttling.User",
    Message: "Request was denied due to user flow control.",
  };
  return {
    action: aliyunEsa,
    config,
    server: fake.server,
    secret: fake.key.secret,
    rule: () => rule,
    ports: () => [Number(rule.OriginHttpPort), Number(rule.OriginHttpsPort)],
    afterWrite: (change) => (fake.afterWrite = change),
    isWrite: ({ method }) => method !== "GET",
    wrongSecret: {
      config: { access_key_secret: "wrong-secret" },
      errorClass: "SignatureDoesNotMatch",
    },
    missingRule: { config: { rule_id: "7" }, errorClass: "ConfigNotFound.Rule" },
    limitedForMs: 120_000,
    limited: { status: 400, headers: { "retry-after": "120" }, body: limited },
    broken: { status: 503, body: { Code: "ServiceUnavailable", Message: "try later" } },
  };
}

async function tencent(now = () => NOW): Promise<ProviderCase> {
  const fake = await FakeTencent.listen(now);
  const id = "rule-djuq23";
  fake.rules.set(id, {
    RuleId: id,
    RuleName: "nas",
    Status: "disable",
    Description: ["what it is for"],
    Branches: [
      {
        Condition: "${http.request.host} in ['nas.example.com']",
        Actions: [
          { Name: "Cache", CacheParameters: { NoCache: { Switch: "on" } } },
          {
            Name: "ModifyOrigin",
            ModifyOriginParameters: {
              OriginType: "IPDomain",
              Origin: "203.0.113.9",
              OriginProtocol: "follow",
              HTTPOriginPort: 50_001,
              HTTPSOriginPort: 50_001,
            },
          },
        ],
        SubRules: [
          {
            Description: ["deeper"],
            Branches: [
              { Condition: "*", Actions: [{ Name: "SmartRouting", X: { Unknown: 1.5 } }] },
            ],
          },
        ],
      },
    ],
  });
  const rule = () => fake.rules.get(id) ?? {};
  const origin = () => {
    const { Branches: branches } = rule() as {
      Branches: { Actions: { ModifyOriginParameters: Record<string, unknown> }[] }[];
    };
    return branches[0]?.Actions[1]?.ModifyOriginParameters ?? {};
  };
  const config = {
    secret_id: fake.key.id,
    secret_key: fake.key.secret,
    site_id: fake.zoneId,
    rule_id: id,
    base_url: fake.server.url,
  };
  const limited = { Code: "RequestLimitExceeded", Message: "too fast" };
  return {
    action: tencentEdgeone,
    config,
    server: fake.server,
    secret: fake.key.secret,
    rule,
    ports: () => [origin().HTTPOriginPort, origin().HTTPSOriginPort],
    afterWrite: (change) => (fake.afterWrite = change),
    isWrite: ({ headers }) =>
      (headers as Record<string, string>)["x-tc-action"] !== "DescribeL7AccRules",
    wrongSecret: {
      config: { secret_key: "wrong-secret" },
      errorClass: "AuthFailure.SignatureFailure",
    },
    missingRule: { config: { rule_id: "rule-gone" }, errorClass: "rule_not_found" },
    limitedForMs: undefined,
    limited: {
      status: 200,
      body: { Response: { Error: limited, RequestId: "1" } },
    },
    broken: { status: 500, body: "internal" },
  };
}

export const providerCases = { cloudflare, aliyun, tencent } as const;
