import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { OpenHistory, type HistoryBucket } from "../../src/server/reports/history.ts";

const start = Date.parse("2026-03-10T12:00:00.000Z");
const minute = 60_000;

function collect(): { buckets: HistoryBucket[]; emit: (bucket: HistoryBucket) => void } {
  const buckets: HistoryBucket[] = [];
  return { buckets, emit: (bucket) => buckets.push(bucket) };
}

describe("the history of a node", () => {
  it("hands a minute out when the next one begins, with means weighted by time", () => {
    const history = new OpenHistory();
    const { buckets, emit } = collect();
    history.addStretch({ from: start, to: start + 15_000, bandwidth: 100, connections: 4 }, emit);
    history.addStretch(
      { from: start + 15_000, to: start + 75_000, bandwidth: 20, connections: 0 },
      emit,
    );
    expect(buckets).toEqual([
      { span: 60, at: start, upMs: 60_000, bandwidth: 40, connections: 1, traffic: 0 },
    ]);
  });

  it("splits a long stretch over its minutes", () => {
    const history = new OpenHistory();
    const { buckets, emit } = collect();
    const to = start + 5 * minute;
    history.addStretch({ from: start + 30_000, to, bandwidth: 8, connections: 2 }, emit);
    expect(buckets.map((bucket) => bucket.upMs)).toEqual([30_000, 60_000, 60_000, 60_000]);
    expect(history.open()[0]).toMatchObject({ span: 60, upMs: 60_000, bandwidth: 8 });
  });

  it("hands an hour and a day out once something later has ended", () => {
    const history = new OpenHistory();
    const { buckets, emit } = collect();
    const traffic = (span: number) =>
      buckets.filter((bucket) => bucket.span === span).map((bucket) => bucket.traffic);
    for (const [hour, gb] of [
      [0, 1],
      [1, 2],
      [13, 4],
      [15, 8],
      [40, 16],
    ] as const) {
      history.addTraffic(start + hour * 60 * minute, gb, emit);
    }
    expect(traffic(60)).toEqual([1, 2, 4, 8]);
    expect(traffic(3600)).toEqual([1, 2, 4]);
    expect(traffic(86_400)).toEqual([3]);
  });

  it("survives being stored at any moment", () => {
    const steps = fc.array(
      fc.record({ gap: fc.integer({ min: 1, max: 40 * minute }), up: fc.boolean(), gb: fc.nat(9) }),
      { maxLength: 60 },
    );
    fc.assert(
      fc.property(steps, (list) => {
        const kept = collect();
        const stored = collect();
        const one = new OpenHistory();
        let other = new OpenHistory();
        let at = start;
        for (const { gap, up, gb } of list) {
          const stretch = { from: at, to: at + gap, bandwidth: gb * 10, connections: gb };
          other = new OpenHistory(other.toBytes());
          for (const [history, { emit }] of [
            [one, kept],
            [other, stored],
          ] as const) {
            if (up) history.addStretch(stretch, emit);
            history.addTraffic(at + gap, gb, emit);
          }
          at += gap;
        }
        expect(stored.buckets).toEqual(kept.buckets);
        expect(other.open()).toEqual(one.open());
      }),
    );
  });

  it("loses no traffic and no up time, at any length of bucket", () => {
    const steps = fc.array(
      fc.record({
        gap: fc.integer({ min: 1, max: 5 * 60 * minute }),
        up: fc.boolean(),
        gb: fc.nat(9),
      }),
      { minLength: 1, maxLength: 60 },
    );
    fc.assert(
      fc.property(steps, (list) => {
        const { buckets, emit } = collect();
        const history = new OpenHistory();
        let at = start;
        let traffic = 0;
        let upMs = 0;
        for (const { gap, up, gb } of list) {
          if (up)
            history.addStretch({ from: at, to: at + gap, bandwidth: 1, connections: 1 }, emit);
          at += gap;
          upMs += up ? gap : 0;
          traffic += gb;
          history.addTraffic(at, gb, emit);
        }
        const all = [...buckets, ...history.open()];
        for (const span of [60, 3600, 86_400]) {
          const some = all.filter((bucket) => bucket.span === span);
          expect(new Set(some.map((bucket) => bucket.at)).size).toBe(some.length);
          expect(some.reduce((sum, bucket) => sum + bucket.traffic, 0)).toBe(traffic);
          expect(some.reduce((sum, bucket) => sum + bucket.upMs, 0)).toBe(upMs);
        }
      }),
    );
  });
});
