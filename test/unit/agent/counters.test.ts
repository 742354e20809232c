import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { bytesBetween, type Counters } from "../../../src/agent/counters.ts";

const bytes = fc.bigInt({ min: 0n, max: 1n << 50n });
/** Less than a 32-bit counter can count between two readings. */
const lessThanAWrap = fc.bigInt({ min: 0n, max: (1n << 32n) - 1n });

/** A counter as the kernel keeps it, and what has truly passed. */
class Kernel {
  passed = { in: 0n, out: 0n };
  #shown = { in: 0n, out: 0n };
  #life = 0;
  readonly #range: bigint;

  constructor(bits: 32 | 64) {
    this.#range = 1n << BigInt(bits);
  }

  pass(inward: bigint, outward: bigint): void {
    this.passed = { in: this.passed.in + inward, out: this.passed.out + outward };
    this.#shown = {
      in: (this.#shown.in + inward) % this.#range,
      out: (this.#shown.out + outward) % this.#range,
    };
  }

  beginAgain(): void {
    this.#life++;
    this.#shown = { in: 0n, out: 0n };
  }

  read(): Counters {
    return new Map([["eth0", { life: String(this.#life), ...this.#shown }]]);
  }
}

describe("the bytes between readings", () => {
  test.each([
    { bits: 64 as const, amount: bytes },
    { bits: 32 as const, amount: lessThanAWrap },
  ])("add up to what passed, over restarts and wraps at $bits bits", ({ bits, amount }) => {
    const event = fc.oneof(
      fc.record({ in: amount, out: amount }),
      // Read just before, so that nothing is unseen.
      fc.constant("begin again" as const),
    );
    fc.assert(
      fc.property(fc.array(event, { maxLength: 60, size: "max" }), (events) => {
        const kernel = new Kernel(bits);
        let before = kernel.read();
        const sum = { in: 0n, out: 0n };
        const read = () => {
          const now = kernel.read();
          const { in: inward, out: outward } = bytesBetween(before, now, bits);
          sum.in += inward;
          sum.out += outward;
          before = now;
        };
        for (const each of events) {
          if (each === "begin again") kernel.beginAgain();
          else kernel.pass(each.in, each.out);
          read();
        }
        expect(sum).toEqual(kernel.passed);
      }),
    );
  });

  test("of readings that were left out are in the next one", () => {
    fc.assert(
      fc.property(fc.array(fc.tuple(bytes, bytes), { minLength: 1 }), (steps) => {
        const kernel = new Kernel(64);
        const first = kernel.read();
        for (const [inward, outward] of steps) kernel.pass(inward, outward);
        expect(bytesBetween(first, kernel.read(), 64)).toEqual(kernel.passed);
      }),
    );
  });

  test("hold all that a counter shows that began again, though it shows more than before", () => {
    const before = new Map([["eth0", { life: "one", in: 100n, out: 10n }]]);
    const now = new Map([["eth0", { life: "two", in: 150n, out: 20n }]]);
    expect(bytesBetween(before, now, 64)).toEqual({ in: 150n, out: 20n });
  });

  test("of a 64-bit counter that shows less are what it shows: a driver has reset it", () => {
    const before = new Map([["eth0", { life: "one", in: 4_000_000_000n, out: 10n }]]);
    const now = new Map([["eth0", { life: "one", in: 5n, out: 12n }]]);
    expect(bytesBetween(before, now, 64)).toEqual({ in: 5n, out: 2n });
    expect(bytesBetween(before, now, 32)).toEqual({ in: 294_967_301n, out: 2n });
  });

  test("hold new counters whole, and nothing of those that were taken away", () => {
    const before = new Map([["a", { life: "1", in: 5n, out: 5n }]]);
    const now = new Map([["b", { life: "1", in: 7n, out: 1n }]]);
    expect(bytesBetween(before, now, 64)).toEqual({ in: 7n, out: 1n });
  });
});
