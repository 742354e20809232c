import fc from "fast-check";
import { expect, it } from "vitest";
import {
  CorruptBatchError,
  decodeBatch,
  encodeBatch,
  type ReportRecord,
} from "../../src/server/reports/record.ts";

const number = fc.double({ noNaN: true, noDefaultInfinity: true });
const record: fc.Arbitrary<ReportRecord> = fc.record({
  nodeId: fc.integer({ min: 1, max: Number.MAX_SAFE_INTEGER }),
  at: fc.integer({ min: 0, max: 8.64e15 }),
  traffic: number,
  bandwidth: number,
  connections: fc.integer({ min: 0, max: 1e7 }),
  status: fc.stringMatching(/^[a-z0-9_-]{1,32}$/),
  periodStart: fc.integer({ min: 0, max: 8.64e15 }),
  intervalMs: fc.integer({ min: 0, max: 86_400_000 }),
  tierBandwidth: fc.option(number),
  version: fc.option(fc.string({ unit: "binary", maxLength: 64 }).filter((s) => s.length <= 64)),
  receipt: fc.option(
    fc.record({
      reportId: fc
        .string({ unit: "grapheme", minLength: 1, maxLength: 16 })
        .filter((s) => s.length <= 64),
      usedTraffic: number,
      maxTraffic: number,
      resetAt: fc.integer({ min: 0, max: 8.64e15 }),
    }),
  ),
});

it("what is packed comes back as it was", () => {
  fc.assert(
    fc.property(fc.array(record, { maxLength: 20 }), (records) => {
      expect(decodeBatch(encodeBatch(records))).toEqual(records);
    }),
  );
});

it("a batch with one flipped bit is refused", () => {
  const bytes = fc.tuple(fc.array(record, { minLength: 1, maxLength: 5 }), fc.nat(), fc.nat(7));
  fc.assert(
    fc.property(bytes, ([records, place, bit]) => {
      const batch = Buffer.from(encodeBatch(records));
      const at = place % batch.length;
      batch[at] = (batch[at] as number) ^ (1 << bit);
      expect(() => decodeBatch(batch)).toThrow(CorruptBatchError);
    }),
  );
});

it("a batch that was cut short is refused", () => {
  const batch = encodeBatch([
    {
      nodeId: 1,
      at: 2,
      traffic: 3,
      bandwidth: 4,
      connections: 5,
      status: "online",
      periodStart: 0,
      intervalMs: 0,
      tierBandwidth: null,
      version: null,
      receipt: null,
    },
  ]);
  for (let length = 0; length < batch.length; length++) {
    expect(() => decodeBatch(batch.subarray(0, length))).toThrow(CorruptBatchError);
  }
});
