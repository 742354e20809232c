import { distance, hashOfId, lot, type NameKey } from "./rendezvous.ts";

/** Beyond so many nodes they lie in groups, and a name belongs to a group first. */
export const NODES_PER_GROUP = 8_192;

/** Whether a node takes names now: a full one only when no other does. */
export type Standing = "open" | "full" | "out";

export interface Found {
  slot: number;
  /** Whether it has the name only because a nearer node is full. */
  isSecond: boolean;
}

/**
 * Who of some nodes has which name. In huge fleets a name draws the order of the groups first, all
 * alike, so that it is compared with the nodes of one group only: those of the first in which one is
 * open. Which group a node is in, its id decides.
 */
export class Ring {
  readonly length: number;
  readonly #slots: Int32Array;
  readonly #hashes: Int32Array;
  readonly #weights: Float64Array;
  /** Where each group begins, and the end of the last. */
  readonly #starts: Int32Array;

  /**
   * @param ids of the nodes, by slot
   * @param weights by slot, above 0
   * @param fleetSize decides how many groups there are, the same under every filter
   */
  constructor(
    slots: Int32Array,
    ids: ArrayLike<number>,
    weights: ArrayLike<number>,
    fleetSize: number,
  ) {
    const groups = 2 ** Math.max(0, Math.ceil(Math.log2(fleetSize / NODES_PER_GROUP)));
    this.length = slots.length;
    this.#slots = new Int32Array(this.length);
    this.#hashes = new Int32Array(this.length);
    this.#weights = new Float64Array(this.length);
    this.#starts = new Int32Array(groups + 1);
    const hashes = Int32Array.from(slots, (slot) => hashOfId(ids[slot] as number));
    const next = new Int32Array(groups);
    for (const hashed of hashes) {
      const group = hashed & (groups - 1);
      next[group] = (next[group] as number) + 1;
    }
    for (let group = 0; group < groups; group++) {
      const start = this.#starts[group] as number;
      this.#starts[group + 1] = start + (next[group] as number);
      next[group] = start;
    }
    for (let index = 0; index < slots.length; index++) {
      const hashed = hashes[index] as number;
      const group = hashed & (groups - 1);
      const at = next[group] as number;
      next[group] = at + 1;
      this.#slots[at] = slots[index] as number;
      this.#hashes[at] = hashed;
      this.#weights[at] = weights[slots[index] as number] as number;
    }
  }

  /**
   * The node that has the name: the nearest that is open, the nearest of all that are left when none
   * is; undefined when none is left.
   */
  find(key: NameKey, standing: (slot: number) => Standing): Found | undefined {
    let full = -1;
    for (const group of this.#groupsOf(key)) {
      const found = this.#findIn(group, key, standing);
      if (full === -1) full = found.full;
      if (found.open !== -1) return { slot: found.open, isSecond: full !== -1 };
    }
    return full === -1 ? undefined : { slot: full, isSecond: true };
  }

  *#groupsOf(key: NameKey): Iterable<number> {
    const groups = this.#starts.length - 1;
    if (groups === 1) {
      yield 0;
      return;
    }
    const order = Array.from({ length: groups }, (_, group) => ({
      group,
      drawn: lot(key, hashOfId(-1 - group)),
    }));
    for (const { group } of order.sort((a, b) => b.drawn - a.drawn)) yield group;
  }

  #findIn(group: number, key: NameKey, standing: (slot: number) => Standing) {
    const end = this.#starts[group + 1] as number;
    let open = -1;
    let full = -1;
    let nearest = Number.POSITIVE_INFINITY;
    let nearestFull = Number.POSITIVE_INFINITY;
    for (let at = this.#starts[group] as number; at < end; at++) {
      const drawn = lot(key, this.#hashes[at] as number);
      const weight = this.#weights[at] as number;
      // −ln(x) is never below 1 − x: most are too far without the logarithm.
      if (1 - drawn >= nearest * weight) continue;
      const far = distance(drawn, weight);
      if (far >= nearest) continue;
      const slot = this.#slots[at] as number;
      const found = standing(slot);
      if (found === "open") {
        open = slot;
        nearest = far;
      } else if (found === "full" && far < nearestFull) {
        full = slot;
        nearestFull = far;
      }
    }
    return { open, full: nearestFull < nearest ? full : -1 };
  }
}
