/** Lets work on the same thing follow one another; work on different things runs at once. */
export class Turns {
  readonly #last = new Map<number, Promise<unknown>>();

  /** Runs `work` once all earlier work under `key` has ended, however it ended. */
  async take<T>(key: number, work: () => Promise<T>): Promise<T> {
    const before = this.#last.get(key);
    const turn = before ? before.then(work, work) : work();
    this.#last.set(key, turn);
    try {
      return await turn;
    } finally {
      if (this.#last.get(key) === turn) this.#last.delete(key);
    }
  }
}
