import type { Chance } from "../lib/chance.ts";
import type { Clock } from "../lib/clock.ts";
import type { Fleet } from "../nodes/fleet.ts";
import { transportBit } from "../nodes/transport-bits.ts";
import type { TaggedSlots } from "../nodes/tag-index.ts";
import { AnswerRate } from "./answer-rate.ts";
import { Candidates } from "./candidates.ts";
import { hasQuota, isWanted, type FilterBits, type QueryFilter } from "./filter.ts";
import { Gauge, type GaugeSetting } from "./gauge.ts";
import type { HandedOut } from "./handed-out.ts";
import type { PanelSize } from "./panel.ts";
import type { Readings } from "./readings.ts";
import type { Surveyor } from "./surveyor.ts";
import { dayOf } from "./traffic-budget.ts";
import { Urn } from "./urn.ts";
import { waterLevel } from "./water-level.ts";

/** What all selectors share. */
export interface SelectorSources {
  fleet: Fleet;
  clock: Clock;
  handedOut: HandedOut;
  surveyor: Surveyor;
  readings: Readings;
  chance: Chance;
  panel: PanelSize;
}

/** How far arrivals are looked ahead for, in report intervals. */
const HORIZON = 0.25;
/** A node this full takes nobody while another has room. */
const FULL = 0.95;
/** The part of all weight that goes by free capacity, for when nobody lies below the level. */
const SPILL = 1e-6;
/** A full node still counts with this part of its capacity among nodes that are all full. */
const SPILL_OF_FULL = 0.01;

const SHORTEST_AGE_MS = 200;
/** The part of the time that may go into weighing all nodes again because time has passed. */
const REFRESH_SHARE = 1 / 100;
/** When the water runs low sooner, so many draws pay for weighing a node again. */
const DRAWS_PER_NODE = 1 / 64;
/** Beyond this part of the positions, weighing all is cheaper than following each change. */
const FOLLOWED_PART = 1 / 8;
const FOLLOWED_AT_LEAST = 64;
/** A panel of which less than this part is left to draw cannot speak for the fleet any more. */
const THIN = 1 / 16;

/**
 * Draws nodes for one filter. It weighs all of them now and then and follows every change of the
 * fleet in between, so that no answer rests on anything older than the last change.
 */
export class Selector {
  readonly rate = new AnswerRate();
  readonly #sources: SelectorSources;
  readonly #bits: FilterBits;
  readonly #candidates: Candidates;
  readonly #gauge: Gauge;
  readonly #setting: GaugeSetting;
  #urn = new Urn(0);
  #position = -1;
  #builtAt = 0;
  #buildMs = 0;
  #builtTotal = 0;
  /** Answers since everything was weighed. */
  #drawn = 0;
  #level = 0;
  #spill = 0;
  #allFull = false;
  /** Whether a node fits that a panel of all that fitted does not hold. */
  #hasNewcomer = false;
  #arrivals = 0;
  /** When the first node that is only out of quota gets a new one. */
  #revivesAt = Number.POSITIVE_INFINITY;

  constructor(sources: SelectorSources, filter: QueryFilter, tagged: TaggedSlots | null) {
    this.#sources = sources;
    this.#gauge = new Gauge(filter.priority);
    this.#bits = {
      overseas: filter.region === "all" ? -1 : filter.region === "overseas" ? 1 : 0,
      relay: filter.relayOnly,
      transport: filter.transport === null ? 0 : transportBit(filter.transport),
    };
    const { fleet, panel, chance } = sources;
    this.#candidates = new Candidates(fleet, this.#bits, tagged, panel, chance);
    this.#setting = {
      columns: sources.fleet.columns,
      survey: sources.surveyor.survey(sources.clock.now()),
      clientFactor: 1,
      stayMs: 1,
      now: 0,
      today: 0,
    };
  }

  /** Positions held in memory. */
  get size(): number {
    return this.#urn.size;
  }

  /** Whether no node that fits has been left out. */
  get isComplete(): boolean {
    return this.#candidates.roster.share === 1 && !this.#hasNewcomer;
  }

  /** Brings the weights to what the fleet is `now`; to be called before each answer. */
  prepare(now: number, wanted: number): void {
    this.#aim(now);
    if (
      this.#position === -1 ||
      !this.#candidates.isCurrent ||
      now < this.#builtAt ||
      now >= this.#revivesAt
    ) {
      this.#weighAll(now, wanted);
      return;
    }
    const age = now - this.#builtAt;
    const due = age >= Math.max(SHORTEST_AGE_MS, this.#buildMs / REFRESH_SHARE);
    // Nothing to weigh means nothing to refresh, whatever the age.
    if ((due && this.#urn.filled > 0) || !this.#follow()) {
      this.#weighAll(now, wanted);
      return;
    }
    const runsLow = this.#urn.filled > 0 && (due || this.#runsLow());
    if (runsLow || this.#isThin()) this.#weighAll(now, wanted);
  }

  /** Up to `wanted` different eligible nodes in the order drawn, as many as there are. */
  draw(wanted: number, excluded: ReadonlySet<number>, chance: Chance): number[] {
    const { now } = this.#setting;
    const drawn: number[] = [];
    const setAside: number[] = [];
    while (drawn.length < wanted && this.#urn.filled > 0) {
      const position = this.#urn.draw(chance);
      const slot = this.#candidates.roster.slotAt(position);
      const isOut = !this.#isEligible(slot, now);
      if (!isOut && !excluded.has(slot) && !drawn.includes(slot)) {
        drawn.push(slot);
        continue;
      }
      // Drawing again is drawing without it; only what comes up in vain is taken out.
      this.#urn.set(position, 0);
      if (!isOut) setAside.push(slot);
    }
    for (const slot of setAside) this.#weighOne(slot);
    return drawn;
  }

  /** Puts drawn nodes back with the weight they have after being handed out. */
  putBack(slots: readonly number[]): void {
    this.#drawn++;
    for (const slot of slots) this.#weighOne(slot);
  }

  /** Whether most of the room that was there has been given away or has gone otherwise. */
  #runsLow(): boolean {
    if (this.#builtTotal === 0) return true;
    if (this.#urn.total >= this.#builtTotal / 2) return false;
    if (this.#drawn < this.#urn.size * DRAWS_PER_NODE) return false;
    // A rush that the rate has not caught up with: look twice as far ahead as last time.
    this.#arrivals *= 4;
    return true;
  }

  /** Whether others should be looked at than the few that are left here. */
  #isThin(): boolean {
    return !this.isComplete && this.#urn.filled < this.#sources.panel.size * THIN;
  }

  #aim(now: number): void {
    const { fleet, handedOut } = this.#sources;
    const setting = this.#setting;
    setting.columns = fleet.columns;
    setting.clientFactor = handedOut.clientFactor(now);
    setting.stayMs = handedOut.stayMs;
    setting.now = now;
    setting.today = dayOf(now);
  }

  /** Weighs again what has changed; false when too much has. */
  #follow(): boolean {
    const { changes } = this.#sources.fleet;
    const { position } = changes;
    const behind = position - this.#position;
    if (behind === 0) return true;
    if (behind > FOLLOWED_AT_LEAST + this.#urn.size * FOLLOWED_PART) return false;
    if (!changes.reaches(this.#position)) return false;
    for (let at = this.#position; at < position; at++) this.#weighOne(changes.at(at));
    this.#position = position;
    return true;
  }

  #weighOne(slot: number): void {
    const position = this.#candidates.roster.positionOf(slot);
    if (position === -1) {
      if (this.#candidates.roster.isPanel && this.#isEligible(slot, this.#setting.now)) {
        this.#hasNewcomer = true;
      }
      return;
    }
    let weight = 0;
    if (this.#isEligible(slot, this.#setting.now)) {
      this.#gauge.read(slot, this.#setting);
      weight = this.#weightOf(this.#gauge.capacity, this.#gauge.load);
    }
    this.#urn.set(position, weight);
  }

  #isEligible(slot: number, now: number): boolean {
    const { columns } = this.#setting;
    if (!isWanted(columns, slot, this.#bits, now)) return false;
    if (hasQuota(columns, slot, now)) return true;
    this.#revivesAt = Math.min(this.#revivesAt, columns.periodEnd[slot] as number);
    return false;
  }

  #weightOf(capacity: number, load: number): number {
    const room = this.#level * capacity - load;
    const open = room > 0 && (this.#allFull || load < FULL * capacity);
    return (open ? room : 0) + this.#spill * spillOf(capacity, load);
  }

  #weighAll(now: number, wanted: number): void {
    this.#weigh(now, wanted, this.#sources.panel.size);
    if (this.#isThin()) this.widen(now, wanted);
  }

  /** Looks at every node, however many there are. */
  widen(now: number, wanted: number): void {
    this.#weigh(now, wanted, Number.POSITIVE_INFINITY);
  }

  #weigh(now: number, wanted: number, panelSize: number): void {
    const { fleet, clock, surveyor, readings } = this.#sources;
    const startedAt = clock.now();
    this.#setting.survey = surveyor.survey(now);
    this.#aim(now);
    this.#position = fleet.changes.position;
    this.#revivesAt = Number.POSITIVE_INFINITY;
    this.#hasNewcomer = false;
    this.#candidates.enlist(panelSize);
    const { roster } = this.#candidates;
    // Positions that nobody has yet need no look.
    const length = Math.min(roster.length, fleet.end);
    if (roster.length > this.#urn.size || this.#urn.size > 4 * roster.length + 64) {
      this.#urn = new Urn(roster.length);
    }
    readings.hold(length);
    const { capacities, loads } = readings;
    let total = 0;
    let spill = 0;
    this.#allFull = true;
    for (let position = 0; position < length; position++) {
      const slot = roster.slotAt(position);
      if (this.#isEligible(slot, now)) {
        this.#gauge.read(slot, this.#setting);
        const { capacity, load } = this.#gauge;
        capacities[position] = capacity;
        loads[position] = load;
        total += capacity;
        spill += spillOf(capacity, load);
        if (load < FULL * capacity) this.#allFull = false;
      } else capacities[position] = loads[position] = 0;
    }
    const expected = Math.max(this.#expectedArrivals(now), this.#arrivals / 2);
    this.#arrivals = Math.max(wanted, Math.min(expected, total));
    this.#level = waterLevel(capacities, loads, length, this.#arrivals, this.#level);
    // Above 0 even without any node, so that the first that comes is seen.
    this.#spill = (SPILL * this.#arrivals) / (spill || 1);
    this.#fill(capacities, loads, length);
    this.#drawn = 0;
    this.#builtAt = now;
    this.#buildMs = Math.max(0, clock.now() - startedAt);
  }

  #expectedArrivals(now: number): number {
    const clientsPerMs = (this.rate.at(now) * this.#sources.handedOut.pickUp) / 1000;
    return (
      HORIZON * this.#setting.survey.reportIntervalMs * clientsPerMs * this.#candidates.roster.share
    );
  }

  #fill(capacities: Float64Array, loads: Float64Array, length: number): void {
    const { weights } = this.#urn;
    for (let at = 0; at < length; at++) {
      const capacity = capacities[at] as number;
      weights[at] = capacity === 0 ? 0 : this.#weightOf(capacity, loads[at] as number);
    }
    weights.fill(0, length);
    this.#urn.refilled();
    this.#builtTotal = this.#urn.total;
  }
}

function spillOf(capacity: number, load: number): number {
  return Math.max(capacity - load, capacity * SPILL_OF_FULL);
}
