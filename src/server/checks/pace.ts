/** Part of the interval from one id's turn to the next one's: any run of ids is spread evenly. */
const GOLDEN_RATIO = (Math.sqrt(5) - 1) / 2;
/** Turns that were missed for longer, as by a machine that slept, are left to the next interval. */
const CATCH_UP_MS = 10_000;

/**
 * When whose turn is: each id has a fixed place in the interval, and intervals are counted from
 * 1970. So everybody comes exactly once in any stretch as long as the interval, whoever joins or
 * leaves meanwhile and whenever the process starts, and nothing has to be remembered.
 */
export class Pace {
  readonly #intervalMs: number;
  #at: number;
  #from = 0;
  #to = 0;

  /** @param now the turns after it count; a whole number, as the interval */
  constructor(intervalMs: number, now: number) {
    this.#intervalMs = intervalMs;
    this.#at = now;
  }

  /** Moves on to `now`; from then on `isDue` speaks of the time since the call before. */
  advance(now: number): void {
    const since = Math.max(this.#at, now - CATCH_UP_MS);
    this.#at = now;
    this.#from = this.#placeOf(Math.min(since, now));
    this.#to = this.#placeOf(now);
  }

  isDue(id: number): boolean {
    const turn = turnOf(id);
    if (this.#from <= this.#to) return turn > this.#from && turn <= this.#to;
    return turn > this.#from || turn <= this.#to;
  }

  /** How far into the stretch its turn lies, to put those that are due in order. */
  order(id: number): number {
    const turn = turnOf(id);
    return turn > this.#from ? turn : turn + 1;
  }

  #placeOf(at: number): number {
    return (at % this.#intervalMs) / this.#intervalMs;
  }
}

/** The place of an id in the interval, above 0 and below 1. */
function turnOf(id: number): number {
  const turns = id * GOLDEN_RATIO;
  return turns - Math.floor(turns);
}
