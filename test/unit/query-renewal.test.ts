import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { renew, type Candidate, type Standing } from "../../src/server/query/renewal.ts";

const node = (id: number, fill = 0.2, standing: Standing = "open"): Candidate => ({
  id,
  fill,
  standing,
});
const next = (most: number, before: Candidate[], others: Candidate[]) =>
  renew({
    most,
    before,
    draw: (count, ids) => others.filter(({ id }) => !ids.includes(id)).slice(0, count),
  });

describe("who is on a list that many read", () => {
  test("begins as drawn and stays while it can be used, however the next draw comes out", () => {
    expect(next(2, [], [node(3), node(1), node(2)])).toEqual([3, 1]);
    expect(next(2, [node(3), node(1)], [node(2, 0.15)])).toEqual([3, 1]);
  });

  test.each<Standing>(["down", "out"])("a node that is %s gives its place to another", (gone) => {
    expect(next(2, [node(3, 0, gone), node(1)], [node(2)])).toEqual([1, 2]);
    expect(next(2, [node(3, 0, gone), node(1)], [])).toEqual([1]);
  });

  test("a full node gives its place to one with room, and to no other", () => {
    const full = node(3, 0.97, "full");
    expect(next(2, [full, node(1)], [node(2, 0.8)])).toEqual([2, 1]);
    expect(next(2, [full, node(1)], [node(2, 0.96, "full")])).toEqual([3, 1]);
    expect(next(2, [full, node(1)], [])).toEqual([3, 1]);
  });

  test("a busy node gives its place to one with half of its load or less", () => {
    expect(next(1, [node(3, 0.8)], [node(2, 0.4)])).toEqual([2]);
    expect(next(1, [node(3, 0.8)], [node(2, 0.5)])).toEqual([3]);
    expect(next(1, [node(3, 0.45)], [node(2, 0)])).toEqual([3]);
  });

  test("who comes fills a free place before anybody gives way", () => {
    expect(next(2, [node(3, 0.9)], [node(2, 0.1)])).toEqual([3, 2]);
    expect(next(2, [node(3, 0.9)], [node(2, 0.1), node(4, 0.2)])).toEqual([4, 2]);
  });

  test("a shorter list leaves out those that are full first", () => {
    expect(next(1, [node(3, 0.99, "full"), node(1)], [])).toEqual([1]);
  });

  test("when nobody can be used, those stay that are only down", () => {
    const before = [node(3, 0, "down"), node(1, 0, "out"), node(2, 0, "down")];
    expect(next(3, before, [])).toEqual([3, 2]);
    expect(next(3, before, [node(4)])).toEqual([4]);
  });

  test("never names a node twice or one too many, leaves no place free, and stays where all others are full", () => {
    const standing = fc.constantFrom<Standing>("open", "full", "down", "out");
    const candidates = fc.uniqueArray(
      fc.record({
        id: fc.integer({ min: 1, max: 30 }),
        fill: fc.double({ min: 0, max: 1 }),
        standing,
      }),
      { selector: ({ id }) => id },
    );
    fc.assert(
      fc.property(candidates, fc.integer({ min: 1, max: 6 }), fc.nat(8), (all, most, listed) => {
        const others = all.filter((each) => each.standing === "open" || each.standing === "full");
        const first = next(most, all.slice(0, listed), others);
        expect(new Set(first).size).toBe(first.length);
        expect(first.length).toBeLessThanOrEqual(most);
        expect(first.length).toBeGreaterThanOrEqual(Math.min(most, others.length));
        const kept = first.flatMap((id) => all.filter((each) => each.id === id));
        const calm = others.filter((each) => first.includes(each.id) || each.standing === "full");
        expect(new Set(next(most, kept, calm))).toEqual(new Set(first));
      }),
    );
  });
});
