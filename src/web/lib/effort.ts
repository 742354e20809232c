/** Bounds the work for a text that others have written. */
export class Effort {
  #left: number;

  /** @param most characters that may be read; one that is read again counts again */
  constructor(most: number) {
    this.#left = most;
  }

  /** @returns whether there was enough left of it */
  spend(characters: number): boolean {
    if (characters > this.#left) return false;
    this.#left -= characters;
    return true;
  }
}
