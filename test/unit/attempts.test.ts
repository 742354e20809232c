import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { Attempts } from "../../src/shared/attempts.ts";
import { ManualClock } from "../support/manual-clock.ts";

const allowance = { burst: 3, intervalMs: 1000 };

describe("attempts", () => {
  test("the burst passes at once and the next one waits for an interval", () => {
    const attempts = new Attempts(new ManualClock(), allowance);
    for (let i = 0; i < 3; i++) {
      expect(attempts.waitMs("a")).toBe(0);
      attempts.take("a");
    }
    expect(attempts.waitMs("a")).toBe(1000);
    expect(attempts.waitMs("b")).toBe(0);
  });

  test("one more passes after each interval, and the whole burst after all of them", () => {
    const clock = new ManualClock();
    const attempts = new Attempts(clock, allowance);
    for (let i = 0; i < 3; i++) attempts.take("a");
    clock.advance(999);
    expect(attempts.waitMs("a")).toBe(1);
    clock.advance(1);
    expect(attempts.waitMs("a")).toBe(0);
    attempts.take("a");
    expect(attempts.waitMs("a")).toBe(1000);
    clock.advance(3000);
    for (let i = 0; i < 3; i++) {
      expect(attempts.waitMs("a")).toBe(0);
      attempts.take("a");
    }
  });

  test("several at once pass together or not at all, and use as much as one after the other", () => {
    const clock = new ManualClock();
    const attempts = new Attempts(clock, allowance);
    expect(attempts.waitMs("a", 2)).toBe(0);
    attempts.take("a", 2);
    expect(attempts.waitMs("a")).toBe(0);
    expect(attempts.waitMs("a", 2)).toBe(1000);
    clock.advance(1000);
    expect(attempts.waitMs("a", 2)).toBe(0);
    expect(attempts.waitMs("a", 3)).toBe(1000);
  });

  test("an attempt that is given back was never made", () => {
    const attempts = new Attempts(new ManualClock(), allowance);
    for (let i = 0; i < 100; i++) {
      attempts.take("a");
      attempts.giveBack("a");
    }
    expect(attempts.waitMs("a")).toBe(0);
    expect(attempts.size).toBe(0);
    attempts.giveBack("never seen");
    expect(attempts.size).toBe(0);
  });

  test("no more keys are kept than agreed, and the quietest goes first", () => {
    const attempts = new Attempts(new ManualClock(), { burst: 1, intervalMs: 1000 }, 2);
    attempts.take("quiet");
    attempts.take("loud");
    attempts.take("loud");
    attempts.take("new");
    expect(attempts.size).toBe(2);
    expect(attempts.waitMs("quiet")).toBe(0);
    expect(attempts.waitMs("loud")).toBeGreaterThan(0);
    expect(attempts.waitMs("new")).toBeGreaterThan(0);
  });

  test("whoever only takes when allowed never gets more than the burst and one per interval", () => {
    fc.assert(
      fc.property(fc.array(fc.integer({ min: 0, max: 2500 }), { maxLength: 200 }), (pauses) => {
        const clock = new ManualClock(0);
        const attempts = new Attempts(clock, allowance);
        const passed: number[] = [];
        for (const pause of pauses) {
          clock.advance(pause);
          if (attempts.waitMs("a") > 0) continue;
          attempts.take("a");
          passed.push(clock.now());
        }
        for (const [first, from] of passed.entries()) {
          for (const [index, until] of passed.slice(first).entries()) {
            const most = allowance.burst + Math.floor((until - from) / allowance.intervalMs);
            expect(index + 1).toBeLessThanOrEqual(most);
          }
        }
      }),
    );
  });
});
