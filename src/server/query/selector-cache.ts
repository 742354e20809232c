import type { Fleet } from "../nodes/fleet.ts";
import type { TaggedSlots } from "../nodes/tag-index.ts";
import { filterCode, type QueryFilter } from "./filter.ts";
import { Selector, type SelectorSources } from "./selector.ts";

/** Positions kept over all selectors; each costs some 13 bytes. */
const POSITIONS_KEPT = 1 << 22;
const SELECTORS_KEPT = 1024;

interface Entry {
  readonly selector: Selector;
  readonly tagged: TaggedSlots | null;
  usedAt: number;
}

/** One selector per filter that is asked for; those unused for longest go first. */
export class SelectorCache {
  readonly #sources: SelectorSources;
  readonly #fleet: Fleet;
  readonly #entries = new Map<number | string, Entry>();
  #uses = 0;

  constructor(sources: SelectorSources) {
    this.#sources = sources;
    this.#fleet = sources.fleet;
  }

  get size(): number {
    return this.#entries.size;
  }

  /** Undefined when no node carries the tag. */
  find(filter: QueryFilter): Selector | undefined {
    const code = filterCode(filter);
    if (filter.tagKey === "") return this.#get(code, filter, null);
    const tagged = this.#fleet.tags.find(filter.tagKey);
    return tagged && this.#get(`${code} ${filter.tagKey}`, filter, tagged);
  }

  #get(key: number | string, filter: QueryFilter, tagged: TaggedSlots | null): Selector {
    let entry = this.#entries.get(key);
    if (!entry || entry.tagged !== tagged) {
      this.#makeRoom();
      entry = { selector: new Selector(this.#sources, filter, tagged), tagged, usedAt: 0 };
      this.#entries.set(key, entry);
    }
    entry.usedAt = ++this.#uses;
    return entry.selector;
  }

  #makeRoom(): void {
    let positions = 0;
    for (const { selector } of this.#entries.values()) positions += selector.size;
    if (positions <= POSITIONS_KEPT && this.#entries.size < SELECTORS_KEPT) return;
    const oldestFirst = [...this.#entries].sort(([, a], [, b]) => a.usedAt - b.usedAt);
    for (const [key, { selector }] of oldestFirst) {
      if (positions <= POSITIONS_KEPT / 2 && this.#entries.size <= SELECTORS_KEPT / 2) return;
      positions -= selector.size;
      this.#entries.delete(key);
    }
  }
}
