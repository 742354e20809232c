import { afterEach, beforeEach, expect, test } from "vitest";
import { createReporters, EMAIL, shownTraffic } from "../durability/fleet-of-reporters.ts";
import { ReportStorm, type StormNode } from "../durability/report-storm.ts";
import { Client } from "../support/client.ts";
import { InstanceGroup, until } from "../support/instance-group.ts";
import { PostgresServer } from "../support/postgres-server.ts";
import { newPostgresDatabase } from "../support/postgres.ts";
import { ReadyBalancer } from "../support/ready-balancer.ts";

let group: InstanceGroup;
let balancer: ReadyBalancer | undefined;

beforeEach(() => {
  balancer = undefined;
});
afterEach(async () => {
  await balancer?.close();
  await group.clear();
});

/** Asks for nodes again and again. @returns what was not answered with 200 */
async function askUntil(signal: AbortSignal, client: Client): Promise<string[]> {
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
  await Promise.all(Array.from({ length: 4 }, ask));
  return failures;
}

async function shows(client: Client, nodes: StormNode[], storm: ReportStorm): Promise<boolean> {
  const shown = await shownTraffic(client);
  return nodes.every((node) => shown.get(node.name) === storm.expected(node));
}

test("instances are restarted one after the other under load, and no request fails", async () => {
  const settings = { DRAIN_SECONDS: "1" };
  group = await InstanceGroup.start(await newPostgresDatabase(), ["one", "two"], settings);
  balancer = await ReadyBalancer.start(() => group.running.map((each) => each.origin));
  const { origin } = balancer;
  const client = new Client(() => origin);
  const nodes = await createReporters(client, 5);
  const storm = new ReportStorm(EMAIL, nodes);
  const ending = new AbortController();
  const load = Promise.all([
    storm.run(client, 200, ending.signal),
    askUntil(ending.signal, new Client(() => origin)),
  ]);
  for (const name of ["one", "two"]) {
    const before = storm.acknowledgedCount;
    await until(async () => storm.acknowledgedCount > before + 50);
    // Known to the balancer until it has ended, as in real life.
    expect(await group.get(name).terminate()).toBe(0);
    await group.run(name);
    const { origin: started } = group.get(name);
    await until(async () => (await fetch(`${started}/readyz`)).status === 200);
  }
  ending.abort();
  const [, failures] = await load;
  expect(failures).toEqual([]);
  expect([storm.surprises, storm.unanswered]).toEqual([[], []]);
  for (const instance of group.running) await until(() => shows(instance, nodes, storm));
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
