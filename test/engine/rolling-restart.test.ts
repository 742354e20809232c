import { setTimeout as sleep } from "node:timers/promises";
import { afterEach, expect, test } from "vitest";
import { createReporters, EMAIL, shownTraffic } from "../durability/fleet-of-reporters.ts";
import { ReportStorm } from "../durability/report-storm.ts";
import { freePort } from "../support/free-port.ts";
import { InstanceGroup, until } from "../support/instance-group.ts";
import { newPostgresDatabase } from "../support/postgres.ts";
import { ReadyBalancer } from "../support/ready-balancer.ts";
import { startCaddy, startNginx, type ReverseProxy } from "../support/reverse-proxy.ts";
import { Witness } from "../support/witness.ts";

/** The rule of docs/operations.md, at its least. */
const RULE = { drainSeconds: 2, readyForMs: 2_000, idleMs: 500 };

let group: InstanceGroup;
let fronts: ReverseProxy[] = [];
afterEach(async () => {
  for (const front of fronts) await front.stop();
  await group.clear();
});

async function startFronts(ports: readonly number[]): Promise<ReverseProxy[]> {
  const proxies = await Promise.all([startNginx(ports), startCaddy(ports)]);
  const balancer = await ReadyBalancer.start(() => group.running.map((each) => each.origin));
  const { origin } = balancer;
  return [...proxies, { origin, stop: () => balancer.close(), complaints: () => [] }];
}

/** Asks for nodes, some forty times a second. */
async function ask(client: Witness, signal: AbortSignal): Promise<void> {
  while (!signal.aborted) {
    // A failure is in the client's notes.
    await client.request("POST", "/api/query", { body: {} }).catch(() => {});
    await sleep(20);
  }
}

/** Waits until it has said for `ms` without a break that it is ready. */
async function readyFor(origin: string, ms: number): Promise<void> {
  let since = performance.now();
  while (performance.now() - since < ms) {
    const { status } = await fetch(`${origin}/readyz`);
    if (status !== 200) since = performance.now();
    await sleep(50);
  }
}

// Waits for two drains and the pause between them, for three fronts at once.
test("by the rule, instances are restarted behind nginx, Caddy and a TCP balancer, and no request fails", async () => {
  const settings = { DRAIN_SECONDS: String(RULE.drainSeconds) };
  group = await InstanceGroup.start(await newPostgresDatabase(), [], settings);
  const ports = { one: await freePort(), two: await freePort() };
  const run = (name: keyof typeof ports) => group.run(name, { PORT: String(ports[name]) });
  await Promise.all([run("one"), run("two")]);
  fronts = await startFronts(Object.values(ports));
  const clients = fronts.map(({ origin }) => new Witness(() => origin, RULE.idleMs));
  const nodes = await createReporters(group.get("one"), 5);
  const storm = new ReportStorm(EMAIL, nodes);
  const ending = new AbortController();
  const load = clients.flatMap((client) => [
    storm.run(client, 30, ending.signal),
    ask(client, ending.signal),
  ]);
  const everybodyAnswered = async () => {
    const before = clients.map(({ count }) => count);
    await until(async () => clients.every(({ count }, at) => count > (before[at] ?? 0) + 50));
  };
  await everybodyAnswered();
  for (const name of ["one", "two"] as const) {
    // Known to everything in front of it until it has ended, as in real life.
    expect(await group.get(name).terminate()).toBe(0);
    await everybodyAnswered();
    await readyFor((await run(name)).origin, name === "one" ? RULE.readyForMs : 0);
  }
  await everybodyAnswered();
  ending.abort();
  await Promise.all(load);
  const failures = clients.map((client, at) => [
    ...client.failures,
    ...(client.failures.length > 0 ? (fronts[at]?.complaints() ?? []) : []),
  ]);
  expect(failures).toEqual([[], [], []]);
  for (const client of clients) client.close();
  for (const instance of group.running) {
    await until(async () => {
      const shown = await shownTraffic(instance);
      return nodes.every((node) => shown.get(node.name) === storm.expected(node));
    });
  }
}, 120_000);
