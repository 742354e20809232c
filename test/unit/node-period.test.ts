import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { DAY_MS, startOfDay } from "../../src/server/lib/clock.ts";
import { firstPeriod, periodAfterChange, periodAt } from "../../src/server/nodes/period.ts";

const CREATED = Date.parse("2026-01-15T13:00:00.000Z");
const iso = ({ start, end }: { start: number; end: number }) =>
  [start, end].map((at) => new Date(at).toISOString().slice(0, 10));

const created = fc.integer({ min: Date.UTC(2020, 0), max: Date.UTC(2030, 0) });
const days = fc.integer({ min: 1, max: 366 });
const later = fc.integer({ min: 0, max: 2000 * DAY_MS });

describe("periods", () => {
  test("are whole cycles from the day of creation", () => {
    const first = firstPeriod(CREATED, 30);
    expect(iso(first)).toEqual(["2026-01-15", "2026-02-14"]);
    const midnight = Date.parse("2026-02-14T00:00:00.000Z");
    expect(iso(periodAt(first, CREATED, 30, midnight - 1))).toEqual(["2026-01-15", "2026-02-14"]);
    expect(iso(periodAt(first, CREATED, 30, midnight))).toEqual(["2026-02-14", "2026-03-16"]);
    expect(iso(periodAt(first, CREATED, 30, midnight + 400 * DAY_MS))).toEqual([
      "2027-03-11",
      "2027-04-10",
    ]);
  });

  test("hold the moment they are asked for, and follow without a gap", () => {
    fc.assert(
      fc.property(created, days, later, (createdAt, cycle, after) => {
        const at = createdAt + after;
        const period = periodAt(firstPeriod(createdAt, cycle), createdAt, cycle, at);
        expect(period.start).toBeLessThanOrEqual(at);
        expect(period.end).toBeGreaterThan(at);
        expect(period.end - period.start).toBe(cycle * DAY_MS);
        expect((period.start - startOfDay(createdAt)) % (cycle * DAY_MS)).toBe(0);
        const next = periodAt(period, createdAt, cycle, period.end);
        expect(next.start).toBe(period.end);
      }),
    );
  });

  test("are the same, however often one has looked in between", () => {
    fc.assert(
      fc.property(
        created,
        days,
        fc.array(later, { maxLength: 5 }),
        later,
        (createdAt, cycle, looks, after) => {
          const first = firstPeriod(createdAt, cycle);
          let seen = first;
          for (const look of looks.toSorted((a, b) => a - b)) {
            if (look <= after) seen = periodAt(seen, createdAt, cycle, createdAt + look);
          }
          const at = createdAt + after;
          expect(periodAt(seen, createdAt, cycle, at)).toEqual(
            periodAt(first, createdAt, cycle, at),
          );
        },
      ),
    );
  });

  test("go on after a change of the cycle until the next boundary counted from the day of creation", () => {
    fc.assert(
      fc.property(created, days, days, later, (createdAt, before, now, after) => {
        const at = createdAt + after;
        const current = periodAt(firstPeriod(createdAt, before), createdAt, before, at);
        const changed = periodAfterChange(current, createdAt, now, at);
        expect(changed.start).toBe(current.start);
        expect(changed.end).toBeGreaterThan(at);
        expect(changed.end - at).toBeLessThanOrEqual(now * DAY_MS);
        expect((changed.end - startOfDay(createdAt)) % (now * DAY_MS)).toBe(0);
        const next = periodAt(changed, createdAt, now, changed.end);
        expect(next).toEqual({ start: changed.end, end: changed.end + now * DAY_MS });
      }),
    );
  });
});
