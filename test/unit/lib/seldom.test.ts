import { expect, test } from "vitest";
import { Seldom } from "../../../src/server/lib/seldom.ts";

test("the first line of a kind passes, and later ones tell how many did not", () => {
  let now = 0;
  const seldom = new Seldom(1_000, () => now);
  expect(seldom.pass("a")).toBe(0);
  now = 999;
  expect([seldom.pass("a"), seldom.pass("a")]).toEqual([undefined, undefined]);
  expect(seldom.pass("b")).toBe(0);
  now = 1_000;
  expect(seldom.pass("a")).toBe(2);
  now = 1_500;
  expect(seldom.pass("a")).toBeUndefined();
  now = 9_000;
  expect(seldom.pass("a")).toBe(1);
});
