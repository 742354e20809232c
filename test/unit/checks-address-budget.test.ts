import { beforeEach, expect, test } from "vitest";
import { AddressBudget } from "../../src/server/checks/address-budget.ts";
import { ManualClock } from "../support/manual-clock.ts";

const INTERVAL_MS = 60_000;

let clock: ManualClock;
let budget: AddressBudget;
beforeEach(() => {
  clock = new ManualClock();
  budget = new AddressBudget(clock, INTERVAL_MS);
});

/** How many of `times` are allowed. */
function take(times: number, addressOf: (time: number) => string): number {
  let allowed = 0;
  for (let time = 0; time < times; time++) if (budget.take(addressOf(time))) allowed++;
  return allowed;
}

test("an address is dialled 64 times in an interval, and again in the next", () => {
  expect(take(1_000, () => "203.0.113.1")).toBe(64);
  expect(budget.take("203.0.113.2")).toBe(true);
  clock.advance(INTERVAL_MS - 1);
  expect(budget.take("203.0.113.1")).toBe(false);
  clock.advance(1);
  expect(take(1_000, () => "203.0.113.1")).toBe(64);
});

test("the addresses of one IPv6 network count together", () => {
  expect(take(1_000, (time) => `2001:db8::${time.toString(16)}`)).toBe(64);
  expect(budget.take("2001:db8:0:1::1")).toBe(true);
});

test("a large fleet does not use it up by chance", () => {
  expect(take(200_000, (time) => `20.${time >> 16}.${(time >> 8) & 255}.${time & 255}`)).toBe(
    200_000,
  );
});
