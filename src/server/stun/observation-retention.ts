import { setImmediate as turn } from "node:timers/promises";
import { DAY_MS, type Clock } from "../lib/clock.ts";
import type { ObservationStore } from "./observation-store.ts";

const KEPT_MS = 7 * DAY_MS;
/** Rows dropped at a time: a report that arrives meanwhile waits for it. */
const ROWS_AT_ONCE = 500;

/** Drops observations of more than seven days ago. */
export class ObservationRetention {
  readonly #store: Pick<ObservationStore, "ruleIds" | "drop">;
  readonly #clock: Clock;

  constructor(store: Pick<ObservationStore, "ruleIds" | "drop">, clock: Clock) {
    this.#store = store;
    this.#clock = clock;
  }

  async run(): Promise<void> {
    const before = this.#clock.now() - KEPT_MS;
    for (const id of await this.#store.ruleIds()) {
      while ((await this.#store.drop(id, before, ROWS_AT_ONCE)) === ROWS_AT_ONCE) await turn();
    }
  }
}
