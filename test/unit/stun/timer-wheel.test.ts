import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { TimerWheel } from "../../../src/server/stun/timer-wheel.ts";
import { ManualTime } from "../../support/manual-time.ts";

const TICK_MS = 5;

function refuseErrors(error: unknown): never {
  throw error;
}

describe("the timer wheel", () => {
  test("calls each at its time or up to a tick later, in that order, with one timer", async () => {
    const delay = fc.integer({ min: 0, max: 60_000 });
    await fc.assert(
      fc.asyncProperty(fc.array(delay, { maxLength: 200 }), async (delays) => {
        const time = new ManualTime();
        const start = time.now();
        const wheel = new TimerWheel(time, refuseErrors);
        const called: { due: number; at: number }[] = [];
        for (const due of delays) {
          wheel.at(start + due, () => called.push({ due, at: time.now() - start }));
        }
        expect(time.waiting).toBeLessThanOrEqual(1);
        await time.advance(61_000);
        expect(called).toHaveLength(delays.length);
        for (const { due, at } of called) {
          expect(at).toBeGreaterThanOrEqual(due);
          expect(at).toBeLessThanOrEqual(due + 2 * TICK_MS);
        }
        expect(called.map((each) => each.at)).toEqual(
          called.map((each) => each.at).toSorted((a, b) => a - b),
        );
        expect(wheel.size).toBe(0);
        expect(time.waiting).toBe(0);
      }),
      { numRuns: 50 },
    );
  });

  test("does not drift when each call plans the next one from the time that was due", async () => {
    const time = new ManualTime();
    const start = time.now();
    const wheel = new TimerWheel(time, refuseErrors);
    const at: number[] = [];
    const plan = (due: number) => {
      wheel.at(due, () => {
        at.push(time.now() - start);
        plan(due + 1_007);
      });
    };
    plan(start);
    await time.advance(1_007 * 1_000);
    expect(at).toHaveLength(1_001);
    for (const [round, value] of at.entries()) {
      expect(Math.abs(value - round * 1_007)).toBeLessThanOrEqual(2 * TICK_MS);
    }
  });

  test("calls nothing that was taken back, also from another call of the same moment", async () => {
    const time = new ManualTime();
    const wheel = new TimerWheel(time, refuseErrors);
    const called: string[] = [];
    const late = wheel.at(time.now() + 1_000, () => called.push("late"));
    wheel.at(time.now() + 1_000, () => called.push("second"));
    const gone = wheel.at(time.now() + 500, () => called.push("gone"));
    wheel.at(time.now() + 400, () => {
      wheel.cancel(gone);
      wheel.cancel(late);
      wheel.cancel(late);
    });
    await time.advance(2_000);
    expect(called).toEqual(["second"]);
    wheel.cancel(wheel.at(time.now() + 5, () => called.push("never")));
    expect(time.waiting).toBe(0);
  });

  test("calls what is due after a long sleep once, and what failed does not stop the rest", async () => {
    const time = new ManualTime();
    const errors: unknown[] = [];
    const wheel = new TimerWheel(time, (error) => errors.push(error));
    let calls = 0;
    for (let at = 0; at < 10_000; at++) {
      wheel.at(time.now() + at * 10, () => {
        calls++;
        if (at === 5_000) throw new Error("one fails");
      });
    }
    const asleep = time.after.bind(time);
    // Nothing is called while the machine sleeps.
    time.after = (_delayMs, run) => asleep(3_600_000, run);
    wheel.at(time.now() + 1, () => {});
    await time.advance(3_700_000);
    expect(calls).toBe(10_000);
    expect(errors).toHaveLength(1);
  });

  test("a time that has passed is soon, never at once", async () => {
    const time = new ManualTime();
    const wheel = new TimerWheel(time, refuseErrors);
    let isCalled = false;
    wheel.at(time.now() - 1_000, () => (isCalled = true));
    expect(isCalled).toBe(false);
    await time.advance(TICK_MS * 2);
    expect(isCalled).toBe(true);
  });
});
