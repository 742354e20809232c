import { afterEach, beforeEach, expect, test } from "vitest";
import { CheckedFleet } from "../support/checked-fleet.ts";
import { FaultProxy } from "../support/fault-proxy.ts";
import { newPostgresDatabase } from "../support/postgres.ts";
import { startTestService } from "../support/service.ts";

const STEPS_PER_INTERVAL = 6;

let proxy: FaultProxy;
let fleet: CheckedFleet;

beforeEach(async () => {
  proxy = await FaultProxy.start(await newPostgresDatabase());
  fleet = await CheckedFleet.start(startTestService, { DATABASE_URL: proxy.url });
});
afterEach(async () => {
  await fleet.service.stop();
  await proxy.stop();
});

/** An interval in which nothing is written. */
async function passWithoutWriting(): Promise<void> {
  for (let step = 0; step < STEPS_PER_INTERVAL; step++) {
    fleet.service.clock.advance(10_000);
    await fleet.service.service.background.runChecks();
  }
}

test("while PostgreSQL is away nodes are checked on, judged, and counted exactly afterwards", async () => {
  const [open] = await fleet.addListening(2);
  const closed = await fleet.add();
  if (!open) throw new Error("no node");
  await fleet.pass(2);
  expect(await fleet.selectable()).toEqual(["node-1", "node-2", "node-3"]);

  proxy.fallSilent();
  const writing = fleet.service.service.background.runWorkersOnce();
  await passWithoutWriting();
  expect(await fleet.selectable()).toEqual(["node-1", "node-2"]);
  // The database is late, and that is no failure of anything else.
  await expect(writing).rejects.toThrow(/timeout/i);
  await passWithoutWriting();

  proxy.speak();
  await fleet.service.service.background.runWorkersOnce();
  for (const [node, reachable] of [
    [open, 4],
    [closed, 0],
  ] as const) {
    const { checks } = await fleet.checksOf(node);
    expect(checks[0]?.last_24h).toMatchObject({ checks: 4, reachable });
  }
}, 60_000);

test("a database that hangs does not keep the checks from stopping", async () => {
  await fleet.addListening(1);
  await fleet.pass();
  await passWithoutWriting();
  proxy.fallSilent();
  const startedAt = performance.now();
  await fleet.service.service.background.stop();
  expect(performance.now() - startedAt).toBeLessThan(2_500);
  proxy.speak();
});

test("what was written although nobody was told so is not counted twice", async () => {
  const [node] = await fleet.addListening(1);
  if (!node) throw new Error("no node");
  await fleet.pass();
  await passWithoutWriting();
  const lost = proxy.loseAnswerTo("commit");
  await fleet.service.service.background.runWorkersOnce();
  await lost;
  await passWithoutWriting();
  await fleet.service.service.background.runWorkersOnce();
  expect((await fleet.checksOf(node)).checks[0]?.last_24h.checks).toBe(3);
});
