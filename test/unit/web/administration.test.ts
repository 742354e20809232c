import { expect, test } from "vitest";
import { TaskChange } from "../../../src/shared/api/callbacks.ts";
import { NodeChange } from "../../../src/shared/api/nodes.ts";
import { PublicationChange } from "../../../src/shared/api/publications.ts";
import { RuleChange } from "../../../src/shared/api/stun.ts";
import { PREFIX, settings } from "../../../src/server/settings.ts";
import { accountFields } from "../../../src/web/callbacks/account-fields.ts";
import { providerFields } from "../../../src/web/domains/provider-fields.ts";
import { pages } from "../../../src/web/app/pages.ts";
import { toLabelKey } from "../../../src/web/admin/field-labels.ts";
import { toDetailLines } from "../../../src/web/admin/detail-lines.ts";
import { toGroup } from "../../../src/web/admin/setting-groups.ts";
import { judgeStrength } from "../../../src/web/lib/password-strength.ts";
import { chineseSettings } from "../../../src/web/locales/chinese-settings.ts";

const names = settings.map(({ name }) => PREFIX + name);

test("every setting is explained in Chinese, and no other", () => {
  expect(Object.keys(chineseSettings).toSorted()).toEqual(names.toSorted());
});

test("every setting has its place among the groups", () => {
  expect(names.filter((name) => toGroup({ name }) === "other")).toEqual([]);
  expect(toGroup({ name: "WAYPOST_BRAND_NEW" })).toBe("other");
});

test("details of an audit entry say before and after, field by field", () => {
  const connection = { type: "TCP", ip: "203.0.113.7", port: 1 };
  const details = {
    node_name: "a",
    is_admin: true,
    changed: {
      tags: { from: "", to: "x" },
      connections: { from: [connection], to: [connection, { ...connection, port: 2 }] },
    },
  };
  expect(toDetailLines(details, shout)).toEqual([
    { name: "node_name", value: "a" },
    { name: "is_admin", value: "true" },
    { name: "tags", before: "–", value: "x" },
    {
      name: "connections",
      before: "tcp://203.0.113.7:1",
      value: "tcp://203.0.113.7:1, tcp://203.0.113.7:2",
    },
  ]);
  expect(toDetailLines({ changed: ["name", "enabled"], list: ["a", "b"] }, shout)).toEqual([
    { name: "changed", value: "NAME, ENABLED" },
    { name: "list", value: "a, b" },
  ]);
  expect(toDetailLines({ changed: [] }, shout)).toEqual([{ name: "changed", value: "–" }]);
});

test("fields in the audit log are called as on their forms, in both languages", async () => {
  const fieldsOf: Record<string, readonly string[]> = {
    node: Object.keys(NodeChange.properties),
    stun_rule: Object.keys(RuleChange.properties),
    callback_task: Object.keys(TaskChange.properties),
    node_publication: Object.keys(PublicationChange.properties),
    callback_account: [
      "name",
      "type",
      ...Object.values(accountFields).flatMap(configNames),
      "config.domain_account_id",
      "config.records",
      "config.node_id",
      "config.transport",
    ],
    domain_account: ["name", "provider", ...Object.values(providerFields).flatMap(configNames)],
  };
  const audit = pages.find(({ name }) => name === "audit");
  for (const [noun, fields] of Object.entries(fieldsOf)) {
    for (const field of fields) {
      const [feature = "", key = ""] = toLabelKey(noun, field)?.split(":") ?? [];
      expect([noun, field, audit?.words]).toEqual([noun, field, expect.arrayContaining([feature])]);
      for (const language of ["en", "zh-CN"]) {
        const { words } = await import(`../../../src/web/locales/${language}/${feature}.ts`);
        expect([field, key, at(words, key)]).toEqual([field, key, expect.any(String)]);
      }
    }
  }
  expect(toLabelKey("user", "email")).toBeUndefined();
});

function shout(field: string): string {
  return field.toUpperCase();
}

const configNames = (fields: readonly { name: string }[]) =>
  fields.map(({ name }) => `config.${name}`);

function at(words: unknown, path: string): unknown {
  return path.split(".").reduce((value, key) => (value as Record<string, unknown>)?.[key], words);
}

test.each([
  ["12345678", "weak"],
  ["aaaaaaaaaaaaaaaaaaaaaaaaaaaaaa", "weak"],
  ["abcdefghijklmnopqrstuvwxyz", "weak"],
  ["password", "weak"],
  ["correct horse", "fair"],
  ["correct horse battery", "good"],
  ["tR4!vq9#Lm2$", "good"],
])("the hint about %s is: %s", (password, strength) => {
  expect(judgeStrength(password)).toBe(strength);
});
