import { expect, test } from "vitest";
import { DAY_MS, startOfDay } from "../../src/server/lib/clock.ts";
import { Fleet } from "../../src/server/nodes/fleet.ts";
import { budgetToday, dayOf, usedToday } from "../../src/server/query/traffic-budget.ts";
import { FLEET_EPOCH, nodeRecord, reportAt } from "../support/fleet-nodes.ts";

test("a day's budget is what was left when it began over the days to the reset", () => {
  const fleet = new Fleet();
  const slot = fleet.put(nodeRecord(1, { maxTraffic: 300, resetCycleDays: 30 }), FLEET_EPOCH);
  const begin = startOfDay(FLEET_EPOCH);
  const at = (day: number, hour: number): [number, number] => {
    const today = dayOf(begin + day * DAY_MS + hour * 3_600_000);
    const { columns } = fleet;
    return [budgetToday(columns, slot, today), usedToday(columns, slot, today)];
  };
  const report = (day: number, hour: number, usedHigh: number): void => {
    fleet.applyReport(slot, reportAt(begin + day * DAY_MS + hour * 3_600_000, { usedHigh }));
  };
  expect(at(0, 13)).toEqual([10, 0]);
  report(0, 13, 4);
  expect(at(0, 13)).toEqual([10, 4]);
  report(0, 20, 10);
  expect(at(0, 21)).toEqual([10, 10]);
  expect(at(20, 1)).toEqual([29, 0]);
  report(20, 2, 155);
  expect(at(20, 3)).toEqual([29, 145]);
  expect(at(29, 1)).toEqual([145, 0]);
  expect(at(30, 1)).toEqual([10, 0]);
  report(30, 2, 3);
  expect(at(30, 3)).toEqual([10, 3]);
});

test("without a quota there is no budget", () => {
  const fleet = new Fleet();
  const slot = fleet.put(nodeRecord(1), FLEET_EPOCH);
  expect(budgetToday(fleet.columns, slot, dayOf(FLEET_EPOCH))).toBe(0);
});
