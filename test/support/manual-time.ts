import type { Timekeeper } from "../../src/server/stun/timer-wheel.ts";

interface Call {
  at: number;
  run: () => void;
}

/** A time that only goes forwards, when the test says so. */
export class ManualTime implements Timekeeper {
  #now: number;
  #calls: Call[] = [];

  constructor(start = 1_000_000) {
    this.#now = start;
  }

  /** Calls that are waited for. */
  get waiting(): number {
    return this.#calls.length;
  }

  now(): number {
    return this.#now;
  }

  after(delayMs: number, run: () => void): () => void {
    const call = { at: this.#now + delayMs, run };
    this.#calls.push(call);
    return () => {
      this.#calls = this.#calls.filter((each) => each !== call);
    };
  }

  /** Moves on, calling what is due when it is due; `between` runs after each call. */
  async advance(ms: number, between: () => Promise<void> = async () => {}): Promise<void> {
    const until = this.#now + ms;
    for (;;) {
      const next = this.#calls.toSorted((a, b) => a.at - b.at)[0];
      if (!next || next.at > until) break;
      this.#calls = this.#calls.filter((each) => each !== next);
      this.#now = Math.max(this.#now, next.at);
      next.run();
      await between();
    }
    this.#now = until;
    await between();
  }
}
