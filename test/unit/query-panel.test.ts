import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { drawPanel } from "../../src/server/query/panel.ts";
import { seededChance } from "../support/seeded-chance.ts";

const same = (candidate: number) => candidate;

describe("a panel", () => {
  test("holds different nodes that fit, all of them when they are few", () => {
    const shape = {
      count: fc.integer({ min: 1, max: 300 }),
      every: fc.integer({ min: 1, max: 9 }),
    };
    const size = fc.record({
      size: fc.integer({ min: 1, max: 99 }),
      block: fc.integer({ min: 1, max: 40 }),
    });
    fc.assert(
      fc.property(fc.record(shape), size, fc.integer(), ({ count, every }, limits, seed) => {
        const fits = (slot: number) => slot % every === 0;
        const panel = drawPanel(count, same, fits, limits, seededChance(seed));
        const all = Array.from({ length: count }, (_, slot) => slot).filter(fits);
        const slots = [...panel.slots];
        expect(slots).toEqual([...new Set(slots)].toSorted((a, b) => a - b));
        expect(all).toEqual(expect.arrayContaining(slots));
        expect(slots.length === all.length || slots.length >= limits.size).toBe(true);
        expect(slots.length === all.length || panel.share < 1).toBe(true);
        expect(slots.length).toBeLessThan(limits.size + limits.block);
      }),
      { numRuns: 1000 },
    );
  });

  test("gives every node the same chance", () => {
    const count = 1000;
    const chance = seededChance(7);
    const drawn = Array.from({ length: count }, () => 0);
    const panels = 20_000;
    for (let panel = 0; panel < panels; panel++) {
      const { slots } = drawPanel(count, same, () => true, { size: 100, block: 10 }, chance);
      for (const slot of slots) drawn[slot] = (drawn[slot] as number) + 1;
    }
    // 2000 expected, with a standard deviation of 42.
    expect(Math.min(...drawn)).toBeGreaterThan(2000 - 5 * 42);
    expect(Math.max(...drawn)).toBeLessThan(2000 + 5 * 42);
  });
});
