import { expect, test } from "vitest";
import { BriefMemory } from "../../src/server/stats/brief-memory.ts";
import { ManualClock } from "../support/manual-clock.ts";

function memory(size = 2) {
  const clock = new ManualClock();
  let worked = 0;
  const kept = new BriefMemory<number>(clock, 5_000, size);
  return { clock, ask: (key: string) => kept.get(key, async () => ++worked), kept };
}

test("an answer is worked out again once its time is over", async () => {
  const { clock, ask } = memory();
  expect(await ask("a")).toBe(1);
  clock.advance(4_999);
  expect(await ask("a")).toBe(1);
  clock.advance(1);
  expect(await ask("a")).toBe(2);
});

test("the oldest answer makes room for a new one", async () => {
  const { ask } = memory();
  for (const key of ["a", "b", "c"]) await ask(key);
  expect(await ask("c")).toBe(3);
  expect(await ask("a")).toBe(4);
});

test("a failure is not kept", async () => {
  const { kept, ask } = memory();
  await expect(kept.get("a", () => Promise.reject(new Error("no")))).rejects.toThrow("no");
  expect(await ask("a")).toBe(1);
});
