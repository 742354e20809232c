import type { Chance } from "../lib/chance.ts";
import { SumTree } from "./sum-tree.ts";

const ATTEMPTS = 3;

/**
 * Weighted positions to draw from. Drawing and setting the drawn weight to 0 until all are drawn
 * is sampling without replacement with the same outcome as the smallest of −ln(u)/weight
 * (Efraimidis and Spirakis, "Weighted random sampling with a reservoir", 2006).
 */
export class Urn {
  /** Weights may be written here in bulk, when `refilled` is called after. */
  readonly weights: Float64Array;
  readonly #tree: SumTree;
  #filled = 0;

  constructor(leastSize: number) {
    const size = 2 ** Math.ceil(Math.log2(Math.max(1, leastSize)));
    this.weights = new Float64Array(size);
    this.#tree = new SumTree(this.weights);
  }

  get size(): number {
    return this.weights.length;
  }

  /** How many positions have a weight above 0. */
  get filled(): number {
    return this.#filled;
  }

  get total(): number {
    return this.#tree.total;
  }

  refilled(): void {
    const { weights } = this;
    let filled = 0;
    for (let position = 0; position < weights.length; position++) {
      if ((weights[position] as number) > 0) filled++;
    }
    this.#filled = filled;
    this.#tree.build();
  }

  set(position: number, weight: number): void {
    const before = this.weights[position] as number;
    if (weight === before) return;
    this.weights[position] = weight;
    this.#tree.add(position, weight - before);
    if (before === 0) this.#filled++;
    else if (weight === 0) this.#filled--;
  }

  /** A position with a chance in proportion to its weight. Something must be filled. */
  draw(chance: Chance): number {
    for (let attempt = 0; attempt < ATTEMPTS; attempt++) {
      const position = this.#tree.find(chance() * this.#tree.total);
      if ((this.weights[position] ?? 0) > 0) return position;
      // Rounding led astray: large weights came and went and left dust among small ones.
      this.#tree.build();
    }
    return this.#search(chance);
  }

  /** The same by adding up all weights. */
  #search(chance: Chance): number {
    const { weights } = this;
    let rest = chance() * weights.reduce((sum, weight) => sum + weight, 0);
    let found = -1;
    for (let position = 0; position < weights.length && rest >= 0; position++) {
      const weight = weights[position] as number;
      if (weight === 0) continue;
      found = position;
      rest -= weight;
    }
    if (found === -1) throw new Error("drawing from an empty urn");
    return found;
  }
}
