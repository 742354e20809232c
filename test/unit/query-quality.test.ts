import { expect, test } from "vitest";
import { Fleet } from "../../src/server/nodes/fleet.ts";
import { QueryService } from "../../src/server/query/service.ts";
import { FLEET_EPOCH, nodeRecord, reportAt } from "../support/fleet-nodes.ts";
import { ManualClock } from "../support/manual-clock.ts";

function qualityOf(nodes: { max: number; now: number; enabled?: boolean; status?: string }[]) {
  const fleet = new Fleet();
  for (const [at, { max, now, enabled = true, status = "online" }] of nodes.entries()) {
    const slot = fleet.put(nodeRecord(at + 1, { maxConnections: max, enabled }), FLEET_EPOCH);
    fleet.applyReport(slot, reportAt(FLEET_EPOCH, { connections: now, status }));
  }
  return new QueryService(fleet, new ManualClock(FLEET_EPOCH)).fleetQuality();
}

test("a fleet used evenly has an index of 1 and no variation", () => {
  const { jain, variation, nodes } = qualityOf([
    { max: 10, now: 5 },
    { max: 1000, now: 500 },
    { max: 0, now: 5 },
  ]);
  expect(jain).toBeCloseTo(1, 12);
  expect(variation).toBeCloseTo(0, 12);
  expect(nodes).toBe(3);
});

test("one node of four that does all the work gives 1/4, and others that are out do not count", () => {
  const { jain, variation } = qualityOf([
    { max: 10, now: 8 },
    { max: 10, now: 0 },
    { max: 10, now: 0 },
    { max: 10, now: 0 },
    { max: 10, now: 9, enabled: false },
    { max: 10, now: 9, status: "busy" },
  ]);
  expect(jain).toBeCloseTo(1 / 4, 12);
  expect(variation).toBeCloseTo(Math.sqrt(3), 12);
});

test("a fleet without nodes or without use is even", () => {
  expect(qualityOf([])).toEqual({ jain: 1, variation: 0, nodes: 0 });
  expect(qualityOf([{ max: 10, now: 0 }])).toEqual({ jain: 1, variation: 0, nodes: 1 });
});
