import { publicPageLimits, type PublicSearchQuery } from "../../shared/api/public.ts";
import type { Fleet } from "../nodes/fleet.ts";
import { toTagKey } from "../nodes/tag-index.ts";
import { ListFilter } from "./list-filter.ts";
import type { ListOrder } from "./list-order.ts";
import { SearchTexts } from "./search-texts.ts";

/** One page of what was looked for. */
export interface FoundPage {
  slots: number[];
  /** How many fit, on all pages. */
  found: number;
  total: number;
}

/** Finds nodes of the public list for somebody who looks for them. */
export class PublicSearch {
  readonly #fleet: Fleet;
  readonly #texts: SearchTexts;

  constructor(fleet: Fleet) {
    this.#fleet = fleet;
    this.#texts = new SearchTexts(fleet);
  }

  /** In the list's own order. */
  find(query: PublicSearchQuery, order: ListOrder): FoundPage {
    const { limit = publicPageLimits.standardNodes, offset = 0 } = query;
    const wants = this.#toTest(query);
    const slots: number[] = [];
    let found = 0;
    let total = 0;
    for (let place = 0; place < order.length; place++) {
      if (!order.isCurrent(place, this.#fleet)) continue;
      total++;
      const slot = order.slots[place] as number;
      if (!wants(slot)) continue;
      if (found >= offset && slots.length < limit) slots.push(slot);
      found++;
    }
    return { slots, found, total };
  }

  /** Of listed nodes, in lower case. */
  tags(): string[] {
    const used: string[] = [];
    for (const [tag, { slots }] of this.#fleet.tags.entries()) {
      if (slots.some((slot) => this.#fleet.isListed(slot))) used.push(tag);
    }
    return used.toSorted((a, b) => (a < b ? -1 : 1)).slice(0, publicPageLimits.tags);
  }

  #toTest({ text = "", region, tag = "", relay = false }: PublicSearchQuery) {
    const words = text.toLowerCase().split(/\s+/).filter(Boolean);
    const { columns } = this.#fleet;
    const filter = new ListFilter(this.#fleet, {
      region,
      tag: toTagKey(tag) || undefined,
      status: undefined,
    });
    return (slot: number): boolean =>
      filter.wants(slot) &&
      (!relay || columns.relay[slot] === 1) &&
      (words.length === 0 || this.#texts.hold(slot, words));
  }
}
