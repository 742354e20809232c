import { afterEach, beforeEach, expect, test } from "vitest";
import { setUp } from "../support/accounts.ts";
import { FakeDesec } from "../support/fake-desec.ts";
import { until } from "../support/instance-group.ts";
import { ManualClock } from "../support/manual-clock.ts";
import { newPostgresDatabase } from "../support/postgres.ts";
import { LISTS, PublishedList } from "../support/published-list.ts";
import { startTestService } from "../support/service.ts";
import { openDatabase } from "../../src/server/database/database.ts";
import { createLogger } from "../../src/server/lib/logger.ts";
import { lease } from "../../src/server/publications/lease-store.ts";

const LEASE_MS = 60_000;
const clock = new ManualClock();
let databaseUrl: string;
let worlds: PublishedList[];
let desec: FakeDesec;
let account: string;

async function open(instance: string): Promise<PublishedList> {
  const env = {
    DATABASE_URL: databaseUrl,
    INSTANCE: instance,
    SECRET_KEY: "the-key-that-all-instances-of-the-test-share",
  };
  const service = await startTestService({ clock, env, publications: { chance: () => 0.5 } });
  return new PublishedList(service, worlds[0]?.token ?? (await setUp(service)));
}

function at(index: number): PublishedList {
  const world = worlds[index];
  if (!world) throw new Error(`there is no instance ${index}`);
  return world;
}

/** Each instance has heard of so many nodes that are online. */
function heard(online: number): Promise<void> {
  return until(async () =>
    worlds.every(({ service }) => service.service.fleet.totals.online === online),
  );
}

beforeEach(async () => {
  databaseUrl = await newPostgresDatabase();
  desec = await FakeDesec.listen("example.com");
  worlds = [];
  worlds.push(await open("one"));
  worlds.push(await open("two"));
  const config = { token: desec.token, domain: "example.com", base_url: desec.baseUrl };
  account = await at(0).addAccount(0, { provider: "desec", config });
  for (const last of [1, 2, 3]) {
    const connections = [{ type: "TCP", ip: `203.0.113.${last}`, port: 11_010 }];
    await at(0).addNode(`node-${last}`, { connections });
  }
  await heard(3);
});
afterEach(async () => {
  for (const { service } of worlds) await service.stop();
  await desec.server.close();
});

const settings = { type: "TXT", ttl_seconds: 3600, interval_seconds: 60 };
const text = () => desec.find("peers", "TXT")?.records[0];

test("one instance is at a list at a time, and any takes it up after a failure", async () => {
  desec.server.failNext("hang");
  const arrival = desec.server.arrival();
  const published = at(0).publish(account, settings);
  await arrival;
  await at(1).work();
  expect(desec.server.received).toHaveLength(1);
  desec.server.drop();
  const list = await published;
  expect((await at(1).get(list)).state).toMatchObject({ status: "failing", failures: 1 });
  clock.advance(5_000);
  await Promise.all([at(0).work(), at(1).work()]);
  expect(text()).toMatch(/^"(tcp:\/\/203\.0\.113\.[123]:11010 ?){3}"$/);
  expect(desec.server.writes).toHaveLength(1);

  await at(0).report("node-2", { status: "offline" });
  await heard(2);
  clock.advance(10_000);
  await Promise.all([at(0).work(), at(1).work()]);
  expect(text()).not.toContain("203.0.113.2");
  expect(desec.server.writes).toHaveLength(2);
  expect((await at(1).get(list)).state).toMatchObject({ status: "published", failures: 0 });
});

test("a list whose instance was killed is taken up when its lease ends", async () => {
  const list = await at(0).publish(account, settings);
  const id = Number(list.slice(LISTS.length + 1));
  const target = { dialect: "postgres", url: databaseUrl } as const;
  const killed = await openDatabase(target, clock, createLogger("silent"));
  const now = clock.now();
  await lease(killed.db, id, { owner: "killed:1", now, until: now + LEASE_MS });
  await killed.close();
  desec.sets.length = 0;
  await at(0).work(LEASE_MS - 1);
  await at(1).work();
  expect(text()).toBeUndefined();
  await at(1).work(1);
  expect(text()).toBeDefined();
});

test("what an instance has written before it stopped is withdrawn by another, at once", async () => {
  // It is told of the change and never shown it.
  desec.server.failNext(undefined, undefined, "hang");
  const body = { ...settings, domain_account_id: Number(account.split("/").at(-1)) };
  const created = await at(0).ask("POST", LISTS, { ...body, name: "peers.example.com" });
  const working = at(0).work();
  await until(async () => desec.server.received.length === 3);
  await at(0).service.service.stop();
  await working;
  expect(text()).toBeDefined();
  const list = `${LISTS}/${created.body.publication.id as number}`;
  await at(1).ask("PUT", list, { enabled: false });
  await at(1).work(1_000);
  expect(text()).toBeUndefined();
  expect((await at(1).get(list)).state).toMatchObject({ status: "disabled", records: [] });
});

test("settings that change while a try is under way are published next, whatever becomes of it", async () => {
  desec.server.failNext("hang");
  const arrival = desec.server.arrival();
  const published = at(0).publish(account, settings);
  await arrival;
  const [{ id }] = (await at(1).ask("GET", LISTS)).body.publications;
  await at(1).ask("PUT", `${LISTS}/${id as number}`, { node_count: 1 });
  desec.server.drop();
  const list = await published;
  await until(async () => (await at(1).get(list)).state.status === "published");
  expect(text()).toMatch(/^"tcp:\/\/203\.0\.113\.[123]:11010"$/);
});
