import { beforeEach, describe, expect, it } from "vitest";
import { createLogger } from "../../src/server/lib/logger.ts";
import { Fleet } from "../../src/server/nodes/fleet.ts";
import { waitBeforeOffline, nextInterval } from "../../src/server/reports/interval.ts";
import { SilenceDetector } from "../../src/server/reports/silence.ts";
import { ManualClock } from "../support/manual-clock.ts";
import { nodeRecord, reportAt } from "../support/fleet-nodes.ts";

const minute = 60_000;

describe("the wait before a node is offline", () => {
  it("is three intervals within 90 seconds and 30 minutes", () => {
    expect(waitBeforeOffline(60_000)).toBe(180_000);
    expect(waitBeforeOffline(1_000)).toBe(90_000);
    expect(waitBeforeOffline(3_600_000)).toBe(1_800_000);
  });

  it("takes a minute for the interval until a second report shows it", () => {
    expect(waitBeforeOffline(0)).toBe(180_000);
  });
});

describe("the interval between reports", () => {
  it("is what the node states", () => {
    expect(nextInterval(60_000, 10_000, 30)).toBe(30_000);
  });

  it("follows what is observed", () => {
    expect(nextInterval(0, undefined, undefined)).toBe(0);
    expect(nextInterval(0, 60_000, undefined)).toBe(60_000);
    expect(nextInterval(60_000, 70_000, undefined)).toBe(63_000);
  });

  it("learns nothing from an outage", () => {
    expect(nextInterval(60_000, 10 * minute, undefined)).toBe(60_000);
  });
});

describe("the silence detector", () => {
  let clock: ManualClock;
  let fleet: Fleet;
  let detector: SilenceDetector;

  beforeEach(() => {
    clock = new ManualClock();
    fleet = new Fleet();
    detector = new SilenceDetector(fleet, clock, createLogger("silent"));
  });

  function addNodes(count: number): number[] {
    return Array.from({ length: count }, (_, index) => {
      const slot = fleet.put(nodeRecord(index + 1), clock.now());
      report(slot);
      return slot;
    });
  }

  function report(slot: number, intervalMs = minute): void {
    const silentAt = clock.now() + waitBeforeOffline(intervalMs);
    fleet.applyReport(slot, reportAt(clock.now(), { intervalMs, silentAt }));
  }

  const shown = (slot: number) => fleet.shownStatus(slot, clock.now());

  it("declares a node offline after three missed reports, and online with the next", () => {
    const [first, ...others] = addNodes(5) as [number, ...number[]];
    clock.advance(2 * minute);
    for (const slot of others) report(slot);
    clock.advance(minute - 1);
    expect(detector.look()).toEqual([]);
    clock.advance(1);
    expect(detector.look()).toEqual([first]);
    expect(shown(first)).toBe("offline");
    expect(fleet.totals.online).toBe(4);
    report(first);
    expect(shown(first)).toBe("online");
  });

  it("believes the silence of a fleet of two", () => {
    const slots = addNodes(2);
    clock.advance(3 * minute);
    expect(detector.look()).toEqual(slots);
  });

  it("suspects itself when more than half fall silent at once", () => {
    const slots = addNodes(10);
    clock.advance(3 * minute);
    expect(detector.look()).toEqual([]);
    expect(detector.suspectsItself).toBe(true);
    clock.advance(60 * minute);
    expect(detector.look()).toEqual([]);
    expect(slots.map(shown)).toEqual(slots.map(() => "online"));
  });

  it("sees a wave that is spread over several looks", () => {
    const slots = addNodes(10);
    for (let index = 0; index < 10; index++) {
      report(slots[index] as number);
      clock.advance(5_000);
    }
    clock.advance(130_000);
    const gone: number[] = [];
    for (let second = 0; second < 60; second++) {
      gone.push(...detector.look());
      clock.advance(1_000);
    }
    expect(detector.suspectsItself).toBe(true);
    expect(gone.length).toBeLessThanOrEqual(5);
  });

  it("gives the silent a full wait once reports flow again, and then believes them", () => {
    const slots = addNodes(10);
    const [dead, ...living] = slots as [number, ...number[]];
    clock.advance(3 * minute);
    detector.look();
    clock.advance(20 * minute);
    for (const slot of living) report(slot);
    detector.look();
    expect(detector.suspectsItself).toBe(false);
    clock.advance(2 * minute);
    for (const slot of living) report(slot);
    expect(detector.look()).toEqual([]);
    expect(shown(dead)).toBe("online");
    clock.advance(minute);
    expect(detector.look()).toEqual([dead]);
  });

  it("does not hold on to a dead majority for ever while the rest reports", () => {
    const [living, ...dead] = addNodes(4) as [number, ...number[]];
    for (let minutes = 0; minutes < 8; minutes++) {
      clock.advance(minute);
      report(living);
      detector.look();
    }
    expect(dead.map(shown)).toEqual(["offline", "offline", "offline"]);
    expect(shown(living)).toBe("online");
  });

  it("counts the wait from the start of the service when that is later", () => {
    const [slot] = addNodes(1) as [number];
    clock.advance(10 * minute);
    detector.startWatch();
    clock.advance(3 * minute - 1);
    expect(detector.look()).toEqual([]);
    clock.advance(1);
    expect(detector.look()).toEqual([slot]);
  });
});
