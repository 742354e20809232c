import { afterEach, beforeEach, expect, test } from "vitest";
import { createLogger } from "../../src/server/lib/logger.ts";
import { ChangeKeeper } from "../../src/server/stun/change-keeper.ts";
import { noSubscriber } from "../../src/server/stun/change-port.ts";
import type { Endpoint } from "../../src/server/stun/endpoint.ts";
import { withDefaults } from "../../src/server/stun/input.ts";
import * as store from "../../src/server/stun/store.ts";
import { TimerWheel } from "../../src/server/stun/timer-wheel.ts";
import { MoodyDatabase } from "../support/moody-database.ts";
import { StunWorld } from "../support/stun-world.ts";

const [A, B, C] = [1, 2, 3].map((port): Endpoint => ({ address: "203.0.113.7", port })) as [
  Endpoint,
  Endpoint,
  Endpoint,
];

let world: StunWorld;
let storage: MoodyDatabase;
let keeper: ChangeKeeper;
let rule: number;
let failures: number;
beforeEach(async () => {
  world = await StunWorld.open("sqlite");
  const { time, clock, database } = world;
  storage = new MoodyDatabase(database);
  failures = 0;
  keeper = new ChangeKeeper({
    database: storage.database,
    instance: "main",
    clock,
    time,
    wheel: new TimerWheel(time, (error) => {
      throw error;
    }),
    subscriber: noSubscriber,
    logger: createLogger("silent"),
    onStored: () => {},
    onFailed: () => void failures++,
  });
  rule = await store.insertRule(
    database.db,
    withDefaults({ name: "home", transport: "udp" }, "main"),
    0,
  );
  keep(A, null);
  await keeper.flush();
});
afterEach(() => world.close());

function keep(mapping: Endpoint, previous: Endpoint | null): void {
  keeper.keep(rule, { mapping, previous, servers: [] });
}

const settled = () => new Promise<void>((resolve) => void setImmediate(resolve));

/** Ports, oldest first. */
async function stored(): Promise<number[]> {
  const changes = await store.listChanges(world.database.db, rule, { limit: 9 });
  return changes.map((each) => each.mapping.port).toReversed();
}

test("What is confirmed while the one before is being stored is stored after it", async () => {
  keep(B, A);
  keep(C, B);
  await keeper.flush();
  expect(await stored()).toEqual([1, 2, 3]);
  expect(keeper.waiting).toBe(0);
});

test("Of what waits for the storage the newest is stored, as one change", async () => {
  storage.mood = "away";
  keep(B, A);
  await expect.poll(() => failures).toBe(1);
  keep(C, B);
  storage.mood = "fine";
  await keeper.flush();
  expect(await stored()).toEqual([1, 3]);
});

test("What waits is tried once more at the stop, and not after it", async () => {
  storage.mood = "away";
  keep(B, A);
  await expect.poll(() => failures).toBe(1);
  storage.mood = "fine";
  await keeper.stop();
  expect(await stored()).toEqual([1, 2]);
});

test("A stop without the storage ends, and leaves no timer", async () => {
  storage.mood = "away";
  keep(B, A);
  await expect.poll(() => failures).toBe(1);
  await keeper.stop();
  expect(keeper.waiting).toBe(1);
  expect(world.time.waiting).toBe(0);
});

test("A storage that is away for long is tried every half a minute", async () => {
  storage.mood = "away";
  keep(B, A);
  await expect.poll(() => failures).toBe(1);
  await world.time.advance(600_000, settled);
  expect(failures).toBeGreaterThan(20);
  expect(failures).toBeLessThan(30);
  storage.mood = "fine";
  await world.time.advance(30_000, settled);
  await keeper.flush();
  expect(await stored()).toEqual([1, 2]);
});
