export type Level = "info" | "warn" | "error";

/** What happened, as one line of JSON. */
export class Log {
  readonly #write: (line: string) => void;
  readonly #now: () => number;

  constructor(write: (line: string) => void, now: () => number) {
    this.#write = write;
    this.#now = now;
  }

  /** @param event one word of ours; `message` is a sentence */
  say(
    level: Level,
    event: string,
    message: string,
    more: Readonly<Record<string, unknown>> = {},
  ): void {
    const time = new Date(this.#now()).toISOString();
    this.#write(JSON.stringify({ time, level, event, message, ...more }));
  }
}
