import type { Log } from "./log.ts";

const REMIND_AFTER_MS = 3_600_000;

/** One kind of trouble: said when it begins, when its cause changes, each hour, and when it ends. */
export class Trouble {
  readonly #log: Log;
  readonly #event: string;
  #why: string | undefined;
  #saidAt = 0;
  #count = 0;

  /** @param event the word of the log lines; with `_over` when it has passed */
  constructor(log: Log, event: string) {
    this.#log = log;
    this.#event = event;
  }

  /** @param now milliseconds that only grow */
  begin(why: string, now: number): void {
    this.#count++;
    if (why === this.#why && now - this.#saidAt < REMIND_AFTER_MS) return;
    this.#why = why;
    this.#saidAt = now;
    this.#log.say("warn", this.#event, why, { count: this.#count });
  }

  end(message: string): void {
    if (this.#why === undefined) return;
    this.#log.say("info", `${this.#event}_over`, message, { count: this.#count });
    this.#why = undefined;
    this.#count = 0;
  }
}
