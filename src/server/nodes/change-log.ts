const KEPT = 1 << 16;

/**
 * Which slots changed, in order, for readers that keep something computed from the fleet. A reader
 * holds a position and catches up from there; one that fell too far behind starts afresh.
 */
export class ChangeLog {
  readonly #slots = new Int32Array(KEPT);
  #count = 0;

  get position(): number {
    return this.#count;
  }

  add(slot: number): void {
    this.#slots[this.#count % KEPT] = slot;
    this.#count++;
  }

  /** Whether everything after `position` is still known. */
  reaches(position: number): boolean {
    return this.#count - position <= KEPT;
  }

  at(position: number): number {
    return this.#slots[position % KEPT] as number;
  }
}
