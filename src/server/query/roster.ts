import type { TaggedSlots } from "../nodes/tag-index.ts";

/** Which slots a selector covers, and the position of each: all of the fleet, or a tag's nodes. */
export class Roster {
  readonly length: number;
  /** Ascending; null = position and slot are the same. */
  readonly #slots: Int32Array | null;

  constructor(length: number, slots: Int32Array | null) {
    this.length = length;
    this.#slots = slots;
  }

  static ofAll(end: number): Roster {
    return new Roster(end, null);
  }

  static ofTag(tagged: TaggedSlots): Roster {
    return new Roster(tagged.slots.length, Int32Array.from(tagged.slots).sort());
  }

  slotAt(position: number): number {
    return this.#slots === null ? position : (this.#slots[position] as number);
  }

  /** -1 when the slot is not covered. */
  positionOf(slot: number): number {
    const slots = this.#slots;
    if (slots === null) return slot;
    let low = 0;
    let high = slots.length - 1;
    while (low <= high) {
      const middle = (low + high) >>> 1;
      const found = slots[middle] as number;
      if (found === slot) return middle;
      if (found < slot) low = middle + 1;
      else high = middle - 1;
    }
    return -1;
  }
}
