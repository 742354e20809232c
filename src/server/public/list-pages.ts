import type { Fleet } from "../nodes/fleet.ts";
import { ListFilter } from "./list-filter.ts";
import { ListOrder } from "./list-order.ts";
import { keyOf, type ListQuery } from "./list-query.ts";
import { PageMemory, type PageEnd } from "./page-memory.ts";

/** Picks the slots of one page, and lets the next page go on where it ended. */
export class ListPages {
  readonly #fleet: Fleet;
  readonly #memory = new PageMemory();

  constructor(fleet: Fleet) {
    this.#fleet = fleet;
  }

  /** @param current the order as it is now */
  pick(query: ListQuery, current: ListOrder, now: number): number[] {
    const start = this.#startOf(query, current, now);
    const filter = new ListFilter(this.#fleet, query);
    const slots: number[] = [];
    const { order } = start;
    let { place } = start;
    for (; place < order.length && slots.length < query.limit; place++) {
      const slot = order.slots[place] as number;
      if (order.isCurrent(place, this.#fleet) && filter.wants(slot)) slots.push(slot);
    }
    if (slots.length === query.limit) {
      const last = this.#fleet.columns.id[slots.at(-1) as number] as number;
      this.#memory.add(keyOf({ ...query, after: last }), { order, place }, now);
    } else if (order !== current) {
      this.#addNewcomers(slots, order.newestId, current, filter, query.limit);
    }
    return slots;
  }

  #startOf(query: ListQuery, current: ListOrder, now: number): PageEnd {
    if (query.after === 0) return { order: current, place: 0 };
    const remembered = this.#memory.find(keyOf(query), now);
    return remembered ?? { order: current, place: current.placeAfter(query.after, this.#fleet) };
  }

  /** Nodes that were created while the list was being read come at its end. */
  #addNewcomers(
    slots: number[],
    newestId: number,
    current: ListOrder,
    filter: ListFilter,
    limit: number,
  ): void {
    for (let place = 0; place < current.length && slots.length < limit; place++) {
      const slot = current.slots[place] as number;
      const isNew = (current.ids[place] as number) > newestId;
      if (isNew && current.isCurrent(place, this.#fleet) && filter.wants(slot)) slots.push(slot);
    }
  }
}
