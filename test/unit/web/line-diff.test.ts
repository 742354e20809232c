import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { diffLines } from "../../../src/web/callbacks/line-diff.ts";

const texts = fc.array(fc.constantFrom("a", "b", "c", "d"), { maxLength: 12 });

describe("the difference of two lists of lines", () => {
  test("holds all of the first without what is added, and all of the second without what is removed", () => {
    fc.assert(
      fc.property(texts, texts, (before, after) => {
        const found = diffLines(before, after);
        const without = (kind: string) =>
          found.filter((line) => line.kind !== kind).map(({ text }) => text);
        expect(without("added")).toEqual(before);
        expect(without("removed")).toEqual(after);
      }),
    );
  });

  test("marks as few lines as can be", () => {
    fc.assert(
      fc.property(texts, texts, (before, after) => {
        const same = diffLines(before, after).filter(({ kind }) => kind === "same").length;
        expect(same).toBe(longestCommon(before, after));
      }),
    );
  });

  test("of one changed line in the middle is that line", () => {
    expect(diffLines(["{", '"port": 1', "}"], ["{", '"port": 2', "}"])).toEqual([
      { kind: "same", text: "{" },
      { kind: "removed", text: '"port": 1' },
      { kind: "added", text: '"port": 2' },
      { kind: "same", text: "}" },
    ]);
  });
});

/** By trying everything. */
function longestCommon(before: readonly string[], after: readonly string[]): number {
  const row = Array.from({ length: after.length + 1 }, () => 0);
  for (const old of before) {
    let diagonal = 0;
    for (const [n, next] of after.entries()) {
      const above = row[n + 1] ?? 0;
      row[n + 1] = old === next ? diagonal + 1 : Math.max(above, row[n] ?? 0);
      diagonal = above;
    }
  }
  return row.at(-1) ?? 0;
}
