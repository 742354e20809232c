import type { Fleet } from "../nodes/fleet.ts";

/** The listed nodes at one moment: online first, then the others, each by id. */
export class ListOrder {
  readonly version: number;
  readonly at: number;
  readonly slots: Int32Array;
  readonly ids: Float64Array;
  /** How many of them were online. */
  readonly online: number;

  constructor(fleet: Fleet, at: number) {
    const { totals, columns } = fleet;
    this.version = fleet.version;
    this.at = at;
    this.online = totals.online;
    this.slots = new Int32Array(totals.total);
    this.ids = new Float64Array(totals.total);
    let online = 0;
    let others = totals.online;
    const all = fleet.slotsById();
    for (let index = 0; index < all.length; index++) {
      const slot = all[index] as number;
      if (!fleet.isListed(slot)) continue;
      const place = columns.online[slot] === 1 ? online++ : others++;
      this.slots[place] = slot;
      this.ids[place] = columns.id[slot] as number;
    }
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
