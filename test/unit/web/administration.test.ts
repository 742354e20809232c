import { expect, test } from "vitest";
import { PREFIX, settings } from "../../../src/server/settings.ts";
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
  const lines = toDetailLines({
    node_name: "a",
    is_admin: true,
    changed: {
      tags: { from: "", to: "x" },
      connections: { from: [connection], to: [connection, { ...connection, port: 2 }] },
    },
  });
  expect(lines).toEqual([
    { name: "node_name", value: "a" },
    { name: "is_admin", value: "true" },
    { name: "tags", before: "–", value: "x" },
    {
      name: "connections",
      before: "tcp://203.0.113.7:1",
      value: "tcp://203.0.113.7:1, tcp://203.0.113.7:2",
    },
  ]);
  expect(toDetailLines({ changed: ["name", "enabled"] })).toEqual([
    { name: "changed", value: "name, enabled" },
  ]);
});

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
