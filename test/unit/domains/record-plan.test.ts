import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { DomainError } from "../../../src/server/domains/domain-error.ts";
import {
  afterEdits,
  planEdits,
  type HeldRecord,
  type RecordEdit,
} from "../../../src/server/domains/record-plan.ts";
import type { RecordData } from "../../../src/server/domains/record-data.ts";

const WANTED = "203.0.113.9";
const PREVIOUS = "198.51.100.7";

const held = (address: string, line = ""): HeldRecord => ({
  data: { type: "A", address },
  ttl: 60,
  line,
  handle: address,
});

function plan(values: readonly HeldRecord[], ttl?: number): RecordEdit[] {
  return planEdits(
    {
      record: { name: "a.example.com", type: "A", ...(ttl === undefined ? {} : { ttl }) },
      wanted: () => ({ data: { type: "A", address: WANTED } }),
      isPrevious: (data: RecordData) => data.type === "A" && data.address === PREVIOUS,
    },
    values,
  );
}

function addressOf(data: RecordData): string {
  return data.type === "A" ? data.address : "?";
}

/** The values after the plan. @throws DomainError */
function outcome(values: readonly HeldRecord[]): string[] {
  const change = { name: "a.example.com", type: "A" as const, held: values, edits: plan(values) };
  return afterEdits(
    change,
    ({ data, line }) => `${line}${addressOf(data)}`,
    (data, from) => `${from?.line ?? ""}${addressOf(data)}`,
  ).toSorted();
}

describe("a plan", () => {
  test("for any set says the wanted value once a line, keeps others' values, or refuses", () => {
    const value = fc.constantFrom(WANTED, PREVIOUS, "192.0.2.1", "192.0.2.2");
    const line = fc.constantFrom("", "east ");
    const set = fc.uniqueArray(fc.tuple(value, line), { selector: String, maxLength: 6 });
    fc.assert(
      fc.property(set, (pairs) => {
        const values = pairs.map(([address, where]) => held(address, where));
        const others = values.filter(({ handle }) => handle !== WANTED && handle !== PREVIOUS);
        const hasOurs = values.length > others.length;
        const isRefused = values.length > 1 && !hasOurs;
        const after = refusedOr(() => outcome(values));
        expect(after === "refused").toBe(isRefused);
        if (after === "refused") return;
        const ours = after.filter((each) => each.endsWith(WANTED));
        expect(after.filter((each) => each.endsWith(PREVIOUS))).toEqual([]);
        expect(new Set(ours).size).toBe(ours.length);
        expect(ours.length).toBeGreaterThan(0);
        const kept = after.filter((each) => !each.endsWith(WANTED));
        const spared = values.length === 1 && !hasOurs ? [] : others;
        expect(kept).toEqual(spared.map((each) => each.line + String(each.handle)).toSorted());
      }),
      { numRuns: 1000 },
    );
  });

  test("for what it has made is empty", () => {
    expect(plan([held(WANTED), held("192.0.2.1")])).toEqual([]);
    expect(plan([held(WANTED)], 60)).toEqual([]);
  });

  test("sets a TTL that differs, and none where the provider decides it", () => {
    expect(plan([held(WANTED)], 61)).toMatchObject([{ kind: "replace", ttl: 61 }]);
    expect(plan([{ ...held(WANTED), ttl: null }], 61)).toEqual([]);
    expect(plan([held("192.0.2.1")])).toMatchObject([{ kind: "replace", ttl: undefined }]);
  });

  test("leaves alone what is not understood", () => {
    const unknown: HeldRecord = { ...held(""), data: { type: "unknown", text: "?" } };
    expect(() => plan([unknown])).toThrow("is not understood");
    expect(plan([unknown, held(PREVIOUS)])).toMatchObject([
      { kind: "replace", from: { handle: PREVIOUS } },
    ]);
  });
});

function refusedOr<T>(work: () => T): T | "refused" {
  try {
    return work();
  } catch (error) {
    if (error instanceof DomainError) return "refused";
    throw error;
  }
}
