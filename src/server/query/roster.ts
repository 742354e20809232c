import type { TaggedSlots } from "../nodes/tag-index.ts";
import type { Panel } from "./panel.ts";

/**
 * Which slots a selector covers, and the position of each: all of the fleet, a tag's nodes, or a
 * panel of those that fit.
 */
export class Roster {
  readonly length: number;
  /** The part of the fleet, or of the tag's nodes, that these stand for. */
  readonly share: number;
  /** Whether nodes that do not fit the filter were left out. */
  readonly isPanel: boolean;
  /** Ascending; null = position and slot are the same. */
  readonly #slots: Int32Array | null;

  private constructor(length: number, slots: Int32Array | null, panel?: Panel) {
    this.length = length;
    this.share = panel?.share ?? 1;
    this.isPanel = panel !== undefined;
    this.#slots = slots;
  }

  static ofAll(end: number): Roster {
    return new Roster(end, null);
  }

  static ofTag(tagged: TaggedSlots): Roster {
    return new Roster(tagged.slots.length, Int32Array.from(tagged.slots).sort());
  }

  static ofPanel(panel: Panel): Roster {
    return new Roster(panel.slots.length, panel.slots, panel);
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
