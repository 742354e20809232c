import { expect, test } from "vitest";
import { parseText, toText } from "../../../src/server/domains/record-data.ts";
import { afterEdits, type HeldRecord } from "../../../src/server/domains/record-plan.ts";
import type { WantedSet } from "../../../src/server/domains/record-set.ts";
import { planSet } from "../../../src/server/domains/set-plan.ts";

const name = "_easytier._tcp.example.com";
const srv = (target: string) => `10 10 11010 ${target}.`;
const held = (text: string, ttl = 60, type: "SRV" | "TXT" = "SRV"): HeldRecord => ({
  data: parseText(type, text),
  ttl,
  line: "",
  handle: null,
});
const wanted = (set: Partial<WantedSet>): WantedSet => ({
  name,
  type: "SRV",
  ttlSeconds: 60,
  values: [],
  ours: [],
  mayShare: true,
  ...set,
});

function after(set: WantedSet, holds: readonly HeldRecord[]): string[] {
  const edits = planSet(set, holds);
  const change = { name, type: set.type, held: holds, edits };
  return afterEdits(change, ({ data }) => toText(data), toText).toSorted();
}

test("what is wanted comes, what was ours goes, and values of others stay", () => {
  const holds = [held(srv("a")), held(srv("b")), held(srv("other"))];
  const set = wanted({ values: [srv("b"), srv("c")], ours: [srv("a"), srv("b")] });
  expect(after(set, holds)).toEqual([srv("b"), srv("c"), srv("other")]);
  expect(planSet(set, holds).map(({ kind }) => kind)).toEqual(["replace"]);
});

test("what stands already is left alone, in whatever spelling, but for its TTL", () => {
  const set = wanted({ values: ["10 10 11010 Relay.Example.ORG."] });
  expect(planSet(set, [held("10 10 11010 relay.example.org.")])).toEqual([]);
  expect(planSet(set, [held("10 10 11010 relay.example.org.", 300)])).toMatchObject([
    { kind: "replace", ttl: 60 },
  ]);
});

test("without a wanted value only ours goes", () => {
  const holds = [held(srv("a")), held(srv("other"))];
  expect(after(wanted({ ours: [srv("a")] }), holds)).toEqual([srv("other")]);
  expect(planSet(wanted({ ours: [srv("gone")] }), holds)).toEqual([]);
});

test("a value of others keeps ours away where it must be alone, and is no obstacle to going", () => {
  const spf = held('"v=spf1 -all"', 60, "TXT");
  const text = { type: "TXT", mayShare: false } as const;
  const set = wanted({ ...text, values: ['"tcp://203.0.113.7:1"'] });
  expect(() => planSet(set, [spf])).toThrow(/not ours \("v=spf1 -all"\)/);
  const leaving = wanted({ ...text, ours: ['"tcp://203.0.113.7:1"'] });
  expect(after(leaving, [spf, held('"tcp://203.0.113.7:1"', 60, "TXT")])).toEqual([
    '"v=spf1 -all"',
  ]);
});
