const WINDOW_MS = 600_000;
const MOST_CHANGES = 4;
const QUIET_MS = 60_000;

/** Knows when a mapping changes so often that every single change is not worth acting on. */
export class FlapGuard {
  #changedAt: number[];

  constructor(changedAt: readonly number[]) {
    this.#changedAt = [...changedAt];
  }

  /** Notes a change. @returns when it has been quiet long enough, if nothing follows */
  moved(now: number): number {
    this.#prune(now);
    this.#changedAt.push(now);
    return now + QUIET_MS;
  }

  isUnstable(now: number): boolean {
    this.#prune(now);
    return this.#changedAt.length > MOST_CHANGES;
  }

  #prune(now: number): void {
    if (this.#changedAt.every((at) => now - at < WINDOW_MS)) return;
    this.#changedAt = this.#changedAt.filter((at) => now - at < WINDOW_MS);
  }
}
