/** Wall-clock time in milliseconds since 1970. */
interface Clock {
  now(): number;
}

/** `burst` attempts at once, and then one more each `intervalMs`. */
export interface Allowance {
  burst: number;
  intervalMs: number;
}

const LARGEST_SIZE = 50_000;

/**
 * Counts attempts per key in bounded memory, by the generic cell rate algorithm: of each key only
 * the time is kept at which its allowance will be whole again. When there are too many keys, the
 * one that was quiet longest is forgotten.
 */
export class Attempts {
  readonly #clock: Clock;
  readonly #allowance: Allowance;
  readonly #largestSize: number;
  readonly #wholeAt = new Map<string, number>();

  constructor(clock: Clock, allowance: Allowance, largestSize = LARGEST_SIZE) {
    this.#clock = clock;
    this.#allowance = allowance;
    this.#largestSize = largestSize;
  }

  get size(): number {
    return this.#wholeAt.size;
  }

  /** Milliseconds until the key may try `count` times at once, 0 when it may now. */
  waitMs(key: string, count = 1): number {
    const { burst, intervalMs } = this.#allowance;
    const now = this.#clock.now();
    const wholeAt = this.#wholeAt.get(key) ?? now;
    return Math.max(0, wholeAt - (burst - count) * intervalMs - now);
  }

  take(key: string, count = 1): void {
    const now = this.#clock.now();
    const wholeAt =
      Math.max(this.#wholeAt.get(key) ?? now, now) + count * this.#allowance.intervalMs;
    this.#wholeAt.delete(key);
    this.#wholeAt.set(key, wholeAt);
    if (this.#wholeAt.size > this.#largestSize) this.#forgetOldest();
  }

  /** Undoes one `take`: the attempt turned out not to be one. */
  giveBack(key: string): void {
    const wholeAt = this.#wholeAt.get(key);
    if (wholeAt === undefined) return;
    if (wholeAt - this.#allowance.intervalMs <= this.#clock.now()) this.#wholeAt.delete(key);
    else this.#wholeAt.set(key, wholeAt - this.#allowance.intervalMs);
  }

  #forgetOldest(): void {
    for (const key of this.#wholeAt.keys()) {
      this.#wholeAt.delete(key);
      return;
    }
  }
}
