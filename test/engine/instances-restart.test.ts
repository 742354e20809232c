import { afterEach, expect, test } from "vitest";
import { createReporters, EMAIL, shownTraffic } from "../durability/fleet-of-reporters.ts";
import { ReportStorm, type StormNode } from "../durability/report-storm.ts";
import { Client } from "../support/client.ts";
import { InstanceGroup, until } from "../support/instance-group.ts";
import { PostgresServer } from "../support/postgres-server.ts";
import { newPostgresDatabase } from "../support/postgres.ts";
import { startNginx, type ReverseProxy } from "../support/reverse-proxy.ts";

let group: InstanceGroup;
let front: ReverseProxy | undefined;

afterEach(async () => {
  await front?.stop();
  front = undefined;
  await group.clear();
});

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

/** @returns the status, and the header `connection` */
async function askOnce(client: Client) {
  const { status, headers } = await client.request("POST", "/api/query", { body: {} });
  return [status, headers["connection"]];
}

async function shows(client: Client, nodes: StormNode[], storm: ReportStorm): Promise<boolean> {
  const shown = await shownTraffic(client);
  return nodes.every((node) => shown.get(node.name) === storm.expected(node));
}

test("an instance is killed behind nginx: what changes nothing is asked of the other one", async () => {
  group = await InstanceGroup.start(await newPostgresDatabase(), ["one", "two"]);
  front = await startNginx(group.running.map(({ origin }) => Number(new URL(origin).port)));
  const { origin } = front;
  const client = new Client(() => origin);
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

test("a service that drains says so and goes on answering; then nobody is let in, and kept connections end with an answer", async () => {
  const settings = { DRAIN_SECONDS: "1" };
  group = await InstanceGroup.start(await newPostgresDatabase(), ["one"], settings);
  const instance = group.get("one");
  const kept = new Client(() => instance.origin);
  expect(await askOnce(kept)).toEqual([200, "keep-alive"]);
  // The first signal begins to drain; `terminate` sends the only one and waits.
  process.kill(instance.pid, "SIGTERM");
  await until(async () => (await instance.request("GET", "/readyz")).status === 503);
  expect(await askOnce(instance)).toEqual([200, "keep-alive"]);
  const headers = { connection: "close" };
  await expect
    .poll(() =>
      new Client(() => instance.origin).request("GET", "/healthz", { headers }).catch(String),
    )
    .toContain("ECONNREFUSED");
  expect(await askOnce(kept)).toEqual([200, "close"]);
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
