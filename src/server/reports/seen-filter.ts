import { HOUR_MS } from "../lib/clock.ts";

const BITS_PER_KEY = 16;
const HASHES = 4;
const KEYS_PER_GENERATION = 1 << 20;
const GENERATION_MS = 6 * HOUR_MS;

interface Generation {
  bits: Uint32Array;
  keys: number;
  openedAt: number;
  lastAt: number;
}

/**
 * Remembers which keys were added lately, in two bytes a key: "no" is certain, "maybe" is wrong
 * about once in four hundred. (Bloom, "Space/time trade-offs in hash coding", 1970; generations
 * are dropped whole when they are too old.)
 */
export class SeenFilter {
  readonly #keepMs: number;
  #generations: Generation[] = [];

  constructor(keepMs: number) {
    this.#keepMs = keepMs;
  }

  add(key: string, at: number): void {
    const generation = this.#current(at);
    generation.keys++;
    generation.lastAt = Math.max(generation.lastAt, at);
    const first = hash(key, 0x811c9dc5);
    const second = hash(key, 0x9747b28c) | 1;
    for (let n = 0; n < HASHES; n++) {
      const bit = bitOf(generation, first, second, n);
      generation.bits[bit >>> 5] = (generation.bits[bit >>> 5] as number) | (1 << (bit & 31));
    }
  }

  mayHave(key: string): boolean {
    const first = hash(key, 0x811c9dc5);
    const second = hash(key, 0x9747b28c) | 1;
    return this.#generations.some((generation) => has(generation, first, second));
  }

  #current(at: number): Generation {
    const newest = this.#generations.at(-1);
    if (newest && newest.keys < KEYS_PER_GENERATION && at - newest.openedAt < GENERATION_MS) {
      return newest;
    }
    this.#generations = this.#generations.filter((each) => at - each.lastAt <= this.#keepMs);
    const words = (KEYS_PER_GENERATION * BITS_PER_KEY) / 32;
    const opened = { bits: new Uint32Array(words), keys: 0, openedAt: at, lastAt: at };
    this.#generations.push(opened);
    return opened;
  }
}

function has(generation: Generation, first: number, second: number): boolean {
  for (let n = 0; n < HASHES; n++) {
    const bit = bitOf(generation, first, second, n);
    if (((generation.bits[bit >>> 5] as number) & (1 << (bit & 31))) === 0) return false;
  }
  return true;
}

function bitOf(generation: Generation, first: number, second: number, n: number): number {
  return ((first + Math.imul(n, second)) >>> 0) % (generation.bits.length * 32);
}

/** FNV-1a over UTF-16 units, finished with MurmurHash3's mixer. */
function hash(key: string, seed: number): number {
  let value = seed;
  for (let index = 0; index < key.length; index++) {
    value = Math.imul(value ^ key.charCodeAt(index), 0x01000193);
  }
  value ^= value >>> 16;
  value = Math.imul(value, 0x85ebca6b);
  value ^= value >>> 13;
  return (value ^ (value >>> 16)) >>> 0;
}
