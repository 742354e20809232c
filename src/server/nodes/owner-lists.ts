const FIRST_CAPACITY = 1024;
const NONE = -1;

/** Which slots belong to which owner: one linked list per owner, eight bytes per node. */
export class OwnerLists {
  readonly #first = new Map<number, number>();
  #next = new Int32Array(FIRST_CAPACITY);
  #previous = new Int32Array(FIRST_CAPACITY);

  /** Any one slot of the owner. */
  firstOf(owner: number): number | undefined {
    return this.#first.get(owner);
  }

  /** The owner's slots, in no order. */
  of(owner: number): number[] {
    const slots: number[] = [];
    let slot = this.#first.get(owner) ?? NONE;
    while (slot !== NONE) {
      slots.push(slot);
      slot = this.#next[slot] as number;
    }
    return slots;
  }

  add(owner: number, slot: number): void {
    if (slot >= this.#next.length) this.reserve(Math.max(slot + 1, this.#next.length * 2));
    const first = this.#first.get(owner) ?? NONE;
    this.#next[slot] = first;
    this.#previous[slot] = NONE;
    if (first !== NONE) this.#previous[first] = slot;
    this.#first.set(owner, slot);
  }

  remove(owner: number, slot: number): void {
    const next = this.#next[slot] as number;
    const previous = this.#previous[slot] as number;
    if (next !== NONE) this.#previous[next] = previous;
    if (previous !== NONE) this.#next[previous] = next;
    else if (next !== NONE) this.#first.set(owner, next);
    else this.#first.delete(owner);
  }

  /** Makes room for slots below `capacity`. */
  reserve(capacity: number): void {
    if (capacity <= this.#next.length) return;
    this.#next = enlarged(this.#next, capacity);
    this.#previous = enlarged(this.#previous, capacity);
  }
}

function enlarged(from: Int32Array<ArrayBuffer>, capacity: number): Int32Array<ArrayBuffer> {
  const to = new Int32Array(capacity);
  to.set(from);
  return to;
}
