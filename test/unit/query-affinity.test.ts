import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { MINUTE_MS } from "../../src/server/lib/clock.ts";
import type { NodeRecord } from "../../src/server/nodes/node.ts";
import { nameKeyOf } from "../../src/server/query/rendezvous.ts";
import { NODES_PER_GROUP, Ring, type Standing } from "../../src/server/query/ring.ts";
import { nodeRecord } from "../support/fleet-nodes.ts";
import { QueryBench } from "../support/query-bench.ts";

const names = Array.from({ length: 2_000 }, (_, n) => `network-${n}`);
const open = (): Standing => "open";

function ringOf(weights: readonly number[], fleetSize = weights.length): Ring {
  const slots = Int32Array.from(weights.keys());
  return new Ring(
    slots,
    Array.from(slots, (slot) => slot + 1),
    weights,
    fleetSize,
  );
}

function owners(ring: Ring, standing: (slot: number) => Standing = open): (number | undefined)[] {
  return names.map((name) => ring.find(nameKeyOf(name), standing)?.slot);
}

describe("a ring", () => {
  test.each([
    ["of some nodes", 40, 40],
    ["of a huge fleet, in groups", 64, 8 * NODES_PER_GROUP],
  ])("%s: who goes leaves its own names to others, and no other name moves", (_, count, size) => {
    const weights = Array.from({ length: count }, (_each, n) => 1 + (n % 5));
    const ring = ringOf(weights, size);
    const before = owners(ring);
    const gone = before[0] as number;
    const after = owners(ring, (slot) => (slot === gone ? "out" : "open"));
    const moved = [...after.keys()].filter((n) => after[n] !== before[n]);
    expect(moved).toEqual([...before.keys()].filter((n) => before[n] === gone));
  });

  test("has the same names wherever its nodes lie in memory", () => {
    const ids = [7, 19, 23, 42, 99];
    const turned = ids.toReversed();
    const one = new Ring(Int32Array.of(0, 1, 2, 3, 4), ids, [1, 2, 3, 4, 5], 5);
    const other = new Ring(Int32Array.of(0, 1, 2, 3, 4), turned, [5, 4, 3, 2, 1], 5);
    expect(owners(other).map((slot) => turned[slot as number])).toEqual(
      owners(one).map((slot) => ids[slot as number]),
    );
  });

  test("shares out names by weight", () => {
    const weights = [1, 2, 4, 1];
    const counts = weights.map(() => 0);
    const ring = ringOf(weights);
    for (let n = 0; n < 20_000; n++) {
      const slot = ring.find(nameKeyOf(`x${n}`), open)?.slot as number;
      counts[slot] = (counts[slot] as number) + 1;
    }
    const shares = counts.map((count) => count / 20_000);
    for (const [slot, weight] of weights.entries()) {
      expect(shares[slot]).toBeCloseTo(weight / 8, 1.7);
    }
  });

  test("finds the nearest open node, the nearest full one when none is open, or nobody", () => {
    const standings = fc.array(
      fc.record({
        weight: fc.double({ min: 0.01, max: 100, noNaN: true }),
        standing: fc.constantFrom<Standing>("open", "full", "out"),
      }),
      { maxLength: 30 },
    );
    fc.assert(
      fc.property(standings, fc.string(), (nodes, name) => {
        const ring = ringOf(nodes.map((node) => node.weight));
        const standing = (slot: number): Standing => nodes[slot]?.standing ?? "out";
        const found = ring.find(nameKeyOf(name), standing);
        const best = nodes.some((node) => node.standing === "open") ? "open" : "full";
        if (!nodes.some((node) => node.standing === best)) return found === undefined;
        // Nobody of its kind is nearer: without the others, it is found as well.
        const only = ring.find(nameKeyOf(name), (slot) =>
          standing(slot) === best ? "open" : "out",
        );
        const isNearest = ring.find(nameKeyOf(name), (slot) =>
          standing(slot) === "out" ? "out" : "open",
        );
        expect(found?.slot).toBe(only?.slot);
        expect(found?.isSecond).toBe(best === "full" || isNearest?.slot !== found?.slot);
        return standing(found?.slot as number) === best;
      }),
    );
  });
});

/** Asks in the words of this suite. */
class Bench extends QueryBench {
  ask(name: string | undefined, wanted: Record<string, unknown> = {}): number | undefined {
    const found = this.service.pickOne(wanted, name);
    return found && this.fleet.columns.id[found.slot];
  }
}

function benchOf(nodes: number, fields: Partial<NodeRecord> = {}): Bench {
  const bench = new Bench();
  for (let id = 1; id <= nodes; id++) bench.add(id, { maxConnections: 1_000_000, ...fields });
  return bench;
}

describe("a network that names itself", () => {
  test("keeps its node while reports come, and however often it asks", () => {
    const bench = benchOf(20);
    const first = bench.ask("home");
    for (let round = 0; round < 20; round++) {
      bench.clock.advance(MINUTE_MS);
      for (let id = 1; id <= 20; id++) bench.report(id, { connections: id * 10 });
      expect(bench.ask("home")).toBe(first);
    }
  });

  test("leaves a node that falls silent, is switched off or full, and comes back to it", () => {
    const bench = benchOf(10, { maxConnections: 100 });
    const first = bench.ask("home") as number;
    bench.fleet.silence(bench.slot(first));
    const second = bench.ask("home");
    expect(second).not.toBe(first);
    bench.report(first);
    expect(bench.ask("home")).toBe(first);

    bench.report(first, { connections: 96 });
    expect(bench.ask("home")).toBe(second);
    bench.report(first, { connections: 10 });
    expect(bench.ask("home")).toBe(first);

    const record = bench.fleet.record(bench.slot(first));
    bench.fleet.put({ ...record, enabled: false }, bench.clock.now());
    expect(bench.ask("home")).toBe(second);
  });

  test("gets a full node when all are full, and none when there is none", () => {
    const bench = benchOf(3, { maxConnections: 100 });
    for (const id of [1, 2, 3]) bench.report(id, { connections: 100 });
    expect(bench.ask("home")).toBeDefined();
    for (const id of [1, 2, 3]) bench.fleet.silence(bench.slot(id));
    expect(bench.ask("home")).toBeUndefined();
    bench.report(2);
    expect(bench.ask("home")).toBe(2);
  });

  test("is told apart from a node's successor in the same place of memory", () => {
    const bench = benchOf(2);
    bench.fleet.remove(1);
    bench.add(9, { maxConnections: 1_000_000 });
    const fresh = new Bench();
    for (const id of [9, 2]) fresh.add(id, { maxConnections: 1_000_000 });
    for (const name of names.slice(0, 50)) bench.ask(name);
    bench.fleet.remove(9);
    bench.add(10, { maxConnections: 1_000_000 });
    fresh.fleet.remove(9);
    fresh.add(10, { maxConnections: 1_000_000 });
    const answers = names.slice(0, 50).map((name) => bench.ask(name));
    expect(answers).toEqual(names.slice(0, 50).map((name) => fresh.ask(name)));
  });

  test("gets what fits: region, tag, transport, relay, without those it excludes", () => {
    const bench = new Bench();
    bench.add(1, { tags: "fast" });
    bench.add(2, { regionType: "overseas", allowRelay: true });
    bench.add(3, { connections: [{ type: "WS", ip: "192.0.2.2", port: 80 }] });
    expect(bench.ask("home", { region: "overseas" })).toBe(2);
    expect(bench.ask("home", { relay_only: true })).toBe(2);
    expect(bench.ask("home", { tag: "Fast" })).toBe(1);
    expect(bench.ask("home", { tag: "none" })).toBeUndefined();
    expect(bench.ask("home", { transport: "ws" })).toBe(3);
    const first = bench.ask("home") as number;
    const next = bench.ask("home", { exclude: [first] });
    expect(next).not.toBe(first);
    expect(bench.ask("home")).toBe(first);
    bench.fleet.put(nodeRecord(3, { tags: "fast" }), bench.clock.now());
    bench.fleet.put(nodeRecord(1), bench.clock.now());
    expect(bench.ask("home", { tag: "fast" })).toBe(3);
  });

  test("many networks spread over the nodes by what these state", () => {
    const bench = new Bench();
    for (let id = 1; id <= 8; id++) bench.add(id, { maxConnections: id <= 4 ? 4_000 : 1_000 });
    const counts = new Map<number, number>();
    for (let n = 0; n < 5_000; n++) {
      const id = bench.ask(`network ${n}`, { priority: "latency" }) as number;
      counts.set(id, (counts.get(id) ?? 0) + 1);
    }
    for (let id = 1; id <= 8; id++) {
      const fair = id <= 4 ? 1_000 : 250;
      expect(counts.get(id)).toBeGreaterThan(fair * 0.8);
      expect(counts.get(id)).toBeLessThan(fair * 1.2);
    }
  });

  test("a client that asks each second counts as one every ten seconds", () => {
    const bench = benchOf(1);
    for (let second = 0; second < 10; second++) {
      bench.ask("home");
      bench.clock.advance(999);
    }
    const { pending } = bench.fleet.columns;
    expect(pending[bench.slot(1)]).toBeCloseTo(1, 1);
  });
});
