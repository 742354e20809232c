import { expect, test } from "vitest";
import { createLogger } from "../../../src/server/lib/logger.ts";
import type { Endpoint } from "../../../src/server/stun/endpoint.ts";
import type { Observation } from "../../../src/server/stun/observation.ts";
import type { RuleObservation } from "../../../src/server/stun/observation-store.ts";
import { ObservationWriter } from "../../../src/server/stun/observation-writer.ts";

const X: Endpoint = { address: "192.0.2.1", port: 4_000 };
const Y: Endpoint = { address: "192.0.2.1", port: 4_001 };

function seen(at: number, mapped: Endpoint | null, server = "a"): Observation {
  return { at, server, mapped, rttMs: mapped && 20, error: mapped ? null : "no answer" };
}

function writerFor(rules: number) {
  const stored: RuleObservation[] = [];
  const storage = { isAway: false, isBroken: false };
  const writer = new ObservationWriter({
    store: {
      add: async (batch) => {
        if (storage.isAway || storage.isBroken) throw new Error("no");
        stored.push(...batch);
      },
    },
    ruleCount: () => rules,
    isUnavailable: () => storage.isAway,
    logger: createLogger("silent"),
  });
  return { writer, stored, storage };
}

test("few rules keep every observation", async () => {
  const { writer, stored } = writerFor(10);
  for (let at = 0; at < 100; at++) writer.note(1, seen(at * 1_000, X));
  await writer.flush();
  expect(stored).toHaveLength(100);
});

test("of thousands of rules repetitions are thinned out, and whatever is new is kept", async () => {
  const { writer, stored } = writerFor(5_000);
  for (let at = 0; at < 100; at++) writer.note(1, seen(at * 20_000, X));
  await writer.flush();
  // One in 500 s.
  expect(stored.map((each) => each.at)).toEqual([0, 500_000, 1_000_000, 1_500_000]);
  stored.length = 0;
  const news = [seen(2e6, Y), seen(2e6 + 1, X), seen(2e6 + 2, null), seen(2e6 + 3, X, "b")];
  for (const each of news) writer.note(1, each);
  writer.note(1, seen(2e6 + 4, null));
  writer.note(2, seen(2e6 + 5, X));
  await writer.flush();
  expect(stored.map((each) => each.at - 2e6)).toEqual([0, 1, 2, 3, 5]);
});

test("what cannot be written waits, up to a limit, and comes in order", async () => {
  const { writer, stored, storage } = writerFor(1);
  storage.isAway = true;
  for (let at = 0; at < 25_000; at++) writer.note(1, seen(at * 1_000, X));
  await writer.flush();
  expect(stored).toEqual([]);
  storage.isAway = false;
  await writer.flush();
  expect(stored).toHaveLength(20_000);
  expect(stored.at(-1)?.at).toBe(19_999_000);
});

test("what the storage refuses for good does not block the rest", async () => {
  const { writer, stored, storage } = writerFor(1);
  storage.isBroken = true;
  writer.note(1, seen(0, X));
  await writer.flush();
  storage.isBroken = false;
  writer.note(1, seen(1_000, X));
  await writer.flush();
  expect(stored.map((each) => each.at)).toEqual([1_000]);
});
