import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { DAY_MS, startOfDay } from "../../src/server/lib/clock.ts";
import { Fleet } from "../../src/server/nodes/fleet.ts";
import type { NodeRecord } from "../../src/server/nodes/node.ts";
import { FLEET_EPOCH, nodeRecord, reportAt } from "../support/fleet-nodes.ts";

const day = (days: number) =>
  new Date(startOfDay(FLEET_EPOCH) + days * DAY_MS).toISOString().slice(0, 10);

const sum = (numbers: number[]) => numbers.reduce((all, each) => all + each, 0);

describe("totals", () => {
  interface Modelled {
    record: NodeRecord;
    bandwidth: number;
    connections: number;
    online: boolean;
    used: number;
    usedSince: number;
  }

  type Step =
    | {
        kind: "put";
        id: number;
        owner: number;
        name: number;
        overseas: boolean;
        validDays: number;
        enabled: boolean;
        cycle: number;
        tags: string;
      }
    | { kind: "remove"; id: number }
    | {
        kind: "report";
        id: number;
        bandwidth: number;
        connections: number;
        online: boolean;
        traffic: number;
      }
    | { kind: "silence"; id: number }
    | { kind: "wait"; hours: number };

  const id = fc.integer({ min: 1, max: 12 });
  const step: fc.Arbitrary<Step> = fc.oneof(
    fc.record({
      kind: fc.constant("put" as const),
      id,
      owner: fc.integer({ min: 1, max: 3 }),
      name: fc.integer({ min: 1, max: 4 }),
      overseas: fc.boolean(),
      validDays: fc.integer({ min: -1, max: 6 }),
      enabled: fc.boolean(),
      cycle: fc.integer({ min: 1, max: 4 }),
      tags: fc.constantFrom("", "a", "a,b", "B , c"),
    }),
    fc.record({ kind: fc.constant("remove" as const), id }),
    fc.record({
      kind: fc.constant("report" as const),
      id,
      bandwidth: fc.double({ min: 0, max: 1e6, noNaN: true }),
      connections: fc.integer({ min: 0, max: 1000 }),
      online: fc.boolean(),
      traffic: fc.integer({ min: 0, max: 9 }),
    }),
    fc.record({ kind: fc.constant("silence" as const), id }),
    fc.record({ kind: fc.constant("wait" as const), hours: fc.integer({ min: 1, max: 60 }) }),
  );

  /** Plays the steps on a fleet and on a plain model of it. */
  class Play {
    readonly fleet = new Fleet();
    readonly model = new Map<number, Modelled>();
    now = FLEET_EPOCH;

    take(each: Step): void {
      const known = "id" in each ? this.model.get(each.id) : undefined;
      switch (each.kind) {
        case "put":
          return this.#put(each, known);
        case "remove":
          this.fleet.remove(each.id);
          this.model.delete(each.id);
          return;
        case "report":
          if (known) this.#report(each, known);
          return;
        case "silence":
          if (!known) return;
          this.fleet.silence(this.slotOf(each.id));
          known.online = false;
          return;
        case "wait":
          this.now += each.hours * 3_600_000;
          this.fleet.expire(this.now);
      }
    }

    slotOf(nodeId: number): number {
      const slot = this.fleet.slotOf(nodeId);
      if (slot === undefined) throw new Error(`node ${nodeId} has no slot`);
      return slot;
    }

    #put(each: Extract<Step, { kind: "put" }>, known: Modelled | undefined): void {
      const createdAt = known?.record.createdAt ?? this.now;
      const ownerId = known?.record.ownerId ?? each.owner;
      const record = nodeRecord(each.id, {
        ownerId,
        ownerEmailKey: `owner-${ownerId}@example.org`,
        // Unique per owner at any time, and given back to other nodes now and then.
        name: this.#isFree(ownerId, `name-${each.name}`, each.id)
          ? `name-${each.name}`
          : `node-${each.id}`,
        regionType: each.overseas ? "overseas" : "domestic",
        validUntil: each.validDays === 6 ? null : day(each.validDays),
        enabled: each.enabled,
        resetCycleDays: known?.record.resetCycleDays ?? each.cycle,
        tags: each.tags,
        createdAt,
      });
      this.fleet.put(record, this.now);
      if (known) known.record = record;
      else
        this.model.set(each.id, {
          record,
          bandwidth: 0,
          connections: 0,
          online: false,
          used: 0,
          usedSince: 0,
        });
    }

    #isFree(ownerId: number, name: string, nodeId: number): boolean {
      return ![...this.model.values()].some(
        ({ record }) => record.ownerId === ownerId && record.name === name && record.id !== nodeId,
      );
    }

    #report(each: Extract<Step, { kind: "report" }>, known: Modelled): void {
      known.used = this.usedOf(known) + each.traffic;
      known.usedSince = this.now;
      Object.assign(known, {
        bandwidth: each.bandwidth,
        connections: each.connections,
        online: each.online,
      });
      this.fleet.applyReport(
        this.slotOf(each.id),
        reportAt(this.now, {
          bandwidth: each.bandwidth,
          connections: each.connections,
          status: each.online ? "online" : "draining",
          usedHigh: this.fleet.usedTraffic(this.slotOf(each.id), this.now) + each.traffic,
        }),
      );
    }

    /** Periods begin every `resetCycleDays` after the day of creation. */
    usedOf({ record, used, usedSince }: Modelled): number {
      const length = record.resetCycleDays * DAY_MS;
      const indexOf = (at: number) => Math.floor((at - startOfDay(record.createdAt)) / length);
      return indexOf(usedSince) === indexOf(this.now) ? used : 0;
    }

    listed(): Modelled[] {
      return [...this.model.values()].filter(
        ({ record }) =>
          record.enabled &&
          (record.validUntil === null || this.now < Date.parse(record.validUntil) + DAY_MS),
      );
    }
  }

  function check(play: Play): void {
    const { fleet, now } = play;
    fleet.expire(now);
    const listed = play.listed();
    const online = listed.filter((each) => each.online);
    expect(fleet.totals).toMatchObject({
      total: listed.length,
      online: online.length,
      domestic: listed.filter((each) => each.record.regionType === "domestic").length,
      overseas: listed.filter((each) => each.record.regionType === "overseas").length,
      connections: sum(online.map((each) => each.connections)),
    });
    expect(fleet.totals.bandwidth).toBeCloseTo(sum(online.map((each) => each.bandwidth)), 6);
    expect(fleet.size).toBe(play.model.size);
    const all = [...play.model.keys()].sort((a, b) => a - b);
    expect(Array.from(fleet.slotsById(), (slot) => fleet.columns.id[slot])).toEqual(all);
    expect(fleet.slotsAfter(5, 2).map((slot) => fleet.columns.id[slot])).toEqual(
      all.filter((each) => each > 5).slice(0, 2),
    );
    for (const each of play.model.values()) checkNode(play, each);
    for (const owner of [1, 2, 3]) {
      const ids = [...play.model.values()]
        .filter(({ record }) => record.ownerId === owner)
        .map(({ record }) => record.id);
      expect(fleet.slotsOfOwner(owner).map((slot) => fleet.columns.id[slot])).toEqual(
        ids.sort((a, b) => a - b),
      );
    }
  }

  function checkNode({ fleet, now, ...play }: Play, each: Modelled): void {
    const { record } = each;
    const slot = fleet.slotOf(record.id) as number;
    expect(fleet.slotByKey(record.ownerEmailKey, record.name)).toBe(slot);
    expect(fleet.record(slot)).toEqual({ ...record, period: fleet.period(slot, now) });
    const tags = new Set(record.tags.split(",").map((tag) => tag.trim().toLowerCase()));
    for (const tag of ["a", "b", "c"]) {
      expect(fleet.tags.find(tag)?.slots.includes(slot) ?? false).toBe(tags.has(tag));
    }
    expect(play.model.get(record.id)).toBe(each);
  }

  test("are those of a recount after any sequence of changes, reports, silences and days", () => {
    fc.assert(
      fc.property(fc.array(step, { maxLength: 60 }), (steps) => {
        const play = new Play();
        for (const each of steps) {
          play.take(each);
          check(play);
          for (const known of play.model.values()) {
            expect(play.fleet.usedTraffic(play.slotOf(known.record.id), play.now)).toBe(
              play.usedOf(known),
            );
          }
        }
      }),
      { numRuns: 150 },
    );
  });

  test("do not drift over a million reports", () => {
    const fleet = new Fleet();
    const slots = [1, 2, 3].map((each) => fleet.put(nodeRecord(each), FLEET_EPOCH));
    for (let count = 0; count < 300_000; count++) {
      for (const slot of slots) {
        fleet.applyReport(
          slot,
          reportAt(FLEET_EPOCH, { bandwidth: ((count * 7 + slot) % 1000) / 10 + 1e9 * (slot % 2) }),
        );
      }
    }
    for (const slot of slots) fleet.applyReport(slot, reportAt(FLEET_EPOCH, { bandwidth: 0.1 }));
    expect(fleet.totals.bandwidth).toBe(0.1 + 0.1 + 0.1);
  });
});

function fleetOf(validUntil: string): { fleet: Fleet; slot: number } {
  const fleet = new Fleet();
  const slot = fleet.put(nodeRecord(1, { validUntil }), FLEET_EPOCH);
  fleet.applyReport(slot, reportAt(FLEET_EPOCH));
  return { fleet, slot };
}

describe("expiry", () => {
  const lastMoment = Date.parse("2026-01-20T23:59:59.999Z");

  test("comes at the end of the valid_until day and not before", () => {
    const { fleet, slot } = fleetOf("2026-01-20");
    fleet.expire(lastMoment);
    expect(fleet.shownStatus(slot, lastMoment)).toBe("online");
    expect(fleet.totals.online).toBe(1);

    fleet.expire(lastMoment + 1);
    expect(fleet.shownStatus(slot, lastMoment + 1)).toBe("expired");
    expect(fleet.totals).toMatchObject({ total: 0, online: 0 });
    expect(fleet.isListed(slot)).toBe(false);
  });

  test("is not undone by a report that was on its way at midnight", () => {
    const { fleet, slot } = fleetOf("2026-01-20");
    fleet.expire(lastMoment + 1);
    fleet.applyReport(slot, reportAt(lastMoment, { bandwidth: 5 }));
    expect(fleet.totals).toMatchObject({ total: 0, online: 0, bandwidth: 0 });
  });

  test("is undone when the owner sets a later date", () => {
    const { fleet, slot } = fleetOf("2026-01-20");
    fleet.expire(lastMoment + 1);
    fleet.put(nodeRecord(1, { validUntil: "2026-01-21" }), lastMoment + 1);
    expect(fleet.isListed(slot)).toBe(true);
    expect(fleet.totals.online).toBe(1);
  });

  test("is undone when the clock is set back", () => {
    const { fleet } = fleetOf("2026-01-20");
    fleet.expire(lastMoment + 1);
    fleet.expire(lastMoment);
    expect(fleet.totals.online).toBe(1);
  });

  test("raises the version once a day at most", () => {
    const { fleet } = fleetOf("2026-01-20");
    fleet.expire(lastMoment + 1);
    const { version } = fleet;
    fleet.expire(lastMoment + 2);
    fleet.expire(lastMoment + DAY_MS);
    expect(fleet.version).toBe(version);
  });
});

describe("a traffic period", () => {
  test("ends without a report and is seen as a change", () => {
    const fleet = new Fleet();
    const slot = fleet.put(nodeRecord(1, { resetCycleDays: 1 }), FLEET_EPOCH);
    fleet.applyReport(slot, reportAt(FLEET_EPOCH, { usedHigh: 7 }));
    const midnight = startOfDay(FLEET_EPOCH) + DAY_MS;
    const { version } = fleet;
    fleet.expire(midnight - 1);
    expect(fleet.usedTraffic(slot, midnight - 1)).toBe(7);
    fleet.expire(midnight);
    expect(fleet.version).toBeGreaterThan(version);
    expect(fleet.usedTraffic(slot, midnight)).toBe(0);
  });

  test("goes on when its cycle changes, until the next boundary of the new one", () => {
    const fleet = new Fleet();
    const record = nodeRecord(1, { resetCycleDays: 30 });
    const slot = fleet.put(record, FLEET_EPOCH);
    fleet.applyReport(slot, reportAt(FLEET_EPOCH, { usedHigh: 7 }));
    const end = startOfDay(FLEET_EPOCH) + 14 * DAY_MS;
    const changedAt = FLEET_EPOCH + 10 * DAY_MS;
    fleet.put(
      { ...record, resetCycleDays: 7, period: { start: record.period.start, end } },
      changedAt,
    );
    expect(fleet.period(slot, changedAt)).toEqual({ start: record.period.start, end });
    expect(fleet.usedTraffic(slot, end - 1)).toBe(7);
    expect(fleet.usedTraffic(slot, end)).toBe(0);
  });
});

const withTier = (tierBandwidth: number, tierSince: number) =>
  nodeRecord(1, { tierBandwidth, tierSince });
const tierOf = (fleet: Fleet) => fleet.columns.tierBandwidth[fleet.slotOf(1) as number];

describe("the tier", () => {
  test("is the newer of the owner's and the report's, in whatever order they come", () => {
    fc.assert(
      fc.property(
        fc.uniqueArray(fc.integer({ min: 1, max: 50 }), { minLength: 2, maxLength: 8 }),
        fc.infiniteStream(fc.boolean()),
        (moments, isReport) => {
          const fleet = new Fleet();
          fleet.put(withTier(1000, 0), FLEET_EPOCH);
          let newest = 0;
          let owners = { at: 0, tier: 1000 };
          for (const at of moments) {
            newest = Math.max(newest, at);
            if (isReport.next().value) {
              fleet.applyReport(0, reportAt(at, { tierBandwidth: at }));
            } else {
              // The storage hands out the owner's latest only.
              if (at > owners.at) owners = { at, tier: at };
              fleet.put(withTier(owners.tier, owners.at), FLEET_EPOCH);
            }
          }
          expect(tierOf(fleet)).toBe(newest);
        },
      ),
    );
  });

  test("of a report stands when the owner changes something else", () => {
    const fleet = new Fleet();
    fleet.put(withTier(100, 1), FLEET_EPOCH);
    fleet.applyReport(0, reportAt(5, { tierBandwidth: 40 }));
    fleet.put({ ...withTier(100, 1), tags: "new" }, FLEET_EPOCH);
    expect(tierOf(fleet)).toBe(40);
  });
});

describe("names", () => {
  test("lead to the node that has them now, in whatever order a swap is taken in", () => {
    const fleet = new Fleet();
    fleet.put(nodeRecord(1, { name: "old" }), FLEET_EPOCH);
    fleet.put(nodeRecord(2, { name: "old" }), FLEET_EPOCH);
    fleet.put(nodeRecord(1, { name: "new" }), FLEET_EPOCH);
    expect(fleet.slotByKey("owner@example.org", "old")).toBe(fleet.slotOf(2));
    expect(fleet.slotByKey("owner@example.org", "new")).toBe(fleet.slotOf(1));
  });

  test("of 64 KiB are not looked for", () => {
    const fleet = new Fleet();
    fleet.put(nodeRecord(1), FLEET_EPOCH);
    expect(fleet.slotByKey("x".repeat(65_536), "node-1")).toBeUndefined();
  });
});

test("a slot that is used again remembers nothing of its last node", () => {
  const fleet = new Fleet();
  const previousToken = { hash: Buffer.alloc(32, 1), until: FLEET_EPOCH + 1 };
  const slot = fleet.put(
    nodeRecord(1, { previousToken, tags: "a", validUntil: "2026-02-01" }),
    FLEET_EPOCH,
  );
  fleet.applyReport(slot, reportAt(FLEET_EPOCH, { bandwidth: 5, usedHigh: 3, version: "2.0" }));
  fleet.remove(1);
  expect(fleet.put(nodeRecord(2), FLEET_EPOCH)).toBe(slot);
  const fresh = new Fleet();
  fresh.put(nodeRecord(2), FLEET_EPOCH);
  expect(fleet.record(slot)).toEqual(fresh.record(0));
  expect(fleet.statuses[slot]).toBe("offline");
  expect(fleet.versions[slot]).toBe("");
  expect(fleet.usedTraffic(slot, FLEET_EPOCH)).toBe(0);
  expect(fleet.totals).toMatchObject({ total: 1, online: 0, bandwidth: 0 });
});

test("a free slot never falls silent", () => {
  const fleet = new Fleet();
  const slot = fleet.put(nodeRecord(1), FLEET_EPOCH);
  fleet.remove(1);
  expect(fleet.columns.silentAt[slot]).toBe(Number.POSITIVE_INFINITY);
});

test("the fleet grows past its first capacity and keeps every node", () => {
  const fleet = new Fleet();
  for (let each = 1; each <= 5000; each++)
    fleet.put(nodeRecord(each, { maxTraffic: each }), FLEET_EPOCH);
  for (let each = 2; each <= 5000; each += 2) fleet.remove(each);
  expect(fleet.size).toBe(2500);
  for (let each = 1; each <= 5000; each++) {
    const slot = fleet.slotOf(each);
    expect(slot === undefined ? 0 : fleet.columns.maxTraffic[slot]).toBe(each % 2 === 0 ? 0 : each);
    expect(fleet.slotByKey("owner@example.org", `node-${each}`)).toBe(slot);
  }
});
