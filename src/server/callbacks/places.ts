/** Who has waited for that long does nothing but wait. */
const SLOW_AFTER_MS = 1_000;

/** A place that is taken until it is given back. */
export interface Place {
  giveBack(): void;
}

/**
 * How much is done at once. Whoever takes long, waiting for a target that hangs, gives way after a
 * second, so that the others do not wait with it; only the sum of all is bounded then.
 */
export class Places {
  readonly #quickMost: number;
  readonly #most: number;
  readonly #onFree: () => void;
  #quick = 0;
  #slow = 0;

  /** @param onFree told when there is room again */
  constructor(quickMost: number, most: number, onFree: () => void) {
    this.#quickMost = quickMost;
    this.#most = most;
    this.#onFree = onFree;
  }

  get taken(): number {
    return this.#quick + this.#slow;
  }

  get free(): number {
    return Math.max(0, Math.min(this.#quickMost - this.#quick, this.#most - this.taken));
  }

  take(): Place {
    this.#quick++;
    let isSlow = false;
    let isTaken = true;
    const timer = setTimeout(() => {
      isSlow = true;
      this.#quick--;
      this.#slow++;
      this.#onFree();
    }, SLOW_AFTER_MS);
    timer.unref();
    return {
      giveBack: () => {
        if (!isTaken) return;
        isTaken = false;
        clearTimeout(timer);
        if (isSlow) this.#slow--;
        else this.#quick--;
        this.#onFree();
      },
    };
  }
}
