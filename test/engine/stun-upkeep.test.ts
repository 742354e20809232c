import { afterEach, beforeEach, expect, test } from "vitest";
import { RuleViews } from "../../src/server/stun/rule-views.ts";
import type { LiveState } from "../../src/server/stun/rule.ts";
import { SERVERS, StunWorld } from "../support/stun-world.ts";

const [FIRST = ""] = SERVERS;
const PORT = 7_000;

let world: StunWorld;
beforeEach(async () => {
  world = await StunWorld.open("sqlite");
});
afterEach(() => world.close());

/** How often servers are asked in that time. */
async function askedWithin(ms: number): Promise<number> {
  const before = world.nat.asked.length;
  await world.advance(ms);
  return world.nat.asked.length - before;
}

test("Every five minutes another server is asked beside the first one", async () => {
  await world.create(await world.boot());
  await world.advance(1_000);
  const before = world.nat.asked.length;
  await world.advance(1_200_000);
  const others = world.nat.asked.slice(before).filter((each) => each !== FIRST);
  expect(others.length).toBeGreaterThanOrEqual(3);
  expect(others.length).toBeLessThanOrEqual(4);
});

test("A port that changes by itself makes probes come twice as often, an address does not", async () => {
  await world.create(await world.boot());
  await world.advance(1_000);
  world.nat.mapping = { address: "203.0.113.8", port: 5_000 };
  await world.advance(30_000);
  expect(await askedWithin(100_000)).toBeLessThanOrEqual(6);
  world.nat.mapping = { address: "203.0.113.8", port: 5_001 };
  await world.advance(30_000);
  expect(await askedWithin(100_000)).toBeGreaterThanOrEqual(9);
});

test("A rule that gets another name goes on with what is known", async () => {
  const stun = await world.boot();
  const { id } = await world.create(stun);
  await world.advance(1_000);
  const asked = world.nat.asked.length;
  const { state } = await world.change(stun, id, { name: "renamed" });
  expect(state.status).toBe("open");
  await world.advance(100);
  expect(world.nat.asked).toHaveLength(asked);
});

test("A hole that cannot be opened is tried less and less often, until it could be used", async () => {
  const stun = await world.boot();
  await world.create(stun, { localPort: PORT });
  await world.advance(1_000);
  const opened = () => world.nat.holes.length;
  const before = opened();
  world.nat.taken.add(PORT);
  world.nat.holes.at(-1)?.events.lost("it broke");
  await world.advance(49_000);
  // After 1, 2, 5, 10 and 30 seconds.
  expect(opened() - before).toBe(5);
  world.nat.taken.clear();
  await world.advance(31_000);
  expect(world.nat.openHoles).toHaveLength(1);
  world.nat.holes.at(-1)?.events.lost("it broke again");
  await world.advance(1_100);
  expect(world.nat.openHoles).toHaveLength(1);
});

test("What a probe shows of a hole that broke meanwhile is no observation", async () => {
  const stun = await world.boot();
  const { id } = await world.create(stun);
  await world.advance(1_000);
  const { answered } = stun.watcher.counts;
  const probe = stun.watcher.probe(id);
  world.nat.holes.at(-1)?.events.lost("it broke");
  await world.advance(500);
  await probe;
  expect(stun.watcher.counts.answered).toBe(answered);
});

test("A rule that stops while a change is suspected leaves no timer", async () => {
  const stun = await world.boot();
  const { id } = await world.create(stun);
  await world.advance(1_000);
  world.nat.mapping = { address: "203.0.113.8", port: 5_000 };
  void stun.watcher.probe(id);
  await world.advance(100);
  expect(stun.watcher.stateOf(id)?.status).toBe("suspect");
  await world.stop(stun);
  expect(world.time.waiting).toBe(0);
});

test("A hole leads to the rule's target from the start, and when it was opened again", async () => {
  const forwardTo = { host: "192.168.1.20", port: 22_000, proxyProtocol: false };
  await world.create(await world.boot(), { forwardTo });
  await world.advance(1_000);
  expect(world.nat.openHoles.map((each) => each.target)).toEqual([forwardTo]);
  world.nat.holes.at(-1)?.events.lost("it broke");
  await world.advance(2_000);
  expect(world.nat.holes).toHaveLength(3);
  expect(world.nat.openHoles.map((each) => each.target)).toEqual([forwardTo]);
});

test("A rule is never shown open without its mapping, whenever that is stored", async () => {
  const stun = await world.boot();
  const { id } = await world.create(stun);
  const { db } = world.database;
  for (const read of ["find", "list"] as const) {
    let queries = 0;
    const opening = new Proxy(db, {
      get: (real, name) => {
        if (name === "selectFrom") queries++;
        const value = Reflect.get(real, name) as unknown;
        return typeof value === "function" ? (value.bind(real) as unknown) : value;
      },
    });
    // It opens while the mapping is being read.
    const state = stun.watcher.stateOf(id) as LiveState;
    const live = {
      stateOf: () => ({ ...state, status: queries > 1 ? "open" : "starting" }) as const,
    };
    const views = new RuleViews({ db: opening, instance: "main", live });
    const [rule] = [await views[read](id)].flat();
    expect(queries).toBeGreaterThan(1);
    expect(rule?.state).toMatchObject({ status: "starting", public_ip: null });
  }
});
