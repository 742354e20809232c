const FLOOR_MS = 10_000;
const GROW_AFTER_MS = 600_000;
const GROWTH = 1.25;

/**
 * How often a mapping is refreshed. A port that changes by itself says that the router forgot the
 * mapping in between: the interval is halved then, and grows back slowly.
 */
export class KeepAlivePace {
  readonly #configuredMs: number;
  #intervalMs: number;
  #steadySince: number;

  constructor(configuredMs: number, now: number) {
    this.#configuredMs = configuredMs;
    this.#intervalMs = configuredMs;
    this.#steadySince = now;
  }

  get intervalMs(): number {
    return this.#intervalMs;
  }

  portChanged(now: number): void {
    const floor = Math.min(FLOOR_MS, this.#configuredMs);
    this.#intervalMs = Math.max(floor, this.#intervalMs / 2);
    this.#steadySince = now;
  }

  answered(now: number): void {
    if (this.#intervalMs >= this.#configuredMs || now - this.#steadySince < GROW_AFTER_MS) return;
    this.#intervalMs = Math.min(this.#configuredMs, this.#intervalMs * GROWTH);
    this.#steadySince = now;
  }
}
