interface Line {
  /** When the last one was let through. */
  at: number;
  heldBack: number;
}

/** Thins out lines of the log that repeat: the first of a kind passes, and then one a while. */
export class Seldom {
  readonly #everyMs: number;
  readonly #now: () => number;
  readonly #lines = new Map<string, Line>();

  /** @param now milliseconds that never go back */
  constructor(everyMs: number, now: () => number) {
    this.#everyMs = everyMs;
    this.#now = now;
  }

  /**
   * @param kind one of few
   * @returns how many of its kind were held back since the last one; undefined: hold it back, too
   */
  pass(kind: string): number | undefined {
    const now = this.#now();
    const line = this.#lines.get(kind);
    if (line && now - line.at < this.#everyMs) {
      line.heldBack++;
      return undefined;
    }
    this.#lines.set(kind, { at: now, heldBack: 0 });
    return line?.heldBack ?? 0;
  }
}
