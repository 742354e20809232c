import { expect, test } from "vitest";
import { connectLimitMs, InvocationPlaces } from "../../src/edge/workers/invocation-places.ts";

test("connecting in rounds of six takes at most 16 s, and 5 s for each check where that fits", () => {
  expect([1, 6, 7, 18].map(connectLimitMs)).toEqual([5000, 5000, 5000, 5000]);
  expect([19, 20].map(connectLimitMs)).toEqual([4000, 4000]);
});

test("six checks of an invocation run at a time, in their order", async () => {
  const reservation = new InvocationPlaces(64).reserve(20);
  const ends: (() => void)[] = [];
  const started: number[] = [];
  const all = Array.from({ length: 20 }, (_, n) =>
    reservation?.run(() => {
      started.push(n);
      return new Promise<void>((resolve) => ends.push(resolve));
    }),
  );
  for (let ended = 0; ended < 20; ended++) {
    await expect.poll(() => started.length).toBe(Math.min(20, ended + 6));
    ends[ended]?.();
  }
  for (const each of all) await each;
  expect(started).toEqual(Array.from({ length: 20 }, (_, n) => n));
});

test("an invocation holds as many places of the isolate as it runs checks, until it lets go", () => {
  const places = new InvocationPlaces(8);
  const first = places.reserve(20);
  expect(first).toBeDefined();
  expect(places.reserve(3)).toBeUndefined();
  expect(places.reserve(2)).toBeDefined();
  expect(places.reserve(1)).toBeUndefined();
  first?.release();
  first?.release();
  expect(places.reserve(20)).toBeDefined();
  expect(places.reserve(1)).toBeUndefined();
});
