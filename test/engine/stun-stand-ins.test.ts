import { afterEach, beforeEach, expect, test } from "vitest";
import type { ChangeSubscriber } from "../../src/server/stun/change-port.ts";
import type { Stun } from "../../src/server/stun/stun.ts";
import type { RuleState } from "../../src/shared/api/stun.ts";
import { FakeNat } from "../support/fake-nat.ts";
import { StunWorld } from "../support/stun-world.ts";

/** What an instance knows of the others, as the test says. */
class Neighbourhood {
  readonly isAlone = false;
  living: ReadonlySet<string> = new Set(["one", "two"]);
  dead: ReadonlySet<string> = new Set();
}

let world: StunWorld;
/** The second one runs on another host. */
let otherNat: FakeNat;
let one: Stun;
let two: Stun;
let seenByOne: Neighbourhood;
let seenByTwo: Neighbourhood;
/** Which instances have acted on changes. */
let acted: string[];

function subscriberOf(name: string): ChangeSubscriber {
  return { onConfirmed: async () => void acted.push(name), onStored: () => {} };
}

beforeEach(async () => {
  acted = [];
  world = await StunWorld.open("postgres");
  [seenByOne, seenByTwo] = [new Neighbourhood(), new Neighbourhood()];
  otherNat = new FakeNat(world.clock, world.time);
  const boot = (instance: string, neighbours: Neighbourhood, nat: FakeNat) =>
    world.boot({ instance, neighbours, nat, subscriber: subscriberOf(instance) });
  one = await boot("one", seenByOne, world.nat);
  two = await boot("two", seenByTwo, otherNat);
});
afterEach(() => world.close());

const openHoles = () => [world.nat.openHoles.length, otherNat.openHoles.length];

function switchAddress(): void {
  for (const nat of [world.nat, otherNat]) nat.mapping = { address: "203.0.113.9", port: 6_000 };
}

async function stateOf(stun: Stun, id: number): Promise<RuleState> {
  return (await stun.service.get(id)).state;
}

async function standInOf(stun: Stun, id: number): Promise<string | undefined> {
  return (await stun.service.listStandIns()).find((each) => each.rule_id === id)?.instance;
}

async function openRule(): Promise<number> {
  const { id } = await world.create(one);
  await world.advance(30_000);
  expect((await stateOf(one, id)).status).toBe("open");
  expect(await one.service.listStandIns()).toEqual([]);
  return id;
}

/** The second one finds that the first is dead. */
async function takeOver(): Promise<void> {
  Object.assign(seenByTwo, { living: new Set(["two"]), dead: new Set(["one"]) });
  await two.runWorkersOnce();
  await world.advance(30_000);
}

test("a hole is taken over when its instance is dead, and that is said", async () => {
  const id = await openRule();
  await takeOver();
  expect(await stateOf(two, id)).toMatchObject({ status: "open", public_ip: "203.0.113.7" });
  expect(await two.service.listStandIns()).toEqual([{ rule_id: id, instance: "two" }]);
  expect((await two.service.get(id)).instance).toBe("one");
  // The same address: nothing has changed.
  expect(await world.changesOf(two, id)).toHaveLength(1);
});

test("who was taken for dead and wakes up publishes nothing, and lets go", async () => {
  const id = await openRule();
  await takeOver();
  // Both see the change. One has not learnt yet that it was replaced.
  switchAddress();
  await world.advance(60_000);
  expect(openHoles()).toEqual([1, 1]);
  expect(await world.changesOf(two, id)).toEqual(["203.0.113.7:5000", "203.0.113.9:6000 ip+port"]);
  expect(acted).toEqual(["two"]);
  const state = await stateOf(two, id);

  await one.runWorkersOnce();
  expect(openHoles()).toEqual([0, 1]);
  expect(await stateOf(two, id)).toEqual(state);
  // What it still had to say of its state is not taken for that of the holder.
  expect(await standInOf(one, id)).toBe("two");
  expect((await stateOf(one, id)).status).toBe("open");
});

test("who is replaced stores neither a change nor a state, whatever it has seen alone", async () => {
  const id = await openRule();
  await takeOver();
  await two.watcher.release(id);
  switchAddress();
  await world.advance(60_000);
  await one.watcher.settle();
  expect(acted).toEqual([]);
  expect(await world.changesOf(one, id)).toHaveLength(1);
});

test("an instance that returns gets its hole back, and never do two hold it", async () => {
  const id = await openRule();
  await takeOver();
  await one.runWorkersOnce();
  expect(openHoles()).toEqual([0, 1]);
  Object.assign(seenByTwo, { living: new Set(["one", "two"]), dead: new Set() });
  await one.runWorkersOnce();
  expect(openHoles()).toEqual([0, 1]);
  await two.runWorkersOnce();
  expect(openHoles()).toEqual([0, 0]);
  await one.runWorkersOnce();
  await world.advance(30_000);
  expect(openHoles()).toEqual([1, 0]);
  expect((await stateOf(one, id)).status).toBe("open");
  expect((await stateOf(two, id)).status).toBe("open");
  expect(await two.service.listStandIns()).toEqual([]);
});

test("who stands in and dies is replaced, by the first that comes", async () => {
  const id = await openRule();
  await takeOver();
  const seenByThree = new Neighbourhood();
  seenByThree.living = new Set(["three"]);
  seenByThree.dead = new Set(["one", "two"]);
  const three = await world.boot({ instance: "three", neighbours: seenByThree });
  const four = await world.boot({
    instance: "four",
    neighbours: seenByThree,
  });
  await Promise.all([three.runWorkersOnce(), four.runWorkersOnce()]);
  expect(["three", "four"]).toContain(await standInOf(three, id));
  expect([three, four].filter((each) => each.watcher.watches.has(id))).toHaveLength(1);
});

test("rules of an instance that was never there stay where they are", async () => {
  const { id } = await world.create(two, { name: "elsewhere", instance: "nowhere" });
  await takeOver();
  expect(await standInOf(two, id)).toBe(undefined);
  expect(two.watcher.watches.has(id)).toBe(false);
});
