import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { SumTree } from "../../src/server/query/sum-tree.ts";
import { Urn } from "../../src/server/query/urn.ts";
import { seededChance } from "../support/seeded-chance.ts";

const weights = fc.array(fc.integer({ min: 0, max: 50 }), { minLength: 1, maxLength: 40 });

/** Lays the weights over all levels of the tree. */
const SPREAD = 26;

describe("a sum tree", () => {
  test("finds the position that running sums find, also after changes", () => {
    const change = fc.record({ at: fc.nat(39), to: fc.integer({ min: 0, max: 50 }) });
    fc.assert(
      fc.property(weights, fc.array(change), (first, changes) => {
        const now = new Float64Array(1024);
        for (const [at, weight] of first.entries()) now[at * SPREAD] = weight;
        const tree = new SumTree(now);
        tree.build();
        for (const { at, to } of changes) {
          const position = at * SPREAD;
          tree.add(position, to - (now[position] as number));
          now[position] = to;
        }
        const total = now.reduce((sum, each) => sum + each, 0);
        expect(tree.total).toBe(total);
        for (let target = 0; target < total; target++) {
          let rest = target;
          const expected = now.findIndex((weight) => (rest -= weight) < 0);
          expect(tree.find(target)).toBe(expected);
        }
        expect(tree.find(total)).toBe(1023);
      }),
    );
  });
});

function urnOf(list: number[]): Urn {
  const urn = new Urn(list.length);
  urn.weights.set(list);
  urn.refilled();
  return urn;
}

describe("an urn", () => {
  test("draws in proportion to the weights", () => {
    const list = [1, 2, 3, 4, 0, 5, 6, 7, 8];
    const urn = urnOf(list);
    const chance = seededChance(20);
    const counts = list.map(() => 0);
    const draws = 100_000;
    for (let draw = 0; draw < draws; draw++) {
      const position = urn.draw(chance);
      counts[position] = (counts[position] ?? 0) + 1;
    }
    expect(counts[4]).toBe(0);
    let chiSquare = 0;
    for (const [position, weight] of list.entries()) {
      const expected = (draws * weight) / 36;
      if (expected > 0) chiSquare += ((counts[position] ?? 0) - expected) ** 2 / expected;
    }
    // Seven degrees of freedom: beyond 24.3 once in a thousand.
    expect(chiSquare).toBeLessThan(24.3);
  });

  test("draws pairs without replacement as the smallest of exponential keys do", () => {
    const list = [1, 2, 5, 12];
    const urn = urnOf(list);
    const chance = seededChance(21);
    const draws = 200_000;
    const pairs = new Map<string, number>();
    const keyed = new Map<string, number>();
    for (let draw = 0; draw < draws; draw++) {
      const first = urn.draw(chance);
      urn.set(first, 0);
      const second = urn.draw(chance);
      urn.set(first, list[first] as number);
      count(pairs, `${first} ${second}`);
      const keys = list
        .map((weight, at) => ({ at, key: -Math.log(1 - chance()) / weight }))
        .sort((a, b) => a.key - b.key);
      count(keyed, `${keys[0]?.at} ${keys[1]?.at}`);
    }
    const differences = [...keyed].map(([pair, times]) => Math.abs((pairs.get(pair) ?? 0) - times));
    expect(keyed.size).toBe(12);
    expect(Math.max(...differences) / draws).toBeLessThan(0.005);
  });

  test("empties to exactly the positions that were filled, each once", () => {
    const wide = fc.array(
      fc.oneof(fc.constant(0), fc.double({ min: 1e-12, max: 1e9, noNaN: true })),
      {
        minLength: 1,
        maxLength: 60,
      },
    );
    fc.assert(
      fc.property(wide, fc.integer(), (list, seed) => {
        const urn = urnOf(list);
        const chance = seededChance(seed);
        const filled = list.flatMap((weight, at) => (weight > 0 ? [at] : []));
        expect(urn.filled).toBe(filled.length);
        const drawn: number[] = [];
        while (urn.filled > 0) {
          const position = urn.draw(chance);
          urn.set(position, 0);
          drawn.push(position);
        }
        expect(drawn.sort((a, b) => a - b)).toEqual(filled);
      }),
    );
  });

  test("still finds dust after a weight a billion times as large has come and gone", () => {
    const urn = urnOf([1e-9, 1e-9, 0, 1e-9]);
    const chance = seededChance(22);
    const seen = new Set<number>();
    for (let draw = 0; draw < 1000; draw++) {
      urn.set(2, 1e9 / (1 + draw));
      urn.set(2, 0);
      seen.add(urn.draw(chance));
    }
    expect([...seen].sort((a, b) => a - b)).toEqual([0, 1, 3]);
  });
});

function count(counts: Map<string, number>, key: string): void {
  counts.set(key, (counts.get(key) ?? 0) + 1);
}
