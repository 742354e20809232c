/** Events in the order of their times; a binary heap. */
export class EventQueue<E> {
  readonly #times: number[] = [];
  readonly #events: E[] = [];

  add(at: number, event: E): void {
    let index = this.#times.length;
    while (index > 0) {
      const parent = (index - 1) >> 1;
      if ((this.#times[parent] as number) <= at) break;
      this.#move(parent, index);
      index = parent;
    }
    this.#times[index] = at;
    this.#events[index] = event;
  }

  /** The next event, which leaves the queue. */
  take(): { at: number; event: E } {
    const at = this.#times[0];
    const event = this.#events[0];
    if (at === undefined || event === undefined) throw new Error("no event is left");
    const lastAt = this.#times.pop() as number;
    const last = this.#events.pop() as E;
    if (this.#times.length > 0) this.#sink(lastAt, last);
    return { at, event };
  }

  #sink(at: number, event: E): void {
    const { length } = this.#times;
    let index = 0;
    for (;;) {
      let child = 2 * index + 1;
      if (child >= length) break;
      if (
        child + 1 < length &&
        (this.#times[child + 1] as number) < (this.#times[child] as number)
      ) {
        child++;
      }
      if ((this.#times[child] as number) >= at) break;
      this.#move(child, index);
      index = child;
    }
    this.#times[index] = at;
    this.#events[index] = event;
  }

  #move(from: number, to: number): void {
    this.#times[to] = this.#times[from] as number;
    this.#events[to] = this.#events[from] as E;
  }
}
