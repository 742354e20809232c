import { describe, expect, test } from "vitest";
import type { ServerAddress } from "../../src/probe/server-address.ts";
import { Checker } from "../../src/server/checks/checker.ts";
import type { Finding } from "../../src/server/checks/finding.ts";
import { CheckRecords } from "../../src/server/checks/records.ts";
import { createLogger } from "../../src/server/lib/logger.ts";
import { Fleet } from "../../src/server/nodes/fleet.ts";
import type { NodeRecord } from "../../src/server/nodes/node.ts";
import { anyNode } from "../../src/server/query/filter.ts";
import { QueryService } from "../../src/server/query/service.ts";
import { nodeRecord, reportAt } from "../support/fleet-nodes.ts";
import { ManualClock } from "../support/manual-clock.ts";

const up: Finding = { isOnline: true, latencyMs: 1, handshake: "refused" };
const down: Finding = { isOnline: false, error: "Connection refused" };
const INTERVAL_MS = 60_000;

/** A checker whose connections answer what the test says; nodes are named by their ids. */
class Bench {
  readonly clock = new ManualClock();
  readonly fleet = new Fleet();
  readonly query = new QueryService(this.fleet, this.clock);
  readonly records = new CheckRecords();
  /** Ports that were asked for, in order; a node listens on the port of its id. */
  readonly asked: number[] = [];
  answer: (port: number) => Finding | undefined | Promise<Finding | undefined> = () => up;
  atOnce = 0;
  mostAtOnce = 0;
  readonly checker = new Checker({
    fleet: this.fleet,
    clock: this.clock,
    records: this.records,
    intervalMs: INTERVAL_MS,
    logger: createLogger("silent"),
    probe: { check: (server) => this.#check(server) },
  });

  add(id: number, fields: Partial<NodeRecord> = {}): void {
    const connections = [{ type: "TCP", ip: "192.0.2.1", port: id }];
    this.fleet.put(nodeRecord(id, { connections, ...fields }), this.clock.now());
    this.report(id);
  }

  report(id: number, status = "online"): void {
    const slot = this.fleet.slotOf(id);
    if (slot === undefined) throw new Error(`no node ${id}`);
    this.fleet.applyReport(slot, reportAt(this.clock.now(), { status }));
  }

  /** @returns whom each second asked for */
  async pass(ms = INTERVAL_MS): Promise<number[][]> {
    const seconds: number[][] = [];
    for (let at = 0; at < ms; at += 1_000) {
      this.clock.advance(1_000);
      const before = this.asked.length;
      this.checker.tick();
      await this.checker.idle();
      seconds.push(this.asked.slice(before));
    }
    return seconds;
  }

  selectable(): number[] {
    const slots = this.query.pick(anyNode, 20, this.clock.now());
    return slots.map((slot) => this.fleet.columns.id[slot] as number).sort((a, b) => a - b);
  }

  async #check({ port }: ServerAddress): Promise<Finding | undefined> {
    this.asked.push(port);
    this.atOnce++;
    this.mostAtOnce = Math.max(this.mostAtOnce, this.atOnce);
    try {
      return await this.answer(port);
    } finally {
      this.atOnce--;
    }
  }
}

const wellKnown = (count: number) => Array.from({ length: count }, (_, index) => index + 1);

describe("in an interval", () => {
  test.for([0, 1, 10_000])("each of %i nodes is checked once, spread evenly", async (count) => {
    const bench = new Bench();
    for (const id of wellKnown(count)) bench.add(id);
    const seconds = await bench.pass();
    expect(bench.asked.toSorted((a, b) => a - b)).toEqual(wellKnown(count));
    const most = Math.max(...seconds.map((each) => each.length));
    expect(most).toBeLessThanOrEqual(Math.ceil(count / 60) + 2);
  });

  test("nodes that come and go take nobody's turn", async () => {
    const bench = new Bench();
    for (const id of wellKnown(1_000)) bench.add(id);
    await bench.pass(20_000);
    for (const id of wellKnown(500)) bench.fleet.remove(id);
    for (let id = 1_001; id <= 1_500; id++) bench.add(id);
    await bench.pass(40_000);
    const asked = new Map<number, number>();
    for (const id of bench.asked) asked.set(id, (asked.get(id) ?? 0) + 1);
    expect(Math.max(...asked.values())).toBe(1);
    for (let id = 501; id <= 1_000; id++) expect(asked.get(id)).toBe(1);
    bench.asked.length = 0;
    await bench.pass();
    expect(bench.asked.toSorted((a, b) => a - b)).toEqual(wellKnown(1_500).slice(500));
  });

  test("only nodes that are switched on, valid and have something to check are checked", async () => {
    const bench = new Bench();
    bench.add(1, { enabled: false });
    bench.add(2, { validUntil: "2026-03-09" });
    bench.add(3, { connections: [{ type: "UDP", ip: "192.0.2.1", port: 3 }] });
    bench.add(4, { validUntil: "2026-03-10" });
    bench.fleet.put(
      nodeRecord(5, { connections: [{ type: "WSS", ip: "192.0.2.1", port: 5 }] }),
      bench.clock.now(),
    );
    await bench.pass();
    expect(bench.asked.toSorted((a, b) => a - b)).toEqual([4, 5]);
  });
});

describe("at once", () => {
  test("sixteen nodes are checked; the others wait in the order of their turns", async () => {
    const bench = new Bench();
    for (const id of wellKnown(100)) bench.add(id);
    const gate = Promise.withResolvers<Finding>();
    bench.answer = () => gate.promise;
    for (let second = 0; second < 60; second++) {
      bench.clock.advance(1_000);
      bench.checker.tick();
    }
    expect(bench.atOnce).toBe(16);
    expect(bench.checker.waiting).toBe(84);
    // Their next turn comes before this one is over: they wait once, not twice.
    for (let second = 0; second < 120; second++) {
      bench.clock.advance(1_000);
      bench.checker.tick();
    }
    expect(bench.checker.waiting).toBe(100);
    gate.resolve(up);
    await bench.checker.idle();
    expect(bench.mostAtOnce).toBe(16);
    expect(bench.checker.waiting).toBe(0);
    expect(new Set(bench.asked.slice(0, 100)).size).toBe(100);
  });

  test("a node is checked no second time, however long its check takes", async () => {
    const bench = new Bench();
    bench.add(1);
    const gate = Promise.withResolvers<Finding>();
    bench.answer = () => gate.promise;
    for (let second = 0; second < 180; second++) {
      bench.clock.advance(1_000);
      bench.checker.tick();
    }
    expect(bench.asked).toEqual([1]);
    gate.resolve(up);
    await bench.checker.idle();
    expect(bench.asked).toEqual([1, 1]);
  });

  test("a node for which there is no place is checked a little later", async () => {
    const bench = new Bench();
    bench.add(1);
    bench.answer = () => undefined;
    await bench.pass();
    expect(bench.checker.waiting).toBe(1);
    expect(bench.records.size).toBe(0);
    bench.answer = () => up;
    await bench.pass(1_000);
    expect(bench.checker.waiting).toBe(0);
    expect(bench.records.size).toBe(1);
  });
});

describe("the query", () => {
  test("leaves a node out after three failed checks, and sees at once that it is back", async () => {
    const bench = new Bench();
    for (const id of wellKnown(4)) bench.add(id);
    const version = bench.fleet.version;
    bench.answer = (port) => (port === 2 ? down : up);
    for (const expected of [
      [1, 2, 3, 4],
      [1, 2, 3, 4],
      [1, 3, 4],
    ]) {
      await bench.pass();
      expect(bench.selectable()).toEqual(expected);
    }
    // Nothing that a public list shows has changed.
    expect(bench.fleet.version).toBe(version);
    bench.report(2);
    expect(bench.selectable()).toEqual([1, 3, 4]);
    bench.answer = () => up;
    await bench.pass();
    expect(bench.selectable()).toEqual([1, 2, 3, 4]);
  });

  test("follows at the same moment, without weighing all nodes again", async () => {
    const bench = new Bench();
    for (const id of wellKnown(4)) bench.add(id);
    bench.answer = (port) => (port === 2 ? down : up);
    await bench.pass(2 * INTERVAL_MS);
    let changes = 0;
    for (let second = 0; second < 120; second++) {
      if (second === 60) bench.answer = () => up;
      bench.clock.advance(1_000);
      const before = bench.selectable();
      bench.checker.tick();
      await bench.checker.idle();
      const after = bench.selectable();
      expect(after.includes(2)).toBe(bench.checker.isHealthy(2));
      if (before.length !== after.length) changes++;
    }
    expect(changes).toBe(2);
  });

  test("is not told anything by checks of a node that does not report", async () => {
    const bench = new Bench();
    for (const id of wellKnown(4)) bench.add(id);
    bench.report(2, "draining");
    bench.answer = (port) => (port === 2 ? down : up);
    await bench.pass(4 * INTERVAL_MS);
    bench.report(2);
    expect(bench.selectable()).toEqual([1, 2, 3, 4]);
    await bench.pass(3 * INTERVAL_MS);
    expect(bench.selectable()).toEqual([1, 3, 4]);
    // It was away, and begins again.
    bench.report(2, "draining");
    bench.checker.sweep();
    bench.report(2);
    expect(bench.selectable()).toEqual([1, 2, 3, 4]);
    expect(bench.checker.unhealthy).toBe(0);
  });

  test("keeps a node whose connections cannot be checked any more", async () => {
    const bench = new Bench();
    for (const id of wellKnown(4)) bench.add(id);
    bench.answer = (port) => (port === 2 ? down : up);
    await bench.pass(3 * INTERVAL_MS);
    expect(bench.selectable()).toEqual([1, 3, 4]);
    bench.answer = (port) => (port === 2 ? { isOnline: null, error: "refused by policy" } : up);
    await bench.pass();
    expect(bench.selectable()).toEqual([1, 2, 3, 4]);
  });

  test("gives the slot of a node that was left out to a new one without its mark", async () => {
    const bench = new Bench();
    for (const id of wellKnown(4)) bench.add(id);
    bench.answer = (port) => (port === 2 ? down : up);
    await bench.pass(3 * INTERVAL_MS);
    bench.fleet.remove(2);
    bench.add(5);
    expect(bench.selectable()).toEqual([1, 3, 4, 5]);
    bench.checker.sweep();
    expect(bench.checker.unhealthy).toBe(0);
    expect(bench.selectable()).toEqual([1, 3, 4, 5]);
  });
});

describe("what is found of a node", () => {
  test("that moved meanwhile is not kept, and does not count", async () => {
    const bench = new Bench();
    bench.add(1);
    const gate = Promise.withResolvers<Finding>();
    bench.answer = () => gate.promise;
    for (let second = 0; second < 60; second++) {
      bench.clock.advance(1_000);
      bench.checker.tick();
    }
    bench.fleet.put(nodeRecord(1), bench.clock.now());
    gate.resolve(down);
    await bench.checker.idle();
    expect(bench.records.size).toBe(0);
    expect(bench.checker.counts).toEqual({ reached: 0, failed: 0, not_checked: 0 });
  });

  test("is one verdict per connection, and one of them is enough", async () => {
    const bench = new Bench();
    const connections = [7, 8].map((port) => ({ type: "TCP", ip: "192.0.2.1", port }));
    bench.add(1, { connections });
    bench.answer = (port) => (port === 7 ? down : up);
    await bench.pass(4 * INTERVAL_MS);
    expect(bench.checker.counts).toEqual({ reached: 4, failed: 4, not_checked: 0 });
    expect(bench.checker.isHealthy(1)).toBe(true);
  });
});

test("a check that breaks is one check less, and nothing else", async () => {
  const bench = new Bench();
  for (const id of wellKnown(3)) bench.add(id);
  bench.answer = (port) => {
    if (port === 2) throw new Error("a defect");
    return up;
  };
  await bench.pass(2 * INTERVAL_MS);
  expect(bench.asked.toSorted((a, b) => a - b)).toEqual([1, 1, 2, 2, 3, 3]);
  expect(bench.checker.counts.reached).toBe(4);
  expect(bench.selectable()).toEqual([1, 2, 3]);
});

test("after the stop nothing is checked any more", async () => {
  const bench = new Bench();
  for (const id of wellKnown(100)) bench.add(id);
  const gate = Promise.withResolvers<Finding>();
  bench.answer = () => gate.promise;
  for (let second = 0; second < 60; second++) {
    bench.clock.advance(1_000);
    bench.checker.tick();
  }
  const stopped = bench.checker.stop();
  gate.resolve(up);
  await stopped;
  expect(bench.asked).toHaveLength(16);
  bench.clock.advance(1_000);
  bench.checker.tick();
  expect(bench.atOnce).toBe(0);
});
