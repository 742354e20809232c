import { Value } from "typebox/value";
import { describe, expect, test, vi } from "vitest";
import {
  AliyunEsaConfig,
  CloudflareOriginRuleConfig,
  TencentEdgeoneConfig,
  WebhookConfig,
} from "../../../src/shared/api/callback-configs.ts";
import { accountSecrets, accountTypes } from "../../../src/shared/api/callbacks.ts";
import {
  DomainRecord,
  providerConfigs,
  providerNames,
  providerSecrets,
  recordTypes,
} from "../../../src/shared/api/domains.ts";
import { accountFields } from "../../../src/web/callbacks/account-fields.ts";
import { emptyRecord, toRecord, toRecordValues } from "../../../src/web/callbacks/record-values.ts";
import { providerFields } from "../../../src/web/domains/provider-fields.ts";
import {
  toConfigBody,
  toConfigValues,
  type ConfigField,
} from "../../../src/web/lib/config-fields.ts";

interface Shape {
  properties: object;
  required: readonly string[];
}
const shapes: Partial<Record<string, Shape>> = {
  cloudflare_origin_rule: CloudflareOriginRuleConfig,
  aliyun_esa: AliyunEsaConfig,
  tencent_edgeone: TencentEdgeoneConfig,
  webhook: WebhookConfig,
};

const sorted = (names: Iterable<string>): string[] => [...names].toSorted();
const namesOf = (fields: readonly ConfigField[]): string[] =>
  sorted(fields.map(({ name }) => name));
const secretsOf = (fields: readonly ConfigField[]): string[] =>
  sorted(fields.filter(({ kind }) => kind === "secret").map(({ name }) => name));
const requiredOf = (fields: readonly ConfigField[]): string[] =>
  sorted(fields.filter(({ isRequired }) => isRequired).map(({ name }) => name));

describe("the form of a callback account", () => {
  test.each(accountTypes)("of the type %s has exactly the fields of the contract", (type) => {
    const fields = accountFields[type];
    expect(secretsOf(fields)).toEqual(sorted(accountSecrets[type]));
    // The other types have no list: what they hold is chosen.
    const { properties, required } = shapes[type] ?? { properties: {}, required: [] };
    expect(namesOf(fields)).toEqual(sorted(Object.keys(properties)));
    expect(requiredOf(fields)).toEqual(sorted(required));
  });

  test("keeps secrets that are left empty, and takes away what was emptied", () => {
    const fields = accountFields.webhook;
    const stored = { url: "http://a", headers: "A: b", signing_secret: { set: true, hint: "…1" } };
    const values: Record<string, unknown> = { ...toConfigValues(fields, stored), headers: " " };
    expect(values["signing_secret"]).toBe("");
    expect(toConfigBody(fields, values, stored)).toEqual({
      url: "http://a",
      method: "POST",
      headers: null,
    });
    expect(toConfigBody(fields, { ...values, signing_secret: null }, stored)).toMatchObject({
      signing_secret: null,
    });
    expect(toConfigBody(fields, { ...values, signing_secret: "new" }, stored)).toMatchObject({
      signing_secret: "new",
    });
  });
});

describe("the form of a domain account", () => {
  test.each(providerNames)("at %s has exactly the fields of the contract", (provider) => {
    const fields = providerFields[provider];
    const { properties, required } = providerConfigs[provider];
    expect(namesOf(fields)).toEqual(sorted(Object.keys(properties)));
    expect(requiredOf(fields)).toEqual(sorted(required));
    expect(secretsOf(fields)).toEqual(sorted(providerSecrets[provider]));
  });
});

describe("a record in the form", () => {
  test("is told from others also where a page came by plain HTTP", () => {
    vi.stubGlobal("crypto", {});
    const keys = [emptyRecord(), emptyRecord()].map(({ key }) => key);
    vi.unstubAllGlobals();
    expect(new Set(keys).size).toBe(2);
  });

  test.each(recordTypes)("of the type %s says only what its type knows", (type) => {
    const filled = {
      ...emptyRecord(),
      name: " a.example.com ",
      type,
      ttl: 60,
      ip4p: true,
      priority: 0,
      weight: 5,
      target: "b.example.com",
      alpn: "h2, h3",
      template: "{{ public_ip }}",
    } as const;
    const record = toRecord(filled);
    expect(Value.Check(DomainRecord, record)).toBe(true);
    expect(record).toMatchObject({ name: "a.example.com", type, ttl: 60 });
    const extra = sorted(
      Object.keys(record).filter((key) => !["name", "type", "ttl"].includes(key)),
    );
    const own = {
      A: [],
      AAAA: ["ip4p"],
      SRV: ["priority", "target", "weight"],
      HTTPS: ["alpn", "priority", "target"],
      SVCB: ["alpn", "priority", "target"],
      TXT: ["template"],
    };
    expect(extra).toEqual(own[type]);
    expect(toRecord(toRecordValues(record))).toEqual(record);
  });
});
