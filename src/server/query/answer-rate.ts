const MEMORY_MS = 30_000;

/** Answers per second, lately: an exponentially weighted mean over half a minute. */
export class AnswerRate {
  #perSecond = 0;
  #at = 0;

  note(now: number): void {
    this.#perSecond = this.at(now) + 1000 / MEMORY_MS;
    this.#at = now;
  }

  at(now: number): number {
    return now === this.#at
      ? this.#perSecond
      : this.#perSecond * Math.exp((this.#at - now) / MEMORY_MS);
  }
}
