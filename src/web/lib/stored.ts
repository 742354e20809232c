/** What this browser remembers for us. Where nothing may be stored, it forgets with the page. */
export class Stored {
  readonly #key: string;
  #fallback: string | null = null;

  constructor(name: string) {
    this.#key = `waypost.${name}`;
  }

  read(): string | null {
    try {
      return localStorage.getItem(this.#key);
    } catch {
      return this.#fallback;
    }
  }

  write(text: string | null): void {
    this.#fallback = text;
    try {
      if (text === null) localStorage.removeItem(this.#key);
      else localStorage.setItem(this.#key, text);
    } catch {
      // A browser that forbids storing (private windows, full storage) keeps it for this page only.
    }
  }

  /** Calls `listener` when another tab has written. */
  onChange(listener: () => void): () => void {
    const heard = ({ key }: StorageEvent): void => {
      if (key === this.#key || key === null) listener();
    };
    addEventListener("storage", heard);
    return () => removeEventListener("storage", heard);
  }
}
