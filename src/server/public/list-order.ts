import type { Fleet } from "../nodes/fleet.ts";

/** The listed nodes at one moment: online first, then the others, each by id. */
export class ListOrder {
  readonly version: number;
  readonly at: number;
  readonly slots: Int32Array;
  readonly ids: Float64Array;
  /** How many of them were online. */
  readonly online: number;

  private constructor(fleet: Fleet, at: number, slots: Int32Array, online: number) {
    this.version = fleet.version;
    this.at = at;
    this.slots = slots;
    this.online = online;
    this.ids = Float64Array.from(slots, (slot) => fleet.columns.id[slot] as number);
  }

  static of(fleet: Fleet, now: number): ListOrder {
    const { totals, columns } = fleet;
    const slots = new Int32Array(totals.total);
    let online = 0;
    let others = totals.online;
    for (const slot of fleet.slotsById()) {
      if (!fleet.isListed(slot)) continue;
      if (columns.online[slot] === 1) slots[online++] = slot;
      else slots[others++] = slot;
    }
    return new ListOrder(fleet, now, slots, online);
  }

  get length(): number {
    return this.slots.length;
  }

  /** The largest id; 0 when the list is empty. */
  get newestId(): number {
    return Math.max(this.ids[this.online - 1] ?? 0, this.ids.at(-1) ?? 0);
  }

  /** Whether the place still holds the node it held, and the node is still listed. */
  isCurrent(place: number, fleet: Fleet): boolean {
    const slot = this.slots[place] as number;
    return fleet.columns.id[slot] === this.ids[place] && fleet.isListed(slot);
  }

  /** The first place behind a node, wherever it stands now. */
  placeAfter(id: number, fleet: Fleet): number {
    const slot = fleet.slotOf(id);
    const isOffline =
      slot !== undefined && fleet.isListed(slot) && fleet.columns.online[slot] === 0;
    // Behind a node that is gone, seeing some others twice is better than missing some.
    return isOffline
      ? this.#firstAbove(id, this.online, this.length)
      : this.#firstAbove(id, 0, this.online);
  }

  #firstAbove(id: number, from: number, to: number): number {
    let low = from;
    let high = to;
    while (low < high) {
      const middle = (low + high) >> 1;
      if ((this.ids[middle] as number) > id) high = middle;
      else low = middle + 1;
    }
    return low;
  }
}
