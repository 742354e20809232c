import { describe, expect, test } from "vitest";
import { DAY_MS, HOUR_MS, MINUTE_MS } from "../../src/server/lib/clock.ts";
import { anyNode, type QueryFilter } from "../../src/server/query/filter.ts";
import { FLEET_EPOCH, nodeRecord } from "../support/fleet-nodes.ts";
import { QueryBench } from "../support/query-bench.ts";

/** Asks in the words of this suite. */
class Bench extends QueryBench {
  /** Ids in the order drawn. */
  ask(filter: Partial<QueryFilter> = {}, limit = 3, exclude: number[] = []): number[] {
    return this.service
      .pick({ ...anyNode, ...filter }, limit, this.clock.now(), exclude)
      .map((slot) => this.fleet.columns.id[slot] as number);
  }

  /** Ids of an answer that has room for all. */
  all(filter: Partial<QueryFilter> = {}, exclude: number[] = []): number[] {
    return this.ask(filter, 20, exclude).sort((a, b) => a - b);
  }

  /** How often each node came when one is asked for. */
  firsts(times: number, filter: Partial<QueryFilter> = {}): Map<number, number> {
    const counts = new Map<number, number>();
    for (let time = 0; time < times; time++) {
      const first = this.ask(filter, 1)[0] ?? 0;
      counts.set(first, (counts.get(first) ?? 0) + 1);
    }
    return counts;
  }
}

describe("which nodes are answered", () => {
  test("only those that last reported online, are enabled, not expired and have quota left", () => {
    const bench = new Bench();
    bench.add(1);
    bench.fleet.put(nodeRecord(2), FLEET_EPOCH);
    bench.add(3, {}, { status: "maintenance" });
    bench.add(4, { enabled: false });
    bench.add(5, { validUntil: "2026-01-14" });
    bench.add(6, { validUntil: "2026-01-15" });
    bench.add(7, { maxTraffic: 5 }, { usedHigh: 5 });
    bench.add(8, { maxTraffic: 5 }, { usedHigh: 4.9 });
    expect(bench.all()).toEqual([1, 6, 8]);
  });

  test("by region, relay, transport and tag", () => {
    const bench = new Bench();
    const ws = [{ type: "WS", ip: "192.0.2.2", port: 1 }];
    bench.add(1, { tags: "Fast, cheap" });
    bench.add(2, { regionType: "overseas", allowRelay: true, tags: "fast" });
    bench.add(3, { allowRelay: true, connections: ws, tags: "slow,," });
    expect(bench.all({ region: "domestic" })).toEqual([1, 3]);
    expect(bench.all({ region: "overseas" })).toEqual([2]);
    expect(bench.all({ relayOnly: true })).toEqual([2, 3]);
    expect(bench.all({ transport: "WS" })).toEqual([3]);
    expect(bench.all({ transport: "QUIC" })).toEqual([]);
    expect(bench.all({ tagKey: "fast" })).toEqual([1, 2]);
    expect(bench.all({ tagKey: "fast", relayOnly: true })).toEqual([2]);
    expect(bench.all({ tagKey: "unknown" })).toEqual([]);
  });

  test("tags follow the records they stand in", () => {
    const bench = new Bench();
    bench.add(1, { tags: "a" });
    bench.add(2, { tags: "a" });
    expect(bench.all({ tagKey: "a" })).toEqual([1, 2]);
    bench.fleet.put(nodeRecord(1, { tags: "b" }), FLEET_EPOCH);
    expect(bench.all({ tagKey: "a" })).toEqual([2]);
    expect(bench.all({ tagKey: "b" })).toEqual([1]);
    bench.fleet.remove(2);
    expect(bench.all({ tagKey: "a" })).toEqual([]);
    bench.add(3, { tags: "a" });
    expect(bench.all({ tagKey: "a" })).toEqual([3]);
  });

  test("every change is seen by the very next query", () => {
    const bench = new Bench();
    expect(bench.all()).toEqual([]);
    bench.add(1);
    expect(bench.all()).toEqual([1]);
    bench.add(2);
    expect(bench.all()).toEqual([1, 2]);
    bench.fleet.silence(bench.slot(1));
    expect(bench.all()).toEqual([2]);
    bench.report(1);
    expect(bench.all()).toEqual([1, 2]);
    bench.fleet.put(nodeRecord(2, { enabled: false }), bench.clock.now());
    expect(bench.all()).toEqual([1]);
    bench.fleet.put(nodeRecord(2), bench.clock.now());
    bench.fleet.remove(1);
    expect(bench.all()).toEqual([2]);
    for (let id = 3; id < 2000; id++) bench.add(id, { allowRelay: id === 1777 });
    expect(bench.all({ relayOnly: true })).toEqual([1777]);
  });

  test("more changes than are remembered are seen too", () => {
    const bench = new Bench();
    for (let id = 1; id <= 300; id++) bench.add(id, { allowRelay: true });
    expect(bench.ask({ relayOnly: true }, 20)).toHaveLength(20);
    for (let id = 3; id <= 300; id++) bench.report(id, { status: "busy" });
    for (let time = 0; time < 70_000; time++) bench.report(1);
    expect(bench.all({ relayOnly: true })).toEqual([1, 2]);
  });

  test("time alone ends a validity and a quota's exhaustion, to the millisecond", () => {
    const bench = new Bench();
    bench.add(1, { validUntil: "2026-01-16" });
    bench.add(2, { maxTraffic: 1, resetCycleDays: 2 }, { usedHigh: 1 });
    const end = Date.UTC(2026, 0, 17);
    bench.clock.advance(end - 1 - bench.clock.now());
    expect(bench.all()).toEqual([1]);
    bench.clock.advance(1);
    expect(bench.all()).toEqual([2]);
  });

  test("excluded nodes do not come, those around them do, and nothing is kept for a single caller", () => {
    const bench = new Bench();
    for (let id = 1; id <= 12; id++) bench.add(id);
    expect(bench.all({}, [1, 2, 3, 999])).toEqual([4, 5, 6, 7, 8, 9, 10, 11, 12]);
    expect(bench.all({}, [1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12])).toEqual([]);
    expect(bench.all()).toHaveLength(12);
  });

  test("as many as asked for, all different, also when one node outweighs all others", () => {
    const bench = new Bench();
    bench.add(1, { maxConnections: 10_000_000 });
    for (let id = 2; id <= 40; id++) bench.add(id, { maxConnections: 1 }, { connections: 1 });
    for (let limit = 1; limit <= 20; limit++) {
      const ids = bench.ask({}, limit);
      expect(new Set(ids).size).toBe(limit);
    }
    expect(bench.ask({}, 1)).toEqual([1]);
  });
});

describe("how load spreads", () => {
  test("with equal fresh loads the first draw is proportional to capacity", () => {
    const bench = new Bench();
    const capacities = [50, 60, 80, 100, 120, 150, 200, 240];
    const total = capacities.reduce((sum, each) => sum + each, 0);
    for (const [at, maxConnections] of capacities.entries()) bench.add(at + 1, { maxConnections });
    const counts = capacities.map(() => 0);
    const draws = 100_000;
    for (let draw = 0; draw < draws; draw++) {
      bench.clock.advance(1000);
      for (const [at, capacity] of capacities.entries()) {
        bench.report(at + 1, { connections: capacity / 2 });
      }
      const first = (bench.ask({ priority: "latency" })[0] ?? 0) - 1;
      counts[first] = (counts[first] ?? 0) + 1;
    }
    for (const [at, capacity] of capacities.entries()) {
      const expected = (draws * capacity) / total;
      expect(Math.abs((counts[at] ?? 0) / expected - 1), `node ${at + 1}`).toBeLessThan(0.05);
    }
  });

  test("a burst on one report does not all go to the emptiest node", () => {
    const bench = new Bench();
    for (let id = 1; id <= 10; id++) bench.add(id, {}, { connections: id === 1 ? 40 : 45 });
    const firsts = bench.firsts(200);
    expect(firsts.size).toBe(10);
    expect(Math.max(...firsts.values())).toBeLessThan(50);
  });

  test("nodes above 95 percent take nobody while another has room", () => {
    const bench = new Bench();
    bench.add(1, {}, { connections: 96 });
    bench.add(2, {}, { connections: 97 });
    bench.add(3, { maxConnections: 100_000 }, { connections: 94_000 });
    expect(bench.firsts(500, { priority: "latency" })).toEqual(new Map([[3, 500]]));
    bench.add(3, { maxConnections: 100_000 }, { connections: 99_000 });
    const firsts = bench.firsts(3000, { priority: "latency" });
    expect(firsts.size).toBe(3);
    expect(firsts.get(3)).toBeGreaterThan(2900);
  });

  test("each priority goes by its own resource, and none named by the tightest", () => {
    const bench = new Bench();
    const limits = { maxConnections: 1000, tierBandwidth: 1000, maxTraffic: 30_000 };
    const half = { connections: 500, bandwidth: 500, usedHigh: 500 };
    for (let id = 1; id <= 20; id++) bench.add(id, limits, half);
    bench.report(1, { ...half, connections: 940 });
    bench.report(2, { ...half, bandwidth: 940 });
    bench.report(3, { ...half, usedHigh: 940 });
    const avoided = (filter: Partial<QueryFilter>): number[] => {
      const firsts = bench.firsts(200, filter);
      return [1, 2, 3].filter((id) => !firsts.has(id));
    };
    expect(avoided({ priority: "latency" })).toEqual([1]);
    expect(avoided({ priority: "bandwidth" })).toEqual([2]);
    expect(avoided({ priority: "traffic" })).toEqual([3]);
    expect(avoided({ priority: null })).toEqual([1, 2, 3]);
  });

  test("an unlimited node counts with the fleet's median capacity", () => {
    const bench = new Bench();
    bench.add(1, { maxConnections: 0 });
    for (let id = 2; id <= 4; id++) bench.add(id, { maxConnections: 100 });
    bench.add(5, { maxConnections: 600 });
    const firsts = bench.firsts(1000, { priority: "latency" });
    expect(firsts.get(1)).toBeGreaterThan(70);
    expect(firsts.get(1)).toBeLessThan(130);
  });

  test("a fleet that states no limits at all is spread evenly", () => {
    for (const priority of ["latency", "bandwidth", "traffic", null] as const) {
      const bench = new Bench();
      for (let id = 1; id <= 5; id++) bench.add(id, { maxConnections: 0 });
      const firsts = bench.firsts(1000, { priority });
      for (let id = 1; id <= 5; id++) {
        expect(firsts.get(id), `${priority} ${id}`).toBeGreaterThan(150);
        expect(firsts.get(id), `${priority} ${id}`).toBeLessThan(250);
      }
    }
  });

  test("a node that always reports 0 is held to what it was sent", () => {
    const bench = new Bench();
    for (let id = 1; id <= 4; id++) bench.add(id, { maxConnections: 1000 });
    const given = new Map<number, number>();
    for (let minute = 0; minute < 30; minute++) {
      for (let ask = 0; ask < 60; ask++) {
        bench.clock.advance(1000);
        const first = bench.ask({ priority: "latency" })[0] ?? 0;
        given.set(first, (given.get(first) ?? 0) + 1);
      }
      for (let id = 2; id <= 4; id++) bench.report(id, { connections: given.get(id) ?? 0 });
      bench.report(1, { connections: 0 });
    }
    expect(given.get(1)).toBeGreaterThan(300);
    expect(given.get(1)).toBeLessThan(560);
  });

  test("after an outage that was seen, a node starts empty; what it says of itself is believed once an hour", () => {
    const bench = new Bench();
    for (let id = 1; id <= 3; id++) bench.add(id);
    bench.ask();
    const { columns } = bench.fleet;
    const slot = bench.slot(1);
    columns.own[slot] = 80;
    bench.fleet.silence(slot);
    expect(columns.own[slot]).toBe(0);

    const collapse = (): number => {
      columns.own[slot] = 80;
      bench.clock.advance(MINUTE_MS);
      bench.report(1, { connections: 80 });
      bench.clock.advance(MINUTE_MS);
      bench.report(1, { connections: 8 });
      return columns.own[slot] ?? Number.NaN;
    };
    bench.report(1);
    expect(collapse()).toBe(8);
    expect(collapse()).toBe(80);
    bench.clock.advance(HOUR_MS);
    expect(collapse()).toBe(8);
  });

  test("a rush beyond all expectation is still spread by capacity", () => {
    const bench = new Bench();
    for (let id = 1; id <= 10; id++) bench.add(id, { maxConnections: id * 100 });
    const firsts = bench.firsts(4000, { priority: "latency" });
    for (let id = 1; id <= 10; id++) {
      const share = (firsts.get(id) ?? 0) / ((4000 * id) / 55);
      expect(share, `node ${id}`).toBeGreaterThan(0.75);
      expect(share, `node ${id}`).toBeLessThan(1.25);
    }
  });

  test("weeks without a query or a report do no harm", () => {
    const bench = new Bench();
    for (let id = 1; id <= 3; id++) bench.add(id);
    bench.firsts(50);
    bench.clock.advance(400 * DAY_MS);
    expect(bench.all()).toEqual([1, 2, 3]);
    expect(bench.fleet.columns.pending.every(Number.isFinite)).toBe(true);
    for (let id = 1; id <= 3; id++) expect(bench.firsts(300).get(id)).toBeGreaterThan(50);
  });
});
