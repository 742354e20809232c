import type { TaggedSlots } from "../nodes/tag-index.ts";
import { filterCode, type QueryFilter } from "./filter.ts";
import { Fitting, type FittingSources } from "./fitting.ts";
import { nameKeyOf, type NameKey } from "./rendezvous.ts";

/** For so long an answer may be kept; within it, a name is counted as handed out once. */
export const ANSWER_LIFE_MS = 10_000;
const NAMES_COUNTED = 20_000;
const FILTERS_KEPT = 64;
/** Slots kept over all filters, twelve bytes each. */
const SLOTS_KEPT = 1 << 22;

/** Lets each name keep its node, as long as that one is there and has room. */
export class Affinity {
  readonly #sources: FittingSources;
  /** The filter that was asked for most recently is the last. */
  readonly #fittings = new Map<string, Fitting>();
  /** When a name was last counted as handed out. */
  readonly #counted = new Map<number, number>();
  #latest: Fitting | undefined;

  constructor(sources: FittingSources) {
    this.#sources = sources;
  }

  /** The slot of the node for a name; undefined when none is eligible. It counts as handed out. */
  pick(
    name: string,
    filter: QueryFilter,
    now: number,
    excluded: ReadonlySet<number>,
  ): number | undefined {
    const tagged = filter.tagKey === "" ? undefined : this.#sources.fleet.tags.find(filter.tagKey);
    if (filter.tagKey !== "" && !tagged) return undefined;
    const key = nameKeyOf(name);
    const slot = this.#fitting(filter, tagged).find(key, now, excluded);
    if (slot !== undefined) this.#count(key, slot, now);
    return slot;
  }

  /** Once in the time for which the answer may be kept: a client that asks each second is one client. */
  #count({ id }: NameKey, slot: number, now: number): void {
    const before = this.#counted.get(id);
    if (before !== undefined && now >= before && now - before < ANSWER_LIFE_MS) return;
    if (this.#counted.size >= NAMES_COUNTED) this.#counted.clear();
    this.#counted.set(id, now);
    this.#sources.handedOut.add([slot], now);
  }

  #fitting(filter: QueryFilter, tagged: TaggedSlots | undefined): Fitting {
    const code = `${filterCode(filter)} ${filter.tagKey}`;
    let fitting = this.#fittings.get(code);
    if (fitting?.tagged !== tagged) fitting = undefined;
    if (fitting) {
      if (this.#latest === fitting) return fitting;
      this.#fittings.delete(code);
    } else {
      this.#makeRoom();
      fitting = new Fitting(this.#sources, filter, tagged);
    }
    this.#fittings.set(code, fitting);
    this.#latest = fitting;
    return fitting;
  }

  #makeRoom(): void {
    let held = 0;
    for (const each of this.#fittings.values()) held += each.size;
    for (const [code, each] of this.#fittings) {
      if (held <= SLOTS_KEPT && this.#fittings.size < FILTERS_KEPT) return;
      held -= each.size;
      this.#fittings.delete(code);
    }
  }
}
