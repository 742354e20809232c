import type { CounterBits, Counters } from "./counters.ts";

/** Where the numbers of this node come from. */
export interface Source {
  /** In words. A journal goes on with the source that it was begun with, by this name. */
  readonly name: string;
  readonly bits: CounterBits;
  /** @throws SourceError when they cannot be read now */
  readCounters(): Promise<Counters>;
  /** @throws SourceError when they cannot be read now */
  countConnections(): Promise<number>;
  /** Of the program whose numbers these are, where it says so. */
  readonly version: string | undefined;
}

/** Why there are no numbers now, in a sentence. */
export class SourceError extends Error {}
