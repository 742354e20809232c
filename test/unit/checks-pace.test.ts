import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { Pace } from "../../src/server/checks/pace.ts";

const NOW = Date.parse("2026-03-10T12:00:00.000Z");
const SECOND = 1_000;

/** Ids 1 … count. */
function ids(count: number): number[] {
  return Array.from({ length: count }, (_, index) => index + 1);
}

/** Who is due at each step of `stepMs` in `ms` from `from` on. */
function walk(pace: Pace, all: () => number[], from: number, ms: number, stepMs = SECOND) {
  const steps: number[][] = [];
  for (let at = from + stepMs; at <= from + ms; at += stepMs) {
    pace.advance(at);
    steps.push(all().filter((id) => pace.isDue(id)));
  }
  return steps;
}

describe("within an interval", () => {
  test.for([0, 1, 2, 10_000])("each of %i nodes comes once", (count) => {
    const pace = new Pace(60 * SECOND, NOW);
    const steps = walk(pace, () => ids(count), NOW, 60 * SECOND);
    expect(steps.flat().sort((a, b) => a - b)).toEqual(ids(count));
  });

  test("10,000 nodes come evenly, from the first second on and over the boundary", () => {
    const start = NOW + 20 * SECOND;
    const steps = walk(new Pace(60 * SECOND, start), () => ids(10_000), start, 90 * SECOND);
    const counts = steps.map((due) => due.length);
    expect(Math.min(...counts)).toBeGreaterThanOrEqual(164);
    expect(Math.max(...counts)).toBeLessThanOrEqual(169);
  });

  test("few nodes lie apart, not at one moment", () => {
    const day = 86_400 * SECOND;
    const steps = walk(new Pace(day, NOW), () => ids(24), NOW, day, 10 * SECOND);
    const moments = steps.flatMap((due, index) => (due.length > 0 ? [index] : []));
    expect(moments).toHaveLength(24);
    const gaps = moments.slice(1).map((moment, index) => moment - (moments[index] as number));
    // 360 steps would be exactly even.
    expect(Math.min(...gaps)).toBeGreaterThan(180);
    expect(Math.max(...gaps)).toBeLessThan(600);
  });

  test("whoever is there comes once, whatever steps the time takes and whoever joins or leaves", () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 60, max: 600 }),
        fc.integer({ min: 0, max: 1e9 }),
        fc.array(fc.integer({ min: 1, max: 10_000 }), { minLength: 1, maxLength: 200 }),
        fc.uniqueArray(fc.integer({ min: 1, max: 2 ** 40 }), { maxLength: 50 }),
        (seconds, offset, strides, staying) => {
          const intervalMs = seconds * SECOND;
          const start = NOW + offset;
          const pace = new Pace(intervalMs, start);
          const seen = new Map<number, number>();
          let at = start;
          for (let turn = 0; at < start + intervalMs; turn++) {
            at = Math.min(at + (strides[turn % strides.length] as number), start + intervalMs);
            pace.advance(at);
            for (const id of staying) {
              if (pace.isDue(id)) seen.set(id, (seen.get(id) ?? 0) + 1);
            }
          }
          expect([...seen.values()].every((count) => count === 1)).toBe(true);
          expect(seen.size).toBe(staying.length);
        },
      ),
      { numRuns: 200 },
    );
  });
});

test("a node comes at the same moment of each interval, also after a restart", () => {
  const momentsOf = (pace: Pace, from: number) =>
    walk(pace, () => [77], from, 60 * SECOND).findIndex((due) => due.length === 1);
  const pace = new Pace(60 * SECOND, NOW);
  const first = momentsOf(pace, NOW);
  expect(first).toBeGreaterThanOrEqual(0);
  expect(momentsOf(pace, NOW + 60 * SECOND)).toBe(first);
  expect(momentsOf(new Pace(60 * SECOND, NOW + 600 * SECOND), NOW + 600 * SECOND)).toBe(first);
});

test("nobody is due at the start, nor twice when the time stands still", () => {
  const pace = new Pace(60 * SECOND, NOW);
  expect(ids(1_000).filter((id) => pace.isDue(id))).toEqual([]);
  pace.advance(NOW + SECOND);
  expect(ids(1_000).filter((id) => pace.isDue(id))).not.toEqual([]);
  pace.advance(NOW + SECOND);
  expect(ids(1_000).filter((id) => pace.isDue(id))).toEqual([]);
});

test("after a long sleep there is no rush: most wait for their next turn", () => {
  const pace = new Pace(3_600 * SECOND, NOW);
  pace.advance(NOW + 1_800 * SECOND);
  const due = ids(3_600).filter((id) => pace.isDue(id));
  expect(due.length).toBeGreaterThanOrEqual(9);
  expect(due.length).toBeLessThanOrEqual(11);
});

test("a clock that is set back brings nobody, and then goes on", () => {
  const pace = new Pace(60 * SECOND, NOW);
  pace.advance(NOW - 30 * SECOND);
  expect(ids(1_000).filter((id) => pace.isDue(id))).toEqual([]);
  const steps = walk(pace, () => ids(60), NOW - 30 * SECOND, 60 * SECOND);
  expect(steps.flat().sort((a, b) => a - b)).toEqual(ids(60));
});

test("those that are due together are put in the order of their turns", () => {
  const pace = new Pace(60 * SECOND, NOW + 55 * SECOND);
  pace.advance(NOW + 65 * SECOND);
  const together = ids(200).filter((id) => pace.isDue(id));
  const ordered = together.toSorted((a, b) => pace.order(a) - pace.order(b));
  const single = new Pace(60 * SECOND, NOW + 55 * SECOND);
  const steps = walk(single, () => ids(200), NOW + 55 * SECOND, 10 * SECOND, 10);
  expect(ordered).toEqual(steps.flat());
});
