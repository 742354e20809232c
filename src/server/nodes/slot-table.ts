const FIRST_CELLS = 2048;
/** A cell that was never used: a search ends here. */
const EMPTY = -1;

/**
 * A hash table from 32-bit hashes to slots in two typed arrays: open addressing, linear probing, at
 * most half full. It knows hashes only; whoever asks compares the keys themselves.
 */
export class SlotTable {
  #slots = new Int32Array(FIRST_CELLS).fill(EMPTY);
  #hashes = new Int32Array(FIRST_CELLS);
  #count = 0;

  /** The first cell that may hold the key with this hash, or -1. */
  first(hash: number): number {
    return this.#seek(hash, this.#home(hash));
  }

  /** The next one after `cell`, or -1. */
  next(hash: number, cell: number): number {
    return this.#seek(hash, (cell + 1) & this.#mask);
  }

  slotAt(cell: number): number {
    return this.#slots[cell] as number;
  }

  /** Puts another slot into a cell in use. */
  setSlot(cell: number, slot: number): void {
    this.#slots[cell] = slot;
  }

  add(hash: number, slot: number): void {
    if ((this.#count + 1) * 2 > this.#slots.length) this.#resize(this.#slots.length * 2);
    this.#place(hash | 0, slot);
    this.#count++;
  }

  /** Takes out the entry of this slot, if there is one. */
  remove(hash: number, slot: number): void {
    let cell = this.first(hash);
    while (cell !== -1 && this.#slots[cell] !== slot) cell = this.next(hash, cell);
    if (cell === -1) return;
    this.#closeGap(cell);
    this.#count--;
  }

  /** Makes room for `count` entries at once. */
  reserve(count: number): void {
    let cells = this.#slots.length;
    while (count * 2 > cells) cells *= 2;
    if (cells > this.#slots.length) this.#resize(cells);
  }

  get #mask(): number {
    return this.#slots.length - 1;
  }

  #home(hash: number): number {
    return hash & this.#mask;
  }

  #seek(hash: number, from: number): number {
    const wanted = hash | 0;
    let cell = from;
    while (this.#slots[cell] !== EMPTY) {
      if (this.#hashes[cell] === wanted) return cell;
      cell = (cell + 1) & this.#mask;
    }
    return -1;
  }

  #place(hash: number, slot: number): void {
    let cell = this.#home(hash);
    while (this.#slots[cell] !== EMPTY) cell = (cell + 1) & this.#mask;
    this.#slots[cell] = slot;
    this.#hashes[cell] = hash;
  }

  /** Moves entries back so that no search stops short of one (Knuth, TAOCP 6.4, algorithm R). */
  #closeGap(at: number): void {
    let gap = at;
    let cell = at;
    for (;;) {
      cell = (cell + 1) & this.#mask;
      if (this.#slots[cell] === EMPTY) break;
      const home = this.#home(this.#hashes[cell] as number);
      const staysReachable = ((cell - home) & this.#mask) < ((cell - gap) & this.#mask);
      if (staysReachable) continue;
      this.#slots[gap] = this.#slots[cell] as number;
      this.#hashes[gap] = this.#hashes[cell] as number;
      gap = cell;
    }
    this.#slots[gap] = EMPTY;
  }

  #resize(cells: number): void {
    const slots = this.#slots;
    const hashes = this.#hashes;
    this.#slots = new Int32Array(cells).fill(EMPTY);
    this.#hashes = new Int32Array(cells);
    for (let cell = 0; cell < slots.length; cell++) {
      const slot = slots[cell] as number;
      if (slot !== EMPTY) this.#place(hashes[cell] as number, slot);
    }
  }
}
