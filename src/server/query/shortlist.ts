import type { Chance } from "../lib/chance.ts";
import { transportBit } from "../nodes/transport-bits.ts";
import { hasQuota, isWanted, type FilterBits, type QueryFilter } from "./filter.ts";
import type { FittingSources } from "./fitting.ts";
import { Gauge, type GaugeSetting } from "./gauge.ts";
import { readQuery } from "./input.ts";
import { renew, type Candidate, type Standing } from "./renewal.ts";
import type { SelectorCache } from "./selector-cache.ts";
import { standingWeight } from "./standing-weight.ts";
import { dayOf } from "./traffic-budget.ts";

export interface ShortlistSources extends FittingSources {
  selectors: SelectorCache;
  chance: Chance;
}

/** A node of a list. */
export interface Listed {
  id: number;
  /** Its capacity over the fleet's median, as for names: it says nothing of how busy it is. */
  weight: number;
}

/** A node this full takes nobody while another has room. */
const FULL = 0.95;
const nobody: ReadonlySet<number> = new Set();

/**
 * Lists of nodes that many read for a long time. Nothing counts as handed out: how many come by a list,
 * only the reports of its nodes tell.
 */
export class Shortlist {
  readonly #sources: ShortlistSources;

  constructor(sources: ShortlistSources) {
    this.#sources = sources;
  }

  /**
   * The list after `before`, whose nodes stay for as long as they can be used and no other is much
   * emptier. Shorter than asked for when fewer can be used.
   * @param wish in the shape of the body of a query; `limit` is the length
   * @param before ids of nodes
   * @throws AppError invalid_request with the fields that are wrong
   */
  renew(wish: unknown, before: readonly number[]): Listed[] {
    const { filter, limit } = readQuery(wish);
    const look = this.#look(filter);
    const ids = renew({
      most: limit,
      before: before.map(look.at),
      draw: (count, listed) => this.#draw(filter, count, listed).map(look.at),
    });
    return ids.flatMap((id) => look.listed(id));
  }

  /** Whether each of the nodes can be used now. @param wish as above */
  areUsable(wish: unknown, ids: readonly number[]): boolean {
    const { filter } = readQuery(wish);
    const look = this.#look(filter);
    return ids.every((id) => ["open", "full"].includes(look.at(id).standing));
  }

  #draw(filter: QueryFilter, count: number, listed: readonly number[]): number[] {
    const { selectors, clock, chance, fleet } = this.#sources;
    const selector = selectors.find(filter);
    if (!selector) return [];
    const now = clock.now();
    const excluded = new Set(listed.flatMap((id) => fleet.slotOf(id) ?? []));
    selector.prepare(now, count);
    let slots = selector.draw(count, excluded, chance);
    if (slots.length < count && !selector.isComplete) {
      selector.widen(now, count);
      slots = selector.draw(count, excluded, chance);
    }
    return slots.map((slot) => fleet.columns.id[slot] as number);
  }

  #look(filter: QueryFilter) {
    const { fleet, clock, surveyor, handedOut } = this.#sources;
    const now = clock.now();
    const setting: GaugeSetting = {
      columns: fleet.columns,
      survey: surveyor.survey(now),
      clientFactor: handedOut.clientFactor(now),
      stayMs: handedOut.stayMs,
      now,
      today: dayOf(now),
    };
    const gauge = new Gauge(filter.priority);
    const bits = toBits(filter);
    const tagged = this.#taggedSlots(filter);
    return {
      at: (id: number): Candidate => {
        const slot = fleet.slotOf(id);
        if (slot === undefined || (tagged && !tagged.has(slot))) return out(id);
        gauge.read(slot, setting);
        const fill = gauge.load / gauge.capacity;
        return { id, standing: standingOf(setting, slot, bits, fill), fill };
      },
      listed: (id: number): Listed[] => {
        const slot = fleet.slotOf(id);
        if (slot === undefined) return [];
        const { columns, survey } = setting;
        return [{ id, weight: standingWeight(columns, slot, filter.priority, survey) }];
      },
    };
  }

  /** Undefined: whatever their tags. */
  #taggedSlots({ tagKey }: QueryFilter): ReadonlySet<number> | undefined {
    if (tagKey === "") return undefined;
    const tagged = this.#sources.fleet.tags.find(tagKey);
    return tagged ? new Set(tagged.slots) : nobody;
  }
}

function out(id: number): Candidate {
  return { id, standing: "out", fill: 1 };
}

function standingOf(
  { columns, now }: GaugeSetting,
  slot: number,
  bits: FilterBits,
  fill: number,
): Standing {
  if (isWanted(columns, slot, bits, now) && hasQuota(columns, slot, now)) {
    return fill < FULL ? "open" : "full";
  }
  return isOut({ columns, now }, slot, bits) ? "out" : "down";
}

/** Whether somebody has taken it out: silence, a failed check and a used quota pass by themselves. */
function isOut(
  { columns: c, now }: Pick<GaugeSetting, "columns" | "now">,
  slot: number,
  bits: FilterBits,
): boolean {
  return (
    c.enabled[slot] !== 1 ||
    (c.expiresAt[slot] as number) <= now ||
    (bits.overseas >= 0 && c.overseas[slot] !== bits.overseas) ||
    (bits.relay && c.relay[slot] !== 1) ||
    (bits.transport !== 0 && ((c.transports[slot] as number) & bits.transport) === 0)
  );
}

function toBits({ region, relayOnly, transport }: QueryFilter): FilterBits {
  return {
    overseas: region === "all" ? -1 : region === "overseas" ? 1 : 0,
    relay: relayOnly,
    transport: transport === null ? 0 : transportBit(transport),
  };
}
