import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { createLogger } from "../../../src/server/lib/logger.ts";
import { RuleFeed } from "../../../src/server/events/rule-feed.ts";
import type { ServerEvent } from "../../../src/shared/api/events.ts";
import type { Rule } from "../../../src/shared/api/stun.ts";

let told: ServerEvent[];
let isAway: boolean;
let feed: RuleFeed;
beforeEach(() => {
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout", "performance"] });
  told = [];
  isAway = false;
  feed = new RuleFeed({
    read: async (ids) => {
      if (isAway) throw new Error("the storage is away");
      return ids.filter((id) => id < 1_000_000).map((id) => ({ id }) as Rule);
    },
    tell: async (event) => void told.push(event),
    everyMs: 1_000,
    logger: createLogger("silent"),
  });
});
afterEach(() => vi.useRealTimers());

test("What changes after a quiet time is shown at once", async () => {
  feed.note(1);
  await vi.advanceTimersByTimeAsync(1);
  expect(told).toEqual([{ event: "stun_rule", data: { id: 1 } }]);
});

test("A rule that changes all the time is shown once in a second", async () => {
  for (let ms = 0; ms < 5_000; ms += 10) {
    feed.note(1);
    await vi.advanceTimersByTimeAsync(10);
  }
  // At the beginning, too.
  expect(told).toHaveLength(6);
  await vi.advanceTimersByTimeAsync(5_000);
  expect(told).toHaveLength(6);
});

test("Thousands of rules are shown in parts, each of them once", async () => {
  for (let id = 1; id <= 2_500; id++) feed.note(id);
  await vi.advanceTimersByTimeAsync(1);
  expect(told).toHaveLength(1_000);
  await vi.advanceTimersByTimeAsync(10_000);
  expect(new Set(told.map(({ data }) => data.id))).toHaveLength(2_500);
  expect(told).toHaveLength(2_500);
});

test("A rule that is gone is said to be removed", async () => {
  feed.note(1_000_001);
  await vi.advanceTimersByTimeAsync(1);
  expect(told).toEqual([{ event: "stun_rule_removed", data: { id: 1_000_001 } }]);
});

test("What cannot be read is shown later", async () => {
  isAway = true;
  feed.note(1);
  await vi.advanceTimersByTimeAsync(3_000);
  expect(told).toEqual([]);
  isAway = false;
  await vi.advanceTimersByTimeAsync(1_000);
  expect(told).toHaveLength(1);
});

test("After its end nothing is shown", async () => {
  feed.note(1);
  feed.close();
  await vi.advanceTimersByTimeAsync(3_000);
  expect(told).toEqual([]);
});

test("What cannot be read when it ends is not read again", async () => {
  const reading = Promise.withResolvers<Rule[]>();
  let reads = 0;
  const slow = new RuleFeed({
    read: () => {
      reads++;
      return reading.promise;
    },
    tell: async () => {},
    everyMs: 1_000,
    logger: createLogger("silent"),
  });
  slow.note(1);
  await vi.advanceTimersByTimeAsync(1);
  slow.close();
  reading.reject(new Error("the storage is away"));
  await vi.advanceTimersByTimeAsync(3_000);
  expect(reads).toBe(1);
});
