import { expect, it } from "vitest";
import { SeenFilter } from "../../src/server/reports/seen-filter.ts";

const hour = 3_600_000;

it("never denies what was added", () => {
  const filter = new SeenFilter(24 * hour);
  for (let key = 0; key < 100_000; key++) filter.add(`7 report-${key}`, key);
  for (let key = 0; key < 100_000; key++) {
    if (!filter.mayHave(`7 report-${key}`)) throw new Error(`report-${key} is denied`);
  }
  expect(filter.mayHave("7 report-1")).toBe(true);
});

it("rules nearly all new keys out, also when a generation is full", () => {
  const filter = new SeenFilter(24 * hour);
  for (let key = 0; key < 1 << 20; key++) filter.add(`${key % 1000} report-${key}`, 0);
  let wrong = 0;
  for (let key = 0; key < 100_000; key++) if (filter.mayHave(`new ${key}`)) wrong++;
  expect(wrong).toBeGreaterThan(0);
  expect(wrong / 100_000).toBeLessThan(1 / 200);
});

it("forgets what is older than it must know, and nothing younger", () => {
  const filter = new SeenFilter(24 * hour);
  filter.add("old", 0);
  filter.add("young", 10 * hour);
  for (let at = 10; at <= 31; at++) filter.add(`at ${at}`, at * hour);
  expect(filter.mayHave("old")).toBe(false);
  expect(filter.mayHave("young")).toBe(true);
});
