import { expect, test } from "vitest";
import { KeepAlivePace } from "../../../src/server/stun/keep-alive-pace.ts";

const MINUTE_MS = 60_000;

test("a port that changes by itself halves the interval, down to ten seconds", () => {
  const pace = new KeepAlivePace(60_000, 0);
  const seen = [1, 2, 3, 4].map((now) => {
    pace.portChanged(now);
    return pace.intervalMs;
  });
  expect(seen).toEqual([30_000, 15_000, 10_000, 10_000]);
});

test("an interval that is shorter than ten seconds stays as it is", () => {
  const pace = new KeepAlivePace(3_000, 0);
  pace.portChanged(1);
  expect(pace.intervalMs).toBe(3_000);
});

test("it grows by one step at a time, however often it is answered", () => {
  const pace = new KeepAlivePace(20_000, 0);
  pace.portChanged(0);
  for (let second = 600; second < 1_200; second += 10) pace.answered(second * 1_000);
  expect(pace.intervalMs).toBe(12_500);
});

test("it grows back slowly, and not beyond what is set", () => {
  const pace = new KeepAlivePace(20_000, 0);
  pace.portChanged(0);
  pace.answered(9 * MINUTE_MS);
  expect(pace.intervalMs).toBe(10_000);
  const seen: number[] = [];
  for (let minute = 10; minute <= 50; minute += 10) {
    pace.answered(minute * MINUTE_MS);
    seen.push(pace.intervalMs);
  }
  expect(seen).toEqual([12_500, 15_625, 19_531.25, 20_000, 20_000]);
});
