import type { Bytes } from "./counters.ts";

const BITS = 8;

/** Bandwidth in use: that of the busier direction, because a link carries both at once. */
export class Meter {
  #bytes: Bytes = { in: 0n, out: 0n };
  #since: number | undefined;

  /**
   * @param passed since the last call; the first call begins the measurement, and what passed
   *   before it does not count
   * @param now milliseconds that only grow
   */
  add(passed: Bytes, now: number): void {
    if (this.#since === undefined) {
      this.#since = now;
      return;
    }
    this.#bytes = { in: this.#bytes.in + passed.in, out: this.#bytes.out + passed.out };
  }

  /** Mbit/s since it was last asked. */
  take(now: number): number {
    const { in: inward, out: outward } = this.#bytes;
    const busier = inward > outward ? inward : outward;
    const elapsedMs = now - (this.#since ?? now);
    this.#bytes = { in: 0n, out: 0n };
    if (this.#since !== undefined) this.#since = now;
    if (elapsedMs <= 0) return 0;
    // Bits in a millisecond are kbit/s.
    return Math.round((Number(busier) * BITS) / elapsedMs) / 1_000;
  }
}
