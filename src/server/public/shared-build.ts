/** Something built from the fleet, and the state of the fleet that it shows. */
export interface Built<T> {
  value: T;
  version: number;
  at: number;
}

/** Keeps the latest build; whoever asks while the next one is being made shares it. */
export class SharedBuild<T> {
  #latest: Built<T> | undefined;
  #building: Promise<Built<T>> | undefined;

  get(
    isFresh: (built: Built<T>) => boolean,
    build: () => Built<T> | Promise<Built<T>>,
  ): T | Promise<T> {
    if (this.#latest && isFresh(this.#latest)) return this.#latest.value;
    if (this.#building) return this.#wait(this.#building, isFresh, build);
    const built = build();
    if (built instanceof Promise) {
      this.#building = built;
      return this.#wait(built, isFresh, build);
    }
    this.#latest = built;
    return built.value;
  }

  async #wait(
    building: Promise<Built<T>>,
    isFresh: (built: Built<T>) => boolean,
    build: () => Built<T> | Promise<Built<T>>,
  ): Promise<T> {
    let built: Built<T>;
    try {
      built = await building;
      this.#latest = built;
    } finally {
      if (this.#building === building) this.#building = undefined;
    }
    // It may have begun too long before this caller asked.
    return isFresh(built) ? built.value : this.get(isFresh, build);
  }
}
