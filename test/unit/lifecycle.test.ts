import { expect, test } from "vitest";
import { Lifecycle, type Part } from "../../src/server/lib/lifecycle.ts";
import { createLogger } from "../../src/server/lib/logger.ts";

/** A lifecycle of parts that note what happens to them. */
function setUp(...names: string[]) {
  const events: string[] = [];
  const lifecycle = new Lifecycle(createLogger("silent"));
  const add = (name: string, change: Partial<Part> = {}) =>
    lifecycle.add({
      name,
      start: () => void events.push(`start ${name}`),
      stop: () => void events.push(`stop ${name}`),
      ...change,
    });
  for (const name of names) add(name);
  return { lifecycle, add, events };
}

test("parts start in order and stop in reverse", async () => {
  const { lifecycle, events } = setUp("a", "b");
  await lifecycle.start();
  await lifecycle.stop();
  expect(events).toEqual(["start a", "start b", "stop b", "stop a"]);
});

test("both may be called twice", async () => {
  const { lifecycle, events } = setUp("a");
  await Promise.all([lifecycle.start(), lifecycle.start()]);
  await Promise.all([lifecycle.stop(), lifecycle.stop()]);
  await lifecycle.start();
  expect(events).toEqual(["start a", "stop a"]);
});

test("what never started is not stopped, but what runs from the beginning is", async () => {
  const { lifecycle, events } = setUp("a");
  lifecycle.add({ name: "open", stop: () => void events.push("stop open") });
  await lifecycle.stop();
  expect(events).toEqual(["stop open"]);
});

test("a stop during the start waits for the part that is starting and takes back the rest", async () => {
  const { lifecycle, add, events } = setUp("a");
  const slow = Promise.withResolvers<void>();
  const begun = Promise.withResolvers<void>();
  add("slow", {
    start: () => {
      begun.resolve();
      return slow.promise;
    },
  });
  add("never");
  const started = lifecycle.start();
  await begun.promise;
  const stopped = lifecycle.stop();
  slow.resolve();
  await Promise.all([started, stopped]);
  expect(events).toEqual(["start a", "stop slow", "stop a"]);
});

test("when a part cannot start, those before it are stopped and the failure is told", async () => {
  const { lifecycle, add, events } = setUp("a");
  add("broken", {
    start: () => {
      throw new Error("no");
    },
  });
  add("never");
  await expect(lifecycle.start()).rejects.toThrow("no");
  await expect(lifecycle.start()).rejects.toThrow("no");
  expect(events).toEqual(["start a", "stop a"]);
});

test("a part that cannot stop does not keep the others from it", async () => {
  const { lifecycle, add, events } = setUp("a");
  add("stubborn", { stop: () => Promise.reject(new Error("no")) });
  await lifecycle.start();
  await lifecycle.stop();
  expect(events).toEqual(["start a", "start stubborn", "stop a"]);
});
