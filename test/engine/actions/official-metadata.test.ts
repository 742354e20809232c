import { isDeepStrictEqual } from "node:util";
import { Ajv } from "ajv";
import { afterEach, beforeEach, expect, test } from "vitest";
import { tencentEdgeone } from "../../../src/server/callbacks/actions/tencent-edgeone.ts";
import type { OutgoingHttp } from "../../../src/server/lib/outgoing-http.ts";
import { actionInput } from "../../support/action-input.ts";
import { FakeTencent } from "../../support/fake-tencent.ts";
import { describeWithMetadata, readMetadata } from "../../support/official-metadata.ts";
import { openOutgoing } from "../../support/outgoing.ts";
import { NOW, providerCases } from "./provider-cases.ts";

type Json = Record<string, unknown>;

describeWithMetadata("the actions of callbacks", () => {
  let http: OutgoingHttp;
  beforeEach(() => {
    ({ http } = openOutgoing());
  });
  afterEach(async () => http.stop());

  /** One whole run against the server of the tests. */
  async function run(name: keyof typeof providerCases) {
    const provider = await providerCases[name]();
    const { config, server, action } = provider;
    const exchange = http.exchange([], new AbortController().signal);
    await action.run(actionInput({ config, exchange, now: NOW }));
    await server.close();
    expect(server.received).toHaveLength(3);
    return { received: server.received, records: exchange.records };
  }

  test("the rule that is sent to Cloudflare is an origin rule, and its answers are its rulesets", async () => {
    const description = readMetadata("cloudflare-openapi-subset-2024-08-06.json") as {
      components: Json;
    };
    const ajv = new Ajv({ strict: false, validateFormats: false });
    ajv.addSchema({ $id: "official", components: requestForm(description.components) });
    const isRule = ajv.getSchema("official#/components/schemas/rulesets_RouteRule");
    const { received, records } = await run("cloudflare");
    const body = JSON.parse(String(received[1]?.body)) as Json;
    expect([isRule?.(body), isRule?.errors]).toEqual([true, null]);
    for (const port of ["50234", 70_000]) {
      expect(isRule?.({ ...body, action_parameters: { origin: { port } } })).toBe(false);
    }
    ajv.addSchema({ $id: "answers", components: description.components });
    const isRuleset = ajv.getSchema("answers#/components/schemas/rulesets_Ruleset");
    for (const { response_body } of records) {
      const { result } = JSON.parse(response_body ?? "") as { result: unknown };
      expect([isRuleset?.(result), isRuleset?.errors]).toEqual([true, null]);
    }
  });

  test("the calls to Alibaba Cloud have the methods and parameters that are described", async () => {
    interface Call {
      method: string;
      parameters: { name: string; position: string; required: boolean }[];
    }
    const { apis } = readMetadata("aliyun-meta/esa.json") as { apis: Record<string, Call> };
    const { received } = await run("aliyun");
    for (const { message, method, url, body } of received) {
      const described = apis[String(message.headers["x-acs-action"])];
      expect(described?.method).toBe(method);
      expect(body).toHaveLength(0);
      const sent = [...url.searchParams.keys()];
      const known = described?.parameters.filter(({ position }) => position === "Query") ?? [];
      expect(known.map(({ name }) => name)).toEqual(expect.arrayContaining(sent));
      const due = known.filter(({ required }) => required).map(({ name }) => name);
      expect(sent).toEqual(expect.arrayContaining(due));
    }
  });

  test("the calls to Tencent Cloud are of the described types", async () => {
    const metadata = readMetadata("tencent-teo-20220901-subset-api.json") as TencentMetadata;
    const { received } = await run("tencent");
    const unknown: string[] = [];
    for (const { message, body } of received) {
      const action = String(message.headers["x-tc-action"]);
      const request = JSON.parse(body.toString()) as Json;
      unknown.push(...faults(metadata, metadata.actions[action]?.input ?? "", request, action));
    }
    // The rule of the tests holds a parameter that no description knows, to see it come back.
    const odd = "ModifyL7AccRule.Rule.Branches.0.SubRules.0.Branches.0.Actions.0.X is unknown";
    expect(unknown).toEqual([odd]);
  });

  test("the official rule of EdgeOne with its 33 actions changes in two numbers only", async () => {
    const { actions } = readMetadata(
      "tencent-teo-20220901-subset-examples.json",
    ) as TencentExamples;
    const shown = actions.DescribeL7AccRules?.[0]?.output ?? "";
    const { Rules: rules } = (JSON.parse(shown) as { Response: { Rules: Json[] } }).Response;
    const written = /\{[^]*\}/.exec(actions.ModifyL7AccRule?.[0]?.input ?? "")?.[0] ?? "";
    const official = (JSON.parse(written) as { Rule: Json }).Rule;
    const fake = await FakeTencent.listen(() => NOW);
    fake.rules.set("rule-djuq23", rules[0] ?? {});
    const config = {
      secret_id: fake.key.id,
      secret_key: fake.key.secret,
      site_id: fake.zoneId,
      rule_id: "rule-djuq23",
      base_url: fake.server.url,
      update_origin_ip: false,
    };
    const exchange = http.exchange([], new AbortController().signal);
    await tencentEdgeone.run(actionInput({ config, exchange, now: NOW }));
    const sent = JSON.parse(String(fake.server.received[1]?.body)) as { Rule: Json };
    await fake.server.close();
    expect(JSON.stringify(sent.Rule).match(/"Name":"[A-Z]\w+","\w+Parameters"/g)?.length).toBe(33);
    expect(isDeepStrictEqual(sent.Rule, official)).toBe(false);
    const back = JSON.stringify(sent.Rule)
      .replace('"HTTPOriginPort":50234', '"HTTPOriginPort":80')
      .replace('"HTTPSOriginPort":50234', '"HTTPSOriginPort":443');
    expect(JSON.parse(back)).toEqual(official);
  });
});

interface TencentMetadata {
  actions: Record<string, { input: string }>;
  objects: Record<
    string,
    { members: { name: string; type: string; member: string; required?: boolean }[] }
  >;
}

type TencentExamples = { actions: Record<string, { input: string; output: string }[]> };

/** What of a value is not as its type says. */
function faults(metadata: TencentMetadata, type: string, value: unknown, path: string): string[] {
  const described = metadata.objects[type];
  if (!described) return [];
  const { members } = described;
  const entries = Object.entries(value as Json);
  const missing = members.filter(({ name, required }) => required && !(name in (value as Json)));
  return [
    ...missing.map(({ name }) => `${path}.${name} is missing`),
    ...entries.flatMap(([name, each]) => {
      const member = members.find((known) => known.name === name);
      const here = `${path}.${name}`;
      if (!member) return [`${here} is unknown`];
      if (!isOfType(member.type, each)) return [`${here} is no ${member.type}`];
      if (member.type === "object") return faults(metadata, member.member, each, here);
      if (member.type !== "list") return [];
      return (each as unknown[]).flatMap((one, at) =>
        faults(metadata, member.member, one, `${here}.${at}`),
      );
    }),
  ];
}

function isOfType(type: string, value: unknown): boolean {
  switch (type) {
    case "list":
      return Array.isArray(value);
    case "int":
      return Number.isInteger(value);
    case "bool":
      return typeof value === "boolean";
    case "object":
      return typeof value === "object" && value !== null;
    default:
      return typeof value === type;
  }
}

/** Fields that are only read are among the required ones of the description. */
function requestForm(schema: unknown): Json {
  return JSON.parse(JSON.stringify(schema), (key, value: unknown) => {
    if (key !== "required" || !Array.isArray(value)) return value;
    return value.filter((name) => !["id", "version", "last_updated"].includes(String(name)));
  }) as Json;
}
