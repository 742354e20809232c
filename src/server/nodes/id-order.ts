const FIRST_CAPACITY = 1024;

/** The slots in the order of their nodes' ids. */
export class IdOrder {
  #ids = new Float64Array(FIRST_CAPACITY);
  #slots = new Int32Array(FIRST_CAPACITY);
  #count = 0;
  /** Entries of nodes that are gone. */
  #stale = 0;

  reserve(capacity: number): void {
    if (capacity <= this.#ids.length) return;
    const ids = new Float64Array(capacity);
    const slots = new Int32Array(capacity);
    ids.set(this.#ids);
    slots.set(this.#slots);
    this.#ids = ids;
    this.#slots = slots;
  }

  /** Ids are counted up, so the place is at the end or close to it. */
  add(id: number, slot: number): void {
    if (this.#count === this.#ids.length) this.reserve(this.#count * 2);
    let at = this.#count++;
    while (at > 0 && (this.#ids[at - 1] as number) > id) {
      this.#ids[at] = this.#ids[at - 1] as number;
      this.#slots[at] = this.#slots[at - 1] as number;
      at--;
    }
    this.#ids[at] = id;
    this.#slots[at] = slot;
  }

  /** Called for every node that goes. */
  forgetOne(): void {
    this.#stale++;
  }

  /**
   * All slots, until the next change.
   * @param idOf the id of each slot now
   */
  slots(idOf: Float64Array): Int32Array {
    if (this.#stale > 0) this.#compact(idOf);
    return this.#slots.subarray(0, this.#count);
  }

  /** The first `limit` slots whose ids are above `after`. */
  slotsAfter(after: number, limit: number, idOf: Float64Array): Int32Array {
    const slots = this.slots(idOf);
    let low = 0;
    let high = slots.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      if ((this.#ids[middle] as number) > after) high = middle;
      else low = middle + 1;
    }
    return slots.subarray(low, low + limit);
  }

  #compact(idOf: Float64Array): void {
    let kept = 0;
    for (let at = 0; at < this.#count; at++) {
      const id = this.#ids[at] as number;
      const slot = this.#slots[at] as number;
      const isSeen = kept > 0 && this.#ids[kept - 1] === id;
      if (isSeen || idOf[slot] !== id) continue;
      this.#ids[kept] = id;
      this.#slots[kept] = slot;
      kept++;
    }
    this.#count = kept;
    this.#stale = 0;
  }
}
