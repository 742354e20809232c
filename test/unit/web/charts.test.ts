import fc from "fast-check";
import { describe, expect, test } from "vitest";
import {
  nearest,
  roundTicks,
  splitAtGaps,
  thin,
  toLine,
} from "../../../src/web/components/chart-scale.ts";
import { roundTimes } from "../../../src/web/components/round-times.ts";
import { toKnownPoints, toUptimePieces } from "../../../src/web/components/uptime-pieces.ts";

const MINUTE = 60_000;
const at = (minute: number) => ({ time: minute * MINUTE, value: minute });

/** The round times as `month-day hours:minutes` of this device. */
function written(from: Date, to: Date, most: number): string[] {
  return roundTimes(from.getTime(), to.getTime(), most).map((time) => {
    const local = new Date(time);
    return `${local.getMonth() + 1}-${local.getDate()} ${local.getHours()}:${local.getMinutes()}`;
  });
}

describe("a chart", () => {
  test("has round ticks from 0 that cover the largest value", () => {
    expect(roundTicks(0, 3)).toEqual([0, 1]);
    expect(roundTicks(2, 3)).toEqual([0, 1, 2]);
    expect(roundTicks(339, 3)).toEqual([0, 200, 400]);
    fc.assert(
      fc.property(fc.double({ min: 1e-6, max: 1e9, noNaN: true }), (largest) => {
        const ticks = roundTicks(largest, 3);
        expect(ticks[0]).toBe(0);
        expect(ticks.at(-1)).toBeGreaterThanOrEqual(largest * (1 - 1e-8));
        expect(ticks.length).toBeLessThanOrEqual(5);
      }),
    );
  });

  test("writes round times below, in the zone of the device", () => {
    expect(written(new Date(2026, 0, 5, 7, 19), new Date(2026, 0, 6, 7, 17), 5)).toEqual([
      "1-5 12:0",
      "1-5 18:0",
      "1-6 0:0",
      "1-6 6:0",
    ]);
    expect(written(new Date(2026, 0, 5, 7, 13), new Date(2026, 0, 5, 7, 31), 4)).toEqual([
      "1-5 7:15",
      "1-5 7:20",
      "1-5 7:25",
      "1-5 7:30",
    ]);
    expect(written(new Date(2026, 0, 5, 7), new Date(2026, 1, 4, 7), 3)).toEqual([
      "1-15 0:0",
      "1-25 0:0",
      "2-4 0:0",
    ]);
    expect(written(new Date(2025, 10, 21), new Date(2026, 10, 21), 4)).toEqual([
      "1-1 0:0",
      "4-1 0:0",
      "7-1 0:0",
      "10-1 0:0",
    ]);
  });

  test("has no more times than fit, in their order, between the ends", () => {
    const A_YEAR = 366 * 1440 * MINUTE;
    fc.assert(
      fc.property(
        fc.integer({ min: 0, max: 60 * A_YEAR }),
        fc.integer({ min: MINUTE, max: 3 * A_YEAR }),
        fc.integer({ min: 3, max: 14 }),
        (from, span, most) => {
          const times = roundTimes(from, from + span, most);
          expect(times).toEqual(times.toSorted((a, b) => a - b));
          expect(times.length).toBeLessThanOrEqual(most + 1);
          expect(times.every((time) => time >= from && time <= from + span)).toBe(true);
        },
      ),
    );
  });

  test("joins no points across a gap", () => {
    const runs = splitAtGaps([at(0), at(1), at(5), at(6), at(9)], 1.5 * MINUTE);
    expect(runs.map((run) => run.map(({ value }) => value))).toEqual([[0, 1], [5, 6], [9]]);
    expect(splitAtGaps([], MINUTE)).toEqual([]);
  });

  test("draws from left to right, 0 at the bottom", () => {
    const frame = { width: 100, height: 50, from: 0, to: 10 * MINUTE, top: 10 };
    expect(toLine(frame, [at(0), at(5), at(10)])).toBe("M0.0 50.0L50.0 25.0L100.0 0.0");
  });

  test("finds the point closest to the pointer", () => {
    const points = [at(0), at(1), at(5)];
    expect(
      [-9, 0, 0.4, 0.6, 2.9, 3.1, 99].map((minute) => nearest(points, minute * MINUTE)),
    ).toEqual([0, 0, 0, 1, 1, 2, 2]);
  });

  test("is thinned for its table by means", () => {
    expect(thin([at(0), at(1), at(2), at(3), at(4)], 3)).toEqual([
      { time: 0, value: 0.5 },
      { time: 2 * MINUTE, value: 2.5 },
      { time: 4 * MINUTE, value: 4 },
    ]);
  });
});

const point = (minute: number, uptime: number) => ({
  at: new Date(minute * MINUTE).toISOString(),
  bandwidth: 0,
  connections: 0,
  traffic: 0,
  uptime,
});

const history = (uptimes: number[]) => ({
  range: "24h" as const,
  step_seconds: 60,
  points: uptimes.map((uptime, minute) => point(minute, uptime)),
});

describe("a node's history", () => {
  test("leaves out the minute that has just begun, but no outage", () => {
    expect(toKnownPoints(history([1, 0]), 1.5 * MINUTE)).toHaveLength(1);
    expect(toKnownPoints(history([1, 0]), 2 * MINUTE)).toHaveLength(2);
    expect(toKnownPoints(history([1, 0.5]), 1.5 * MINUTE)).toHaveLength(2);
    expect(toKnownPoints(history([0]), 0.5 * MINUTE)).toHaveLength(1);
  });

  test("is told in no more than sixty pieces", () => {
    const { points } = history(Array.from({ length: 121 }, (_, minute) => minute % 2));
    const pieces = toUptimePieces(points);
    expect(pieces).toHaveLength(41);
    expect(pieces[0]).toEqual({ from: points[0]?.at, uptime: 1 / 3 });
  });
});
