import fc from "fast-check";
import { expect, it } from "vitest";
import { addExactly, toShownGb, type ExactSum } from "../../src/server/reports/exact-sum.ts";

const nothing: ExactSum = { high: 0, low: 0 };

it("a million reports of 0.1 add up to 100000", () => {
  let sum = nothing;
  let naive = 0;
  for (let count = 0; count < 1_000_000; count++) {
    sum = addExactly(sum, 0.1);
    naive += 0.1;
  }
  expect(sum.high).toBe(100_000);
  expect(Math.abs(naive - 100_000)).toBeGreaterThan(1e-6);
});

it("tiny reports are not lost beside a huge sum", () => {
  let sum: ExactSum = { high: 1e9, low: 0 };
  for (let count = 0; count < 1_000_000; count++) sum = addExactly(sum, 1e-9);
  expect(sum.high - 1e9 + sum.low).toBeCloseTo(1e-3, 9);
});

/** A finite double as an exact multiple of 2^-1074. */
function toInteger(value: number): bigint {
  const bytes = new DataView(new ArrayBuffer(8));
  bytes.setFloat64(0, value);
  const bits = bytes.getBigUint64(0);
  const exponent = Number((bits >> 52n) & 0x7ffn);
  const fraction = bits & 0xfffffffffffffn;
  const size = exponent === 0 ? fraction : (fraction | 0x10000000000000n) << BigInt(exponent - 1);
  return bits >> 63n ? -size : size;
}

it("the two parts differ from the true total by less than a part in 2^90", () => {
  const amounts = fc.array(fc.double({ min: 0, max: 1e6, noNaN: true }), { maxLength: 200 });
  fc.assert(
    fc.property(amounts, (terms) => {
      let sum = nothing;
      for (const term of terms) sum = addExactly(sum, term);
      const exact = terms.reduce((total, term) => total + toInteger(term), 0n);
      const error = toInteger(sum.high) + toInteger(sum.low) - exact;
      expect((error < 0n ? -error : error) << 90n <= (exact || 1n)).toBe(true);
    }),
  );
});

it("a sum is shown to the byte, without digits that come from binary fractions", () => {
  expect(toShownGb(0.1 + 0.2)).toBe(0.3);
  expect(toShownGb(1e9)).toBe(1e9);
});
