/** Thrown when as many wait already as may. */
export class SlotsFull extends Error {
  constructor() {
    super("too much is under way already");
  }
}

/** Limits how much runs at once; a limited number waits, in the order it came. */
export class Slots {
  readonly #size: number;
  readonly #places: number;
  /** Running, waiting, and promised by a reservation. */
  #taken = 0;
  #running = 0;
  readonly #waiting: (() => void)[] = [];

  constructor(size: number, queueLimit: number) {
    this.#size = size;
    this.#places = size + queueLimit;
  }

  get running(): number {
    return this.#running;
  }

  get waiting(): number {
    return this.#waiting.length;
  }

  /** @throws SlotsFull, and whatever `work` throws */
  async run<T>(work: () => Promise<T>): Promise<T> {
    const reservation = this.reserve(1);
    if (!reservation) throw new SlotsFull();
    return reservation.run(work);
  }

  /** Places for `count` pieces of work, or undefined when that many do not fit any more. */
  reserve(count: number): Reservation | undefined {
    if (this.#taken + count > this.#places) return undefined;
    this.#taken += count;
    let unused = count;
    return {
      run: async (work) => {
        if (unused === 0) throw new Error("the reservation is used up");
        unused -= 1;
        return this.#runPromised(work);
      },
      release: () => {
        this.#taken -= unused;
        unused = 0;
      },
    };
  }

  async #runPromised<T>(work: () => Promise<T>): Promise<T> {
    if (this.#running === this.#size) {
      // Whoever ends hands its slot on: #running stays as it is.
      await new Promise<void>((resolve) => this.#waiting.push(resolve));
    } else {
      this.#running += 1;
    }
    try {
      return await work();
    } finally {
      this.#taken -= 1;
      const next = this.#waiting.shift();
      if (next) next();
      else this.#running -= 1;
    }
  }
}

/** Places in `Slots` that nobody else can take. */
export interface Reservation {
  /** Uses one place. @throws Error when none is left, and whatever `work` throws */
  run<T>(work: () => Promise<T>): Promise<T>;
  /** Gives back the places that were not used. Safe to call twice. */
  release(): void;
}
