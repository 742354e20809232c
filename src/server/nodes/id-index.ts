import { SlotTable } from "./slot-table.ts";

/** The way from a node's id to its slot. */
export class IdIndex {
  readonly #table = new SlotTable();
  size = 0;

  /** @param ids the id of each slot */
  find(id: number, ids: Float64Array): number | undefined {
    const hash = hashOf(id);
    let cell = this.#table.first(hash);
    while (cell !== -1) {
      const slot = this.#table.slotAt(cell);
      if (ids[slot] === id) return slot;
      cell = this.#table.next(hash, cell);
    }
    return undefined;
  }

  reserve(count: number): void {
    this.#table.reserve(count);
  }

  add(id: number, slot: number): void {
    this.#table.add(hashOf(id), slot);
    this.size++;
  }

  remove(id: number, slot: number): void {
    this.#table.remove(hashOf(id), slot);
    this.size--;
  }
}

/** Ids are counted up by the storage; Fibonacci hashing spreads runs of them. */
function hashOf(id: number): number {
  return Math.imul(id | 0, 0x9e3779b1) ^ (Math.floor(id / 0x1_0000_0000) | 0);
}
