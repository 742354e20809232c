import fc from "fast-check";
import { expect, test } from "vitest";
import { waterLevel } from "../../src/server/query/water-level.ts";

const node = fc.record({
  capacity: fc.oneof(fc.constant(0), fc.double({ min: 0.1, max: 1e5, noNaN: true })),
  use: fc.double({ min: 0, max: 3, noNaN: true }),
});

/** How much the nodes hold above their loads when filled to `level`. */
function held(nodes: { capacity: number; use: number }[], level: number): number {
  return nodes.reduce((sum, { capacity, use }) => sum + Math.max(0, (level - use) * capacity), 0);
}

test("the level found by bisection is the level", () => {
  fc.assert(
    fc.property(
      fc.array(node, { minLength: 1, maxLength: 80 }),
      fc.double({ min: 1e-3, max: 1e6, noNaN: true }),
      fc.double({ min: 0, max: 10, noNaN: true }),
      (nodes, arrivals, guess) => {
        fc.pre(nodes.some(({ capacity }) => capacity > 0));
        const capacities = Float64Array.from(nodes, ({ capacity }) => capacity);
        const loads = Float64Array.from(nodes, ({ capacity, use }) => capacity * use);
        let low = 0;
        let high = 1;
        while (held(nodes, high) < arrivals) high *= 2;
        for (let step = 0; step < 200; step++) {
          const middle = (low + high) / 2;
          if (held(nodes, middle) < arrivals) low = middle;
          else high = middle;
        }
        const level = waterLevel(capacities, loads, nodes.length, arrivals, guess);
        expect(Math.abs(level - high)).toBeLessThanOrEqual(1e-6 * Math.max(1, high));
      },
    ),
  );
});

test("only the first entries count, and without any node the level is 0", () => {
  const capacities = Float64Array.of(10, 10, 1e9);
  const loads = Float64Array.of(2, 4, 0);
  expect(waterLevel(capacities, loads, 2, 4, 0)).toBeCloseTo(0.5, 9);
  expect(waterLevel(capacities, loads, 0, 4, 0)).toBe(0);
  expect(waterLevel(Float64Array.of(0, 0), Float64Array.of(0, 0), 2, 4, 1)).toBe(0);
});
