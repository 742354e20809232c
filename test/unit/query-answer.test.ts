import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { Compile } from "typebox/compile";
import { AppError } from "../../src/server/lib/errors.ts";
import type { FieldError } from "../../src/shared/field-errors.ts";
import { Fleet } from "../../src/server/nodes/fleet.ts";
import { QueryService } from "../../src/server/query/service.ts";
import { QueryAnswer } from "../../src/shared/api/query.ts";
import { FLEET_EPOCH, nodeRecord, reportAt } from "../support/fleet-nodes.ts";
import { ManualClock } from "../support/manual-clock.ts";
import { seededChance } from "../support/seeded-chance.ts";

function open(): { clock: ManualClock; fleet: Fleet; service: QueryService } {
  const clock = new ManualClock(FLEET_EPOCH);
  const fleet = new Fleet();
  return { clock, fleet, service: new QueryService(fleet, clock, seededChance(40)) };
}

function fieldsOf(work: () => unknown): FieldError[] {
  try {
    work();
  } catch (error) {
    if (error instanceof AppError && error.code === "invalid_request") return error.fields ?? [];
    throw error;
  }
  throw new Error("nothing was refused");
}

describe("the answer's text", () => {
  test("has exactly the fields of the query's view", () => {
    const { fleet, service } = open();
    const record = nodeRecord(7, {
      name: "tokyo-1",
      regionType: "overseas",
      regionDetail: "Tokyo",
      connections: [
        { type: "TCP", ip: "192.0.2.7", port: 11010 },
        { type: "WSS", ip: "node.example.org", port: 443 },
      ],
      tierBandwidth: 100,
      maxBandwidth: 200,
      maxConnections: 50,
      maxTraffic: 500.5,
      tags: "fast,asia",
      allowRelay: true,
    });
    const slot = fleet.put(record, FLEET_EPOCH);
    const live = { bandwidth: 12.5, connections: 3, usedHigh: 0.1 + 0.2, tierBandwidth: 150 };
    fleet.applyReport(slot, reportAt(FLEET_EPOCH + 1, live));
    expect(service.answer({})).toBe(
      '{"nodes":[{"id":7,"node_name":"tokyo-1","region_type":"overseas","region_detail":"Tokyo",' +
        '"connections":[{"type":"TCP","ip":"192.0.2.7","port":11010},' +
        '{"type":"WSS","ip":"node.example.org","port":443}],' +
        '"max_connections":50,"max_traffic":500.5,"tags":"fast,asia","allow_relay":1,' +
        '"current_bandwidth":12.5,"tier_bandwidth":150,"connection_count":3,"used_traffic":0.3}]}',
    );
  });

  test("is JSON of the contract's shape and carries any words unharmed", () => {
    const check = Compile(QueryAnswer);
    const word = fc.oneof(
      fc.string({ unit: "binary" }),
      fc.string(),
      fc.constant('"\\\u2028\u007f</'),
    );
    const number = fc.double({ min: 0, max: 1e9, noNaN: true });
    fc.assert(
      fc.property(word, word, word, number, number, (name, regionDetail, tags, bandwidth, max) => {
        const { fleet, service } = open();
        for (const id of [1, 2]) {
          const record = nodeRecord(id, { name, regionDetail, tags, maxTraffic: max });
          const slot = fleet.put(record, FLEET_EPOCH);
          fleet.applyReport(slot, reportAt(FLEET_EPOCH, { bandwidth }));
        }
        const answer: unknown = JSON.parse(service.answer(undefined));
        if (!check.Check(answer)) throw new Error("not the shape of the contract");
        expect(answer.nodes).toHaveLength(2);
        for (const node of answer.nodes) {
          expect(node).toMatchObject({ node_name: name, region_detail: regionDetail, tags });
          expect(node).toMatchObject({ current_bandwidth: bandwidth, max_traffic: max });
        }
      }),
    );
  });

  test("shows what was set and reported last, and no more traffic once the period has ended", () => {
    const { clock, fleet, service } = open();
    const slot = fleet.put(nodeRecord(1, { resetCycleDays: 1 }), FLEET_EPOCH);
    const first = (): unknown => (JSON.parse(service.answer({})) as { nodes: unknown[] }).nodes[0];
    fleet.applyReport(slot, reportAt(FLEET_EPOCH, { connections: 1, usedHigh: 2 }));
    expect(first()).toMatchObject({ node_name: "node-1", connection_count: 1, used_traffic: 2 });
    fleet.applyReport(slot, reportAt(FLEET_EPOCH + 1, { connections: 5, usedHigh: 3 }));
    fleet.put(nodeRecord(1, { resetCycleDays: 1, name: "renamed" }), FLEET_EPOCH);
    expect(first()).toMatchObject({ node_name: "renamed", connection_count: 5, used_traffic: 3 });
    clock.set("2026-01-16T00:00:00.000Z");
    expect(first()).toMatchObject({ used_traffic: 0 });
    fleet.remove(1);
    fleet.applyReport(fleet.put(nodeRecord(2), clock.now()), reportAt(clock.now()));
    expect(first()).toMatchObject({ id: 2, node_name: "node-2" });
    fleet.remove(2);
    expect(service.answer({})).toBe('{"nodes":[]}');
  });

  test("is the same in a fleet too large to be kept as text", () => {
    const { fleet, service } = open();
    const record = nodeRecord(1, { name: 'the "first"', regionDetail: "Here", tags: "a,b" });
    const slot = fleet.put(record, FLEET_EPOCH);
    fleet.applyReport(slot, reportAt(FLEET_EPOCH, { connections: 1, usedHigh: 2.5 }));
    const alone = service.answer({});
    expect(JSON.parse(alone)).toMatchObject({ nodes: [{ id: 1, node_name: 'the "first"' }] });
    for (let id = 2; id <= 33_000; id++) fleet.put(nodeRecord(id), FLEET_EPOCH);
    expect(service.answer({})).toBe(alone);
  });
});

const ascending = (a: number, b: number): number => a - b;

describe("the body", () => {
  const { fleet, service } = open();
  for (let id = 1; id <= 30; id++) {
    const regionType = id % 2 === 0 ? ("overseas" as const) : ("domestic" as const);
    const record = nodeRecord(id, { regionType, tags: "Edge", allowRelay: id <= 4 });
    fleet.applyReport(fleet.put(record, FLEET_EPOCH), reportAt(FLEET_EPOCH));
  }
  const ids = (body: unknown): number[] =>
    (JSON.parse(service.answer(body)) as { nodes: { id: number }[] }).nodes.map(({ id }) => id);

  test("absent or empty means three nodes of any kind, and unknown fields mean nothing", () => {
    expect(ids(undefined)).toHaveLength(3);
    expect(ids({})).toHaveLength(3);
    const polluted: unknown = JSON.parse('{"__proto__":{"limit":0},"constructor":1,"foo":[]}');
    expect(ids(polluted)).toHaveLength(3);
  });

  test("selects by every field", () => {
    expect(ids({ limit: 20 })).toHaveLength(20);
    expect(ids({ limit: 20, region: "overseas" }).every((id) => id % 2 === 0)).toBe(true);
    expect(ids({ limit: 20, region: "all", priority: "latency" })).toHaveLength(20);
    expect(ids({ relay_only: true, limit: 20 }).sort(ascending)).toEqual([1, 2, 3, 4]);
    expect(ids({ relay_only: true, limit: 20, exclude: [2, 3, 31, 2] }).sort(ascending)).toEqual([
      1, 4,
    ]);
    expect(ids({ tag: " eDGE ", limit: 2 })).toHaveLength(2);
    expect(ids({ tag: "\u0000\ud800" })).toEqual([]);
    expect(ids({ tag: "  " })).toHaveLength(3);
    expect(ids({ transport: "tCp" })).toHaveLength(3);
    expect(ids({ transport: "quic" })).toEqual([]);
  });

  test.each([
    [{ region: "mars" }, "region", "must be domestic, overseas or all"],
    [{ region: "Domestic" }, "region", "must be domestic, overseas or all"],
    [{ priority: "speed" }, "priority", "must be traffic, bandwidth or latency"],
    [{ priority: null }, "priority", "must be traffic, bandwidth or latency"],
    [{ transport: "ftp" }, "transport", "must be TCP, UDP, WS, WSS, WG or QUIC"],
    [{ transport: 6 }, "transport", "must be text"],
    [{ relay_only: 1 }, "relay_only", "must be true or false"],
    [{ limit: "3" }, "limit", "must be a whole number from 1 to 20, not text"],
    [{ limit: 0 }, "limit", "must be a whole number from 1 to 20"],
    [{ limit: 21 }, "limit", "must be a whole number from 1 to 20"],
    [{ limit: 1.5 }, "limit", "must be a whole number from 1 to 20"],
    [{ tag: "x".repeat(10_000) }, "tag", "must have at most 256 characters"],
    [{ exclude: 1 }, "exclude", "must be a list"],
    [{ exclude: [1, "2"] }, "exclude.1", "must be a whole number of at least 1, not text"],
    [
      { exclude: Array.from({ length: 1001 }, () => 1) },
      "exclude",
      "must have at most 1000 entries",
    ],
    [[], "", "The body must be a JSON object"],
    [null, "", "The body must be a JSON object"],
    ["domestic", "", "The body must be a JSON object"],
  ])("%j is refused at %s", (body, path, message) => {
    expect(fieldsOf(() => service.answer(body))).toEqual([{ path, message }]);
  });
});
