/** Time and chance, as a program has them. */
export interface World {
  /** Milliseconds since 1970, which people may set. */
  now(): number;
  /** Milliseconds that only grow. */
  elapsed(): number;
  /** Returns early, and does not reject, when `signal` is aborted. */
  sleep(ms: number, signal: AbortSignal): Promise<void>;
  /** Evenly spread over `0 <= x < 1`. */
  chance(): number;
  /** Never the same twice. */
  newId(): string;
}
