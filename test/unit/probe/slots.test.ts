import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { Slots, SlotsFull, type Reservation } from "../../../src/probe/slots.ts";

interface Job {
  started: boolean;
  end(): void;
  done: Promise<unknown>;
}

/** Work that ends when it is told to. */
function job(run: (work: () => Promise<void>) => Promise<void>): Job {
  const { promise, resolve } = Promise.withResolvers<void>();
  const made: Job = { started: false, end: resolve, done: Promise.resolve() };
  made.done = run(() => {
    made.started = true;
    return promise;
  });
  return made;
}

const settled = () => new Promise((resolve) => setImmediate(resolve));

describe("slots", () => {
  test("let so much run at once, and the rest in the order it came", async () => {
    const slots = new Slots(2, 3);
    const jobs = Array.from({ length: 5 }, () => job((work) => slots.run(work)));
    const started = () => jobs.map((each) => each.started);
    await settled();
    expect(started()).toEqual([true, true, false, false, false]);
    expect([slots.running, slots.waiting]).toEqual([2, 3]);
    jobs[1]?.end();
    await settled();
    expect(started()).toEqual([true, true, true, false, false]);
    for (const each of jobs) each.end();
    await Promise.all(jobs.map((each) => each.done));
    expect([slots.running, slots.waiting]).toEqual([0, 0]);
  });

  test("refuse what does not fit into the queue", async () => {
    const slots = new Slots(1, 1);
    const jobs = [job((work) => slots.run(work)), job((work) => slots.run(work))];
    await expect(slots.run(async () => {})).rejects.toBeInstanceOf(SlotsFull);
    for (const each of jobs) each.end();
    await Promise.all(jobs.map((each) => each.done));
    await expect(slots.run(async () => "fits")).resolves.toBe("fits");
  });

  test("go on after work that fails", async () => {
    const slots = new Slots(1, 1);
    const failing = slots.run(() => Promise.reject(new Error("no")));
    const next = slots.run(async () => 7);
    await expect(failing).rejects.toThrow("no");
    await expect(next).resolves.toBe(7);
  });

  test("reserve places for a batch wholly or not at all", async () => {
    const slots = new Slots(2, 4);
    expect(slots.reserve(7)).toBeUndefined();
    const batch = slots.reserve(5) as Reservation;
    expect(slots.reserve(2)).toBeUndefined();
    const single = slots.run(async () => "the last place");
    await expect(slots.run(async () => {})).rejects.toBeInstanceOf(SlotsFull);
    await expect(single).resolves.toBe("the last place");
    const results = Array.from({ length: 5 }, (_, index) => batch.run(async () => index));
    expect(await Promise.all(results)).toEqual([0, 1, 2, 3, 4]);
    await expect(batch.run(async () => {})).rejects.toThrow("used up");
    expect(slots.reserve(6)).toBeDefined();
  });

  test("get back the places of a reservation that were not used", async () => {
    const slots = new Slots(1, 1);
    const reservation = slots.reserve(2);
    await reservation?.run(async () => {});
    reservation?.release();
    reservation?.release();
    expect(slots.reserve(2)).toBeDefined();
    expect(slots.reserve(1)).toBeUndefined();
  });

  test("never let more run than they may, whatever ends when", async () => {
    const size = fc.integer({ min: 1, max: 4 });
    const steps = fc.array(fc.nat(9), { maxLength: 40 });
    await fc.assert(
      fc.asyncProperty(size, fc.nat(5), steps, async (running, queue, order) => {
        const slots = new Slots(running, queue);
        const jobs: Job[] = [];
        let refused = 0;
        const add = () => {
          const added = job((work) => slots.run(work));
          added.done = added.done.catch(() => (refused += 1));
          jobs.push(added);
        };
        for (const step of order) {
          if (step < 6) add();
          else jobs[step % Math.max(1, jobs.length)]?.end();
          await settled();
          expect(slots.running).toBeLessThanOrEqual(running);
          expect(slots.waiting).toBeLessThanOrEqual(queue);
        }
        for (const each of jobs) each.end();
        await Promise.all(jobs.map((each) => each.done));
        expect(jobs.filter((each) => each.started).length + refused).toBe(jobs.length);
        expect([slots.running, slots.waiting]).toEqual([0, 0]);
      }),
    );
  });
});
