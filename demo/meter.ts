/** Counts what happens, and how often it happens a second. */
export class Meter {
  total = 0;
  #before = 0;
  #since = performance.now();

  count(): void {
    this.total++;
  }

  /** Per second since the last call. */
  rate(): number {
    const now = performance.now();
    const rate = ((this.total - this.#before) * 1000) / Math.max(now - this.#since, 1);
    this.#before = this.total;
    this.#since = now;
    return rate;
  }
}
