import fc from "fast-check";
import { expect, test } from "vitest";
import { DAY_MS, startOfDay } from "../../src/server/lib/clock.ts";
import { Fleet } from "../../src/server/nodes/fleet.ts";
import { expiryOf, type NodeRecord } from "../../src/server/nodes/node.ts";
import { periodAt } from "../../src/server/nodes/period.ts";
import type { QueryFilter } from "../../src/server/query/filter.ts";
import { defaultPanel, type PanelSize } from "../../src/server/query/panel.ts";
import { QueryService } from "../../src/server/query/service.ts";
import { queryPriorities, queryRegions } from "../../src/shared/api/query.ts";
import { transports } from "../../src/shared/api/nodes.ts";
import { FLEET_EPOCH, nodeRecord, reportAt } from "../support/fleet-nodes.ts";
import { ManualClock } from "../support/manual-clock.ts";
import { seededChance } from "../support/seeded-chance.ts";

const tags = ["", "a", "A , b", "b,c", " c"];

const id = fc.integer({ min: 1, max: 9 });
const settings = fc.record({
  id,
  regionType: fc.constantFrom("domestic" as const, "overseas" as const),
  transport: fc.constantFrom(...transports),
  tags: fc.constantFrom(...tags),
  allowRelay: fc.boolean(),
  enabled: fc.constantFrom(true, true, true, false),
  validDays: fc.option(fc.integer({ min: 0, max: 3 })),
  maxTraffic: fc.constantFrom(0, 0, 10),
  maxConnections: fc.constantFrom(0, 1, 10, 1000),
  tierBandwidth: fc.constantFrom(0, 100),
});
const report = fc.record({
  id,
  status: fc.constantFrom("online", "online", "online", "busy"),
  connections: fc.integer({ min: 0, max: 1200 }),
  bandwidth: fc.integer({ min: 0, max: 200 }),
  usedHigh: fc.constantFrom(0, 5, 9.9, 10, 12),
});
const anything = fc.record({
  region: fc.constant("all" as const),
  priority: fc.constantFrom(...queryPriorities, null),
  relayOnly: fc.constant(false),
  tagKey: fc.constant(""),
  transport: fc.constant(null),
});
const something = fc.record({
  region: fc.constantFrom("all", ...queryRegions),
  priority: fc.constantFrom(...queryPriorities, null),
  relayOnly: fc.constantFrom(false, false, true),
  tagKey: fc.constantFrom("", "a", "b", "c"),
  transport: fc.constantFrom(...transports, null, null, null, null, null, null),
});
/** Few to a run, so that what is kept for a filter is asked for again and again. */
const filterPair = fc.tuple(anything, something);
const query = fc.record({
  filter: fc.integer({ min: 0, max: 1 }),
  limit: fc.integer({ min: 1, max: 20 }),
  exclude: fc.array(fc.integer({ min: 1, max: 12 }), { maxLength: 3 }),
});
const step = fc.oneof(
  { weight: 3, arbitrary: fc.record({ kind: fc.constant("put" as const), settings }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant("remove" as const), id }) },
  { weight: 5, arbitrary: fc.record({ kind: fc.constant("report" as const), report }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant("silence" as const), id }) },
  {
    weight: 2,
    arbitrary: fc.record({ kind: fc.constant("checked" as const), id, reachable: fc.boolean() }),
  },
  {
    weight: 3,
    arbitrary: fc.record({
      kind: fc.constant("wait" as const),
      ms: fc.constantFrom(1, 50, 100, 250, 60_000, DAY_MS / 2, DAY_MS),
    }),
  },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant("midnight" as const), query }) },
  { weight: 6, arbitrary: fc.record({ kind: fc.constant("query" as const), query }) },
);

/** Nodes that have reported, before anything else happens. */
const start = fc.array(
  fc.tuple(settings, report).map(([set, reported]): Step[] => [
    { kind: "put", settings: set },
    { kind: "report", report: { ...reported, id: set.id, status: "online" } },
  ]),
  { minLength: 4, maxLength: 9 },
);
const steps = fc.array(step, { minLength: 5, maxLength: 80 });

type Step = typeof step extends fc.Arbitrary<infer S> ? S : never;
type Settings = typeof settings extends fc.Arbitrary<infer S> ? S : never;
type Report = typeof report extends fc.Arbitrary<infer R> ? R : never;
type Query = typeof query extends fc.Arbitrary<infer Q> ? Q : never;

interface Modelled {
  record: NodeRecord;
  online: boolean;
  reachable: boolean;
  used: number;
  reportedAt: number;
}

const newcomer = { online: false, reachable: true, used: 0, reportedAt: 0 };

/** Eligibility as the product's decisions put it, from the records alone. */
function isEligible(
  { record, online, reachable, used, reportedAt }: Modelled,
  filter: QueryFilter,
  now: number,
): boolean {
  const period = periodAt(record.period, record.createdAt, record.resetCycleDays, now);
  const usedNow = reportedAt >= period.start ? used : 0;
  const words = record.tags.split(",").map((tag) => tag.trim().toLowerCase());
  return (
    online &&
    reachable &&
    record.enabled &&
    now < expiryOf(record.validUntil) &&
    (record.maxTraffic === 0 || usedNow < record.maxTraffic) &&
    (filter.region === "all" || record.regionType === filter.region) &&
    (!filter.relayOnly || record.allowRelay) &&
    (filter.tagKey === "" || words.includes(filter.tagKey)) &&
    (filter.transport === null || record.connections.some(({ type }) => type === filter.transport))
  );
}

interface Answer {
  answered: number[];
  eligible: number[];
  limit: number;
}

/** The fleet and its model side by side. */
class Pair {
  readonly #clock = new ManualClock(FLEET_EPOCH);
  readonly #fleet = new Fleet();
  readonly #service: QueryService;
  readonly #model = new Map<number, Modelled>();

  readonly #filters: QueryFilter[];

  constructor(filters: QueryFilter[], seed: number, panel: PanelSize) {
    this.#filters = filters;
    this.#service = new QueryService(this.#fleet, this.#clock, seededChance(seed), panel);
  }

  /** Lets a step happen; only a query has an answer with anything in it. */
  take(each: Step): Answer {
    switch (each.kind) {
      case "put":
        this.#put(each.settings);
        break;
      case "remove":
        this.#fleet.remove(each.id);
        this.#model.delete(each.id);
        break;
      case "report":
        this.#report(each.report);
        break;
      case "silence": {
        const slot = this.#fleet.slotOf(each.id);
        const known = this.#model.get(each.id);
        if (slot === undefined || !known) break;
        this.#fleet.silence(slot);
        known.online = false;
        break;
      }
      case "checked": {
        const slot = this.#fleet.slotOf(each.id);
        const known = this.#model.get(each.id);
        if (slot === undefined || !known) break;
        this.#fleet.setReachable(slot, each.reachable);
        known.reachable = each.reachable;
        break;
      }
      case "wait":
        this.#clock.advance(each.ms);
        break;
      case "midnight": {
        const now = this.#clock.now();
        this.#clock.advance(startOfDay(now) + DAY_MS - 30 - now);
        this.#ask(each.query);
        this.#clock.advance(60);
        return this.#ask(each.query);
      }
      case "query":
        return this.#ask(each.query);
    }
    return { answered: [], eligible: [], limit: 0 };
  }

  #put({ validDays, transport, ...fields }: Settings): void {
    const lastDay = new Date(FLEET_EPOCH + (validDays ?? 0) * DAY_MS).toISOString().slice(0, 10);
    const record = nodeRecord(fields.id, {
      ...fields,
      validUntil: validDays === null ? null : lastDay,
      connections: [{ type: transport, ip: "192.0.2.1", port: 1 }],
      // One cycle for a node's whole life, of one to three days.
      resetCycleDays: 1 + (fields.id % 3),
    });
    this.#fleet.put(record, this.#clock.now());
    const known = this.#model.get(record.id) ?? newcomer;
    this.#model.set(record.id, { ...known, record });
  }

  #report({ id: reporting, ...fields }: Report): void {
    const slot = this.#fleet.slotOf(reporting);
    const known = this.#model.get(reporting);
    if (slot === undefined || !known) return;
    const now = this.#clock.now();
    this.#fleet.applyReport(slot, reportAt(now, fields));
    known.online = fields.status === "online";
    known.used = fields.usedHigh;
    known.reportedAt = now;
  }

  #ask({ limit, exclude, filter: chosen }: Query): Answer {
    const now = this.#clock.now();
    const filter = this.#filters[chosen] as QueryFilter;
    const eligible = [...this.#model.values()]
      .filter((node) => isEligible(node, filter, now) && !exclude.includes(node.record.id))
      .map(({ record }) => record.id);
    const slots = this.#service.pick(filter, limit, now, exclude);
    const answered = slots.map((slot) => this.#fleet.columns.id[slot] as number);
    return { answered, eligible, limit };
  }
}

test.each<[string, PanelSize]>([
  ["all nodes are looked at", defaultPanel],
  ["panels of the fleet are", { from: 2, size: 2, block: 2 }],
])(
  "whatever happens while %s, an answer holds only eligible nodes, each once, and as many as there are",
  (_name, panel) => {
    fc.assert(
      fc.property(filterPair, start, steps, fc.integer(), (filters, begun, happening, seed) => {
        const pair = new Pair(filters, seed, panel);
        for (const each of [...begun.flat(), ...happening]) {
          const { answered, eligible, limit } = pair.take(each);
          expect(new Set(answered).size).toBe(answered.length);
          expect(eligible).toEqual(expect.arrayContaining(answered));
          expect(answered.length).toBe(Math.min(limit, eligible.length));
        }
      }),
      { numRuns: 500 },
    );
  },
);
