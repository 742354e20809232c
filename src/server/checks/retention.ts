import { setImmediate as turn } from "node:timers/promises";
import type { Clock } from "../lib/clock.ts";
import { firstHour } from "./last-day.ts";
import type { CheckStore } from "./store.ts";

/** Hours dropped at a time: a report that arrives meanwhile waits for it. */
const HOURS_AT_ONCE = 500;

/** Drops the hours that nobody is shown any more. */
export class CheckRetention {
  readonly #store: Pick<CheckStore, "drop">;
  readonly #clock: Clock;

  constructor(store: Pick<CheckStore, "drop">, clock: Clock) {
    this.#store = store;
    this.#clock = clock;
  }

  async run(): Promise<void> {
    const before = firstHour(this.#clock.now());
    while ((await this.#store.drop(before, HOURS_AT_ONCE)) === HOURS_AT_ONCE) await turn();
  }
}
