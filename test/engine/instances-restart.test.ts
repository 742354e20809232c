import { afterEach, beforeEach, expect, test } from "vitest";
import { createReporters, EMAIL, shownTraffic } from "../durability/fleet-of-reporters.ts";
import { ReportStorm, type StormNode } from "../durability/report-storm.ts";
import { Client } from "../support/client.ts";
import { freePort } from "../support/free-port.ts";
import { InstanceGroup, until } from "../support/instance-group.ts";
import { PostgresServer } from "../support/postgres-server.ts";
import { newPostgresDatabase } from "../support/postgres.ts";
import { ReadyBalancer } from "../support/ready-balancer.ts";
import { startNginx } from "../support/reverse-proxy.ts";

/** What stands before the instances: a balancer that asks whether they are ready, or a proxy. */
interface Front {
  origin: string;
  stop(): Promise<void>;
}

let group: InstanceGroup;
let fronts: Front[];

beforeEach(() => {
  fronts = [];
});
afterEach(async () => {
  for (const front of fronts) await front.stop();
  await group.clear();
});

async function startBalancer(): Promise<Front> {
  const balancer = await ReadyBalancer.start(() => group.running.map((each) => each.origin));
  return { origin: balancer.origin, stop: () => balancer.close() };
}

/** Two instances at ports that they keep. @returns what starts one of them, also again */
async function startPair(drainSeconds: string) {
  const settings = { DRAIN_SECONDS: drainSeconds };
  group = await InstanceGroup.start(await newPostgresDatabase(), [], settings);
  const ports = { one: await freePort(), two: await freePort() };
  const run = (name: keyof typeof ports) => group.run(name, { PORT: String(ports[name]) });
  await run("one");
  await run("two");
  return { run, ports: Object.values(ports) };
}

/** Asks for nodes again and again. @returns what was not answered with 200 */
async function askUntil(signal: AbortSignal, client: Client, atOnce: number): Promise<string[]> {
  const failures: string[] = [];
  const ask = async () => {
    while (!signal.aborted) {
      try {
        const { status } = await client.request("POST", "/api/query", { body: {} });
        if (status !== 200) failures.push(`status ${status}`);
      } catch (error) {
        failures.push((error as Error).message);
      }
    }
  };
  await Promise.all(Array.from({ length: atOnce }, ask));
  return failures;
}

async function shows(client: Client, nodes: StormNode[], storm: ReportStorm): Promise<boolean> {
  const shown = await shownTraffic(client);
  return nodes.every((node) => shown.get(node.name) === storm.expected(node));
}

test("instances are restarted one after the other under load, and no request fails", async () => {
  const { run } = await startPair("1");
  fronts = [await startBalancer()];
  const clients = fronts.map(({ origin }) => new Client(() => origin));
  const nodes = await createReporters(group.get("one"), 5);
  const storm = new ReportStorm(EMAIL, nodes);
  const ending = new AbortController();
  const load = Promise.all(
    clients.map(async (client) => {
      const reporting = storm.run(client, 200, ending.signal);
      const failures = await askUntil(ending.signal, client, 4);
      await reporting;
      return failures;
    }),
  );
  for (const name of ["one", "two"] as const) {
    const before = storm.acknowledgedCount;
    await until(async () => storm.acknowledgedCount > before + 50);
    // Known to everything in front of it until it has ended, as in real life.
    expect(await group.get(name).terminate()).toBe(0);
    const { origin } = await run(name);
    await until(async () => (await fetch(`${origin}/readyz`)).status === 200);
  }
  ending.abort();
  expect(await load).toEqual([[]]);
  expect([storm.surprises, storm.unanswered]).toEqual([[], []]);
  for (const client of clients) client.close();
  for (const instance of group.running) await until(() => shows(instance, nodes, storm));
}, 60_000);

test("an instance is killed behind nginx: what changes nothing is asked of the other one", async () => {
  const { ports } = await startPair("0");
  const front = await startNginx(ports);
  fronts = [front];
  const client = new Client(() => front.origin);
  const ending = new AbortController();
  const failures = askUntil(ending.signal, client, 4);
  const answered = async () => {
    for (let more = 0; more < 50; more++) await client.request("POST", "/api/query", { body: {} });
  };
  await answered();
  await group.kill("two");
  await answered();
  ending.abort();
  expect(await failures).toEqual([]);
  client.close();
});

test("a service that drains says so, closes connections, and goes on answering", async () => {
  const settings = { DRAIN_SECONDS: "1" };
  group = await InstanceGroup.start(await newPostgresDatabase(), ["one"], settings);
  const instance = group.get("one");
  const open = await instance.request("GET", "/readyz");
  expect([open.status, open.headers["connection"]]).toEqual([200, "keep-alive"]);
  // The first signal begins to drain; `terminate` sends the only one and waits.
  process.kill(instance.pid, "SIGTERM");
  await until(async () => (await instance.request("GET", "/readyz")).status === 503);
  const query = await instance.request("POST", "/api/query", { body: {} });
  expect([query.status, query.headers["connection"]]).toEqual([200, "close"]);
  expect(await instance.ended()).toBe(0);
});

test("PostgreSQL crashes under two instances and comes back: both go on, nothing is lost", async () => {
  const server = await PostgresServer.create({ fsync: true });
  try {
    group = await InstanceGroup.start(server.url(), ["one", "two"]);
    const nodes = await createReporters(group.get("one"), 5);
    const storm = new ReportStorm(EMAIL, nodes);
    const ending = new AbortController();
    const load = Promise.all(
      group.running.map((instance) => storm.run(instance, 100, ending.signal)),
    );
    const more = async () => {
      const before = storm.acknowledgedCount;
      await until(async () => storm.acknowledgedCount > before + 100);
    };
    await more();
    await server.stop("SIGQUIT");
    const unanswered = storm.unanswered.length;
    await until(async () => storm.unanswered.length > unanswered + 20);
    for (const instance of group.running) {
      expect((await instance.request("GET", "/readyz")).status).toBe(503);
      expect((await instance.request("POST", "/api/query", { body: {} })).status).toBe(200);
    }
    await server.start();
    await more();
    ending.abort();
    await load;
    for (const instance of group.running) await storm.settle(instance);
    expect([storm.surprises, storm.unanswered]).toEqual([[], []]);
    for (const instance of group.running) await until(() => shows(instance, nodes, storm));
    for (const name of ["one", "two"]) expect(await group.terminate(name)).toBe(0);
    const fresh = await group.run("one");
    expect(await shows(fresh, nodes, storm)).toBe(true);
  } finally {
    await group.clear();
    await server.destroy();
  }
});
