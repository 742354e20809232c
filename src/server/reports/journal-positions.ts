/** Part of what the journals hold, all of it as of one moment. */
export interface JournalPage {
  /** Every journal there is. No row of it up to `dropped` is there any more. */
  journals: readonly { instance: string; dropped: number }[];
  /** Of each journal those behind the position that was asked from, none left out between two. */
  rows: readonly { instance: string; seq: number; batch: Uint8Array }[];
}

/**
 * How far the journals of other instances have been read. A journal has one writer that commits one
 * row after the other, so what lies before a row that is seen was seen, was never stored, or was
 * dropped; a number that was left out never comes later.
 */
export class JournalPositions {
  readonly #seen = new Map<string, number>();

  /** Up to where the rows of a journal are known. */
  of(instance: string): number {
    return this.#seen.get(instance) ?? 0;
  }

  get all(): ReadonlyMap<string, number> {
    return this.#seen;
  }

  /** Starts from a state that holds all rows up to there. */
  reset(positions: Iterable<readonly [instance: string, seq: number]>): void {
    this.#seen.clear();
    for (const [instance, seq] of positions) this.#seen.set(instance, seq);
  }

  /** Forgets journals that there are no more: one of the same name would begin anew. */
  keepOnly(instances: Iterable<string>): void {
    const kept = new Set(instances);
    for (const instance of this.#seen.keys()) {
      if (!kept.has(instance)) this.#seen.delete(instance);
    }
  }

  /**
   * The batches of the page that are new, each journal's in order, and which count as read from then
   * on; undefined when rows were dropped that had not been read: only a fresh start helps then.
   */
  take(page: JournalPage): Uint8Array[] | undefined {
    if (page.journals.some(({ instance, dropped }) => dropped > this.of(instance))) {
      return undefined;
    }
    const fresh: Uint8Array[] = [];
    for (const { instance, seq, batch } of page.rows) {
      if (seq <= this.of(instance)) continue;
      this.#seen.set(instance, seq);
      // An empty row only claims its key.
      if (batch.length > 0) fresh.push(batch);
    }
    return fresh;
  }
}
