/** Where time comes from: milliseconds that only go forwards, and one call back at a time. */
export interface Timekeeper {
  now(): number;
  /** Calls `run` once in `delayMs` or a little later. @returns what takes that back */
  after(delayMs: number, run: () => void): () => void;
}

export const systemTimekeeper: Timekeeper = {
  now: () => performance.now(),
  after: (delayMs, run) => {
    const timer = setTimeout(run, delayMs);
    return () => clearTimeout(timer);
  },
};

/** A call that is due at some time. */
export interface WheelTimer {
  readonly tick: number;
  readonly run: () => void;
}

const TICK_MS = 5;
/** A power of two. One turn takes about ten seconds; what is due later stays in its slot. */
const SLOTS = 2048;

/**
 * Thousands of timers on a single one of the system. Times are absolute: what is planned from the
 * time that was due and not from the time it was called, does not drift.
 */
export class TimerWheel {
  readonly #time: Timekeeper;
  readonly #onError: (error: unknown) => void;
  readonly #slots: Set<WheelTimer>[] = Array.from({ length: SLOTS }, () => new Set());
  #size = 0;
  /** Everything up to here has been called. */
  #tick: number;
  #armedFor = Number.POSITIVE_INFINITY;
  #disarm: () => void = () => {};

  /** @param onError told what a call threw; the others are called all the same */
  constructor(time: Timekeeper, onError: (error: unknown) => void) {
    this.#time = time;
    this.#onError = onError;
    this.#tick = Math.floor(time.now() / TICK_MS);
  }

  get size(): number {
    return this.#size;
  }

  /** Calls `run` at the time `at` or up to 5 ms later; soon when it has passed. */
  at(at: number, run: () => void): WheelTimer {
    const tick = Math.max(Math.ceil(at / TICK_MS), this.#tick + 1);
    const timer: WheelTimer = { tick, run };
    this.#slotOf(tick).add(timer);
    this.#size++;
    if (tick < this.#armedFor) this.#arm(tick);
    return timer;
  }

  cancel(timer: WheelTimer | undefined): void {
    if (timer === undefined || !this.#slotOf(timer.tick).delete(timer)) return;
    this.#size--;
    if (this.#size > 0) return;
    this.#disarm();
    this.#armedFor = Number.POSITIVE_INFINITY;
  }

  #turn(): void {
    this.#armedFor = Number.POSITIVE_INFINITY;
    const until = Math.floor(this.#time.now() / TICK_MS);
    const from = this.#tick + 1;
    // What is planned meanwhile is due after all of these.
    this.#tick = Math.max(this.#tick, until);
    const last = Math.min(until, from + SLOTS - 1);
    for (let tick = from; tick <= last; tick++) this.#callDue(this.#slotOf(tick), until);
    if (this.#size > 0) this.#arm(this.#nextTick());
  }

  #callDue(slot: Set<WheelTimer>, until: number): void {
    for (const timer of slot) {
      if (timer.tick > until) continue;
      slot.delete(timer);
      this.#size--;
      try {
        timer.run();
      } catch (error) {
        this.#onError(error);
      }
    }
  }

  /** The first tick with a timer, or the end of the turn. */
  #nextTick(): number {
    const end = this.#tick + SLOTS;
    let tick = this.#tick + 1;
    while (tick < end && this.#slotOf(tick).size === 0) tick++;
    return tick;
  }

  #arm(tick: number): void {
    if (tick >= this.#armedFor) return;
    this.#disarm();
    this.#armedFor = tick;
    const delayMs = Math.max(0, tick * TICK_MS - this.#time.now());
    this.#disarm = this.#time.after(delayMs, () => this.#turn());
  }

  #slotOf(tick: number): Set<WheelTimer> {
    return this.#slots[tick & (SLOTS - 1)] as Set<WheelTimer>;
  }
}
