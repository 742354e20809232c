import type { Clock } from "../lib/clock.ts";
import type { Fleet } from "../nodes/fleet.ts";
import { transportBit } from "../nodes/transport-bits.ts";
import type { TaggedSlots } from "../nodes/tag-index.ts";
import { hasQuota, isWanted, type FilterBits, type QueryFilter } from "./filter.ts";
import { Gauge, type GaugeSetting } from "./gauge.ts";
import type { HandedOut } from "./handed-out.ts";
import type { NameKey } from "./rendezvous.ts";
import { Ring, type Standing } from "./ring.ts";
import { standingWeight } from "./standing-weight.ts";
import type { Surveyor } from "./surveyor.ts";
import { dayOf } from "./traffic-budget.ts";

/** A node this full is left while another has room. */
const FULL = 0.95;
/** The part of the time that may go into looking at all nodes again. */
const REBUILD_SHARE = 1 / 100;
/** Beyond this part of the fleet, looking at all is cheaper than following each change. */
const FOLLOWED_PART = 1 / 8;
const FOLLOWED_AT_LEAST = 64;
const NAMES_KEPT = 20_000;
/** When no node has room, for so long nobody looks for one. */
const ALL_FULL_MS = 200;

export interface FittingSources {
  fleet: Fleet;
  clock: Clock;
  handedOut: HandedOut;
  surveyor: Surveyor;
}

/** Which node a name belongs to, of those that fit one filter. */
export class Fitting {
  readonly #sources: FittingSources;
  readonly #filter: QueryFilter;
  readonly #bits: FilterBits;
  readonly #gauge: Gauge;
  readonly #setting: GaugeSetting;
  /** Slots by name. */
  readonly #found = new Map<number, number>();
  /** Undefined = whatever their tags. */
  readonly tagged: TaggedSlots | undefined;
  #tagVersion: number | undefined;
  #marked: ReadonlySet<number> | undefined;
  /** By slot, as in the ring; 0 = not in it. */
  #weights = new Float32Array(0);
  #ids = new Float64Array(0);
  #ring = new Ring(new Int32Array(0), [], [], 0);
  #position = -1;
  #day = 0;
  #builtAt = 0;
  #buildMs = 0;
  #allFullAt = Number.NEGATIVE_INFINITY;

  constructor(sources: FittingSources, filter: QueryFilter, tagged: TaggedSlots | undefined) {
    this.#sources = sources;
    this.tagged = tagged;
    this.#filter = filter;
    this.#gauge = new Gauge(filter.priority);
    this.#bits = {
      overseas: filter.region === "all" ? -1 : filter.region === "overseas" ? 1 : 0,
      relay: filter.relayOnly,
      transport: filter.transport === null ? 0 : transportBit(filter.transport),
    };
    const { fleet, surveyor, clock } = sources;
    const now = clock.now();
    const survey = surveyor.survey(now);
    this.#setting = { columns: fleet.columns, survey, clientFactor: 1, stayMs: 1, now, today: 0 };
  }

  /** Slots held in memory. */
  get size(): number {
    return this.#weights.length;
  }

  find(key: NameKey, now: number, excluded: ReadonlySet<number>): number | undefined {
    this.#aim(now);
    this.#follow(now);
    const standing = (slot: number) => (excluded.has(slot) ? "out" : this.#standing(slot));
    const known = this.#found.get(key.id);
    if (known !== undefined && standing(known) === "open") return known;
    const found = this.#ring.find(key, standing);
    if (found && standing(found.slot) === "full") this.#allFullAt = now;
    if (found && !found.isSecond && excluded.size === 0) {
      if (this.#found.size >= NAMES_KEPT) this.#found.clear();
      this.#found.set(key.id, found.slot);
    }
    return found?.slot;
  }

  #aim(now: number): void {
    const { fleet, handedOut, surveyor } = this.#sources;
    const setting = this.#setting;
    setting.survey = surveyor.survey(now);
    setting.columns = fleet.columns;
    setting.clientFactor = handedOut.clientFactor(now);
    setting.stayMs = handedOut.stayMs;
    setting.now = now;
    setting.today = dayOf(now);
  }

  #standing(slot: number): Standing {
    const { columns, now } = this.#setting;
    if (!isWanted(columns, slot, this.#bits, now)) return "out";
    if (!hasQuota(columns, slot, now)) return "out";
    if (now >= this.#allFullAt && now < this.#allFullAt + ALL_FULL_MS) return "open";
    this.#gauge.read(slot, this.#setting);
    return this.#gauge.load < FULL * this.#gauge.capacity ? "open" : "full";
  }

  /** Looks at all nodes again when one has come, gone or changed what it states. */
  #follow(now: number): void {
    const { changes } = this.#sources.fleet;
    const { position } = changes;
    if (position === this.#position && this.#setting.today === this.#day) return;
    const age = now - this.#builtAt;
    const isFirst = this.#position === -1;
    if (!isFirst && age >= 0 && age * REBUILD_SHARE < this.#buildMs) return;
    if (isFirst || this.#setting.today !== this.#day || this.#hasChanged()) this.#build(now);
    this.#position = position;
  }

  #hasChanged(): boolean {
    const { fleet } = this.#sources;
    const { changes, columns } = fleet;
    if (this.tagged?.version !== this.#tagVersion) return true;
    const behind = changes.position - this.#position;
    const most = FOLLOWED_AT_LEAST + fleet.end * FOLLOWED_PART;
    if (behind > most || !changes.reaches(this.#position)) return true;
    for (let at = this.#position; at < changes.position; at++) {
      const slot = changes.at(at);
      const weight = this.#covers(slot) ? this.#weightOf(slot) : 0;
      if (weight !== (this.#weights[slot] ?? 0)) return true;
      if (weight > 0 && columns.id[slot] !== this.#ids[slot]) return true;
    }
    return false;
  }

  /** 0 = it may have no names. A quota that ends is seen when the node is looked at. */
  #weightOf(slot: number): number {
    const { columns, now, survey } = this.#setting;
    if (!isWanted(columns, slot, this.#bits, now)) return 0;
    return standingWeight(columns, slot, this.#filter.priority, survey);
  }

  #build(now: number): void {
    const { fleet, clock } = this.#sources;
    const { id } = fleet.columns;
    const startedAt = clock.now();
    this.#tagVersion = this.tagged?.version;
    this.#marked = this.tagged && new Set(this.tagged.slots);
    this.#weights = new Float32Array(fleet.end);
    this.#ids = id.slice(0, fleet.end);
    const slots = new Int32Array(fleet.end);
    let count = 0;
    for (let slot = 0; slot < fleet.end; slot++) {
      if (!this.#covers(slot)) continue;
      const weight = this.#weightOf(slot);
      if (weight === 0) continue;
      this.#weights[slot] = weight;
      slots[count++] = slot;
    }
    this.#ring = new Ring(slots.subarray(0, count), id, this.#weights, fleet.size);
    this.#found.clear();
    this.#day = this.#setting.today;
    this.#builtAt = now;
    this.#buildMs = Math.max(0, clock.now() - startedAt);
  }

  #covers(slot: number): boolean {
    return this.#marked === undefined || this.#marked.has(slot);
  }
}
