import { afterEach, expect, test } from "vitest";
import { DAY_MS, HOUR_MS } from "../../src/server/lib/clock.ts";
import type { NodeChecks } from "../../src/shared/api/node-checks.ts";
import { CheckedFleet, placeOf } from "../support/checked-fleet.ts";
import { OverlayPeer } from "../support/overlay-peer.ts";
import { describeOnBothDatabases, startTestService } from "../support/service.ts";

let fleet: CheckedFleet | undefined;
afterEach(async () => {
  await fleet?.service.stop();
  fleet = undefined;
});

describeOnBothDatabases("background checks", ({ start }) => {
  test("leave out a node that reports and is closed, until it opens; with real connections", async () => {
    const open = await OverlayPeer.listen();
    const closing = await OverlayPeer.listen();
    const { port } = closing;
    await closing.close();
    fleet = await CheckedFleet.start(start, {}, true);
    await fleet.add({ type: "TCP", ip: "127.0.0.1", port: open.port });
    const closed = await fleet.add({ type: "TCP", ip: "127.0.0.1", port });

    await fleet.pass(2);
    expect(await fleet.selectable()).toEqual(["node-1", "node-2"]);
    await fleet.pass();
    expect(await fleet.selectable()).toEqual(["node-1"]);
    expect(await fleet.checksOf(closed)).toMatchObject({
      healthy: false,
      checks: [{ is_online: false, latency_ms: -1, error: "Connection refused" }],
    });
    expect(await fleet.metric("waypost_nodes_unhealthy")).toBe(1);
    await fleet.pass(5);
    expect(await fleet.selectable()).toEqual(["node-1"]);

    // Its status is what it reports, and so is the rest of the record.
    const { body } = await fleet.service.request("GET", `/api/nodes/${closed.id}`, {
      token: fleet.owner,
    });
    expect(body.node).toMatchObject({ status: "online", connection_count: 7 });
    expect((await fleet.service.request("GET", "/api/public")).body.nodes).toHaveLength(2);

    const opened = await OverlayPeer.listen({ port });
    await fleet.pass();
    expect(await fleet.selectable()).toEqual(["node-1", "node-2"]);
    const checks = await fleet.checksOf(closed);
    expect(checks).toMatchObject({
      healthy: true,
      checks: [{ is_online: true, last_24h: { checks: 9, reachable: 1, overlay_answers: 1 } }],
    });
    // The secret is not known and not guessed.
    expect(checks.checks[0]?.handshake).toBe("refused");
    expect(opened.connectionCount).toBe(1);
    expect(open.connectionCount).toBe(9);
    await open.allClosed();
    await Promise.all([open.close(), opened.close()]);
  });

  test("of one interval come to each node once, over every one of its connections", async () => {
    fleet = await CheckedFleet.start(start);
    const { ip } = placeOf(1);
    await fleet.add(
      { type: "TCP", ip, port: 1 },
      { type: "UDP", ip, port: 2 },
      { type: "WS", ip, port: 3 },
      { type: "WSS", ip: "2001:db8::1", port: 4 },
      { type: "TCP", ip, port: 1 },
    );
    await fleet.add({ type: "QUIC", ip, port: 5 });
    await fleet.add();
    await fleet.pass();
    expect(fleet.network.dialled.toSorted()).toEqual([
      "2001:db8::1:4",
      "203.0.113.1:1",
      "203.0.113.1:3",
      "203.0.113.3:11010",
    ]);
  });

  test("add up: each verdict counts once, the latest is shown", async () => {
    fleet = await CheckedFleet.start(start);
    const [node] = await fleet.addListening(1);
    if (!node) throw new Error("no node");
    await fleet.pass(3);
    fleet.network.hangUp("203.0.113.1:11010");
    await fleet.pass();
    const { checks } = await fleet.checksOf(node);
    expect(checks).toEqual([
      {
        ...placeOf(1),
        is_online: false,
        latency_ms: -1,
        error: "Connection refused",
        check_time: expect.stringMatching(/^2026-03-10T12:0[34]:/) as unknown,
        last_24h: {
          checks: 4,
          reachable: 3,
          uptime_percent: 75,
          mean_latency_ms: expect.any(Number) as unknown,
          overlay_answers: 0,
        },
      },
    ]);
    expect(await fleet.metric('waypost_background_checks_total{outcome="reached"}')).toBe(3);
    expect(await fleet.metric('waypost_background_checks_total{outcome="failed"}')).toBe(1);
  });

  test("leave nobody out when the fault is here", async () => {
    fleet = await CheckedFleet.start(start);
    await fleet.addListening(5);
    const closed = await fleet.add();
    await fleet.pass(3);
    const without = await fleet.selectable();
    expect(without).toHaveLength(5);
    fleet.network.cut(true);
    await fleet.pass(5);
    // What was known before stands.
    expect(await fleet.selectable()).toEqual(without);
    expect(await fleet.metric("waypost_background_checks_suspended")).toBe(1);
    expect((await fleet.checksOf(closed)).checks).toMatchObject([
      { error: "No route to the network" },
    ]);
    fleet.network.cut(false);
    await fleet.pass();
    expect(await fleet.metric("waypost_background_checks_suspended")).toBe(0);
    expect(await fleet.selectable()).toEqual(without);
  });

  test("say nothing about what the policy refuses, and why", async () => {
    fleet = await CheckedFleet.start(start, {
      CHECK_POLICY: "auto",
      CHECK_ALLOW: "192.168.7.0/24",
    });
    const node = await fleet.add(
      { type: "TCP", ip: "10.0.0.1", port: 1 },
      { type: "WG", ip: "8.8.8.8", port: 2 },
    );
    const allowed = await fleet.add({ type: "TCP", ip: "192.168.7.7", port: 1 });
    const before = await fleet.checksOf(node);
    expect(before.not_checked[0]?.reason).toBe("Its first check is still to come");
    await fleet.pass(4);
    expect(fleet.network.dialled).toEqual(Array.from({ length: 4 }, () => "192.168.7.7:1"));
    const checks = await fleet.checksOf(node);
    expect(checks).toMatchObject({ healthy: true, checks: [] });
    expect(checks.not_checked.map((each) => each.reason)).toEqual([
      "Private addresses are not checked",
      "Only TCP, WS and WSS connections are checked",
    ]);
    expect((await fleet.checksOf(allowed)).healthy).toBe(false);
    expect(await fleet.selectable()).toEqual(["node-1"]);
  });

  test("come to one address 64 times in an interval at most, however many nodes name it", async () => {
    fleet = await CheckedFleet.start(start);
    for (let first = 16; first <= 96; first += 16) {
      await fleet.add(
        ...Array.from({ length: 16 }, (_, index) => ({ ...placeOf(9), port: first + index })),
      );
    }
    // All steps lie within one minute of the clock.
    fleet.service.clock.advance(55_000);
    await fleet.pass();
    expect(fleet.network.dialled).toHaveLength(64);
    const all: NodeChecks[] = [];
    for (const node of fleet.nodes) all.push(await fleet.checksOf(node));
    expect(all.flatMap((each) => each.checks)).toHaveLength(64);
    const reasons = all.flatMap((each) => each.not_checked).map((each) => each.reason);
    expect(reasons).toEqual(
      Array.from({ length: 32 }, () => "Too many connections lead to this address"),
    );
  });

  test("are kept over a restart; what a node was left out for is not", async () => {
    fleet = await CheckedFleet.start(start);
    await fleet.addListening(1);
    const closed = await fleet.add();
    await fleet.pass(3);
    const before = await fleet.checksOf(closed);
    expect(before.healthy).toBe(false);
    await fleet.service.restart();
    expect(await fleet.checksOf(closed)).toEqual({ ...before, healthy: true });
    expect(await fleet.selectable()).toEqual(["node-1", "node-2"]);
    await fleet.pass(3);
    expect(await fleet.selectable()).toEqual(["node-1"]);
    expect((await fleet.checksOf(closed)).checks[0]?.last_24h.checks).toBe(6);
  });

  test("are written at the end, too", async () => {
    fleet = await CheckedFleet.start(start);
    const [node] = await fleet.addListening(1);
    if (!node) throw new Error("no node");
    await fleet.report(node);
    // Without the worker that writes.
    for (let step = 0; step < 6; step++) {
      fleet.service.clock.advance(10_000);
      await fleet.service.service.background.runChecks();
    }
    await fleet.service.restart();
    expect((await fleet.checksOf(node)).checks[0]?.last_24h.checks).toBe(1);
  });

  test("go with their node, also when it is deleted while it is checked", async () => {
    fleet = await CheckedFleet.start(start);
    const [first, second] = await fleet.addListening(2);
    if (!first || !second) throw new Error("no nodes");
    await fleet.pass();
    expect((await fleet.checksOf(first)).checks).toHaveLength(1);
    await fleet.remove(first);

    const release = fleet.network.hold();
    const passing = fleet.pass();
    await fleet.network.untilDialled(3);
    await fleet.remove(second);
    release();
    await passing;
    expect(await fleet.stored()).toEqual([]);
  });

  test("of connections that are no longer the node's go, and it starts again", async () => {
    fleet = await CheckedFleet.start(start);
    await fleet.addListening(1);
    const node = await fleet.add(placeOf(2), { ...placeOf(2), port: 2 });
    await fleet.pass(3);
    expect((await fleet.checksOf(node)).healthy).toBe(false);
    expect(await fleet.selectable()).toEqual(["node-1"]);
    await fleet.move(node, { ...placeOf(2), port: 2 }, placeOf(3));
    await fleet.service.service.background.runWorkersOnce();
    expect(await fleet.selectable()).toEqual(["node-1", "node-2"]);
    await fleet.pass();
    expect((await fleet.stored()).map((each) => [each.connection, each.checks])).toEqual([
      ["tcp://203.0.113.1:11010", 4],
      ["tcp://203.0.113.2:2", 4],
      ["tcp://203.0.113.3:11010", 1],
    ]);
  });

  test("are forgotten after a day", async () => {
    fleet = await CheckedFleet.start(start);
    const [node] = await fleet.addListening(1);
    if (!node) throw new Error("no node");
    await fleet.pass(2);
    fleet.service.clock.advance(DAY_MS - HOUR_MS);
    await fleet.logIn();
    await fleet.pass();
    expect((await fleet.checksOf(node)).checks[0]?.last_24h.checks).toBe(3);
    fleet.service.clock.advance(2 * HOUR_MS);
    await fleet.logIn();
    expect((await fleet.checksOf(node)).checks[0]?.last_24h.checks).toBe(1);
    await fleet.service.service.background.runWorkersOnce();
    expect((await fleet.stored()).map((each) => each.checks)).toEqual([1]);
  });

  test("that hang do not keep the service from stopping", async () => {
    fleet = await CheckedFleet.start(start);
    await fleet.addListening(2);
    const { clock, service } = fleet.service;
    const dialled = fleet.network.untilDialled(1);
    fleet.network.hold();
    const running: Promise<void>[] = [];
    for (let step = 0; step < 6; step++) {
      clock.advance(10_000);
      running.push(service.background.runChecks());
    }
    await dialled;
    const startedAt = performance.now();
    await service.stop();
    expect(performance.now() - startedAt).toBeLessThan(3_000);
    await Promise.all(running);
  });
});

test("background checks run by themselves, and what they find is stored by itself", async () => {
  fleet = await CheckedFleet.start(startTestService);
  const [node] = await fleet.addListening(1);
  if (!node) throw new Error("no node");
  // The turn of the first id lies 37.08 s into each minute.
  expect(node.id).toBe(1);
  const dialled = fleet.network.untilDialled(1);
  fleet.service.clock.advance(38_000);
  await dialled;
  const checksOf = async () => (await fleet?.checksOf(node))?.checks.length;
  await expect.poll(checksOf, { timeout: 10_000 }).toBe(1);
});
