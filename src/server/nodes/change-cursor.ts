/** A line of the log of changes. */
export interface LoggedChange {
  transaction: number;
  ownerId: number;
  /** 0 = all of the owner's nodes. */
  nodeId: number;
}

/**
 * How far a log has been read whose lines become visible in any order: each carries the number of
 * its transaction, and a transaction may end long after others with higher numbers. Reading starts
 * again at the oldest one that had not ended the last time; what was seen is passed over.
 */
export class ChangeCursor {
  #from: number;
  #seen = new Set<number>();

  /** @param oldestOpen of the state that the reader starts with */
  constructor(oldestOpen: number) {
    this.#from = oldestOpen;
  }

  /** The lowest transaction that has to be read. */
  get from(): number {
    return this.#from;
  }

  /** Those that were not seen before, of all that are visible from `from` on. */
  fresh(changes: readonly LoggedChange[]): LoggedChange[] {
    return changes.filter(({ transaction }) => !this.#seen.has(transaction));
  }

  /**
   * Counts the changes as seen.
   * @param oldestOpen as of the moment at which they were read
   */
  advance(changes: readonly LoggedChange[], oldestOpen: number): void {
    this.#from = Math.max(this.#from, oldestOpen);
    const ahead = changes.filter(({ transaction }) => transaction >= this.#from);
    this.#seen = new Set(ahead.map(({ transaction }) => transaction));
  }
}
