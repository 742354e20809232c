/**
 * Running sums over weights at positions `0 … size-1`: a weight changes and a position is found by
 * its share of the total in log2(size) steps. (P. Fenwick, "A new data structure for cumulative
 * frequency tables", 1994.)
 */
export class FenwickTree {
  readonly size: number;
  /** Node n, from 1, holds the sum of the last `n & -n` weights up to n. */
  readonly #sums: Float64Array;

  /** `size` must be a power of two. */
  constructor(size: number) {
    this.size = size;
    this.#sums = new Float64Array(size + 1);
  }

  get total(): number {
    return this.#sums[this.size] as number;
  }

  /** Sums everything afresh, which also ends the drift of many small changes. */
  build(weights: Float64Array): void {
    const sums = this.#sums;
    const { size } = this;
    sums.set(weights, 1);
    for (let node = 1; node <= size; node++) {
      const parent = node + (node & -node);
      if (parent <= size) sums[parent] = (sums[parent] as number) + (sums[node] as number);
    }
  }

  add(position: number, change: number): void {
    const sums = this.#sums;
    for (let node = position + 1; node <= this.size; node += node & -node) {
      sums[node] = (sums[node] as number) + change;
    }
  }

  /**
   * The first position whose running sum exceeds `target`; `size` when none does. Positions of
   * weight 0 are passed over, but for rounding: whoever asks checks what was found.
   */
  find(target: number): number {
    const sums = this.#sums;
    let position = 0;
    let rest = target;
    for (let step = this.size; step > 0; step >>>= 1) {
      const next = position + step;
      if (next > this.size) continue;
      const sum = sums[next] as number;
      if (sum <= rest) {
        position = next;
        rest -= sum;
      }
    }
    return position;
  }
}
