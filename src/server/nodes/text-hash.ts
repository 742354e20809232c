/**
 * A keyed 32-bit hash of two words, so that nobody who chooses names can make them collide:
 * HalfSipHash-1-3 (Aumasson, Bernstein, "SipHash: a fast short-input PRF", 2012) over UTF-16 units.
 */
export class TextHash {
  readonly #key0: number;
  readonly #key1: number;

  /** @param key eight random bytes */
  constructor(key: Buffer) {
    this.#key0 = key.readInt32LE(0);
    this.#key1 = key.readInt32LE(4);
  }

  of(first: string, second: string): number {
    let v0 = this.#key0;
    let v1 = this.#key1;
    let v2 = 0x6c796765 ^ this.#key0;
    let v3 = 0x74656462 ^ this.#key1;
    const firstWords = (first.length + 1) >> 1;
    const words = firstWords + ((second.length + 1) >> 1);
    // One round per word, one for the lengths, three to finish.
    for (let word = 0; word < words + 4; word++) {
      let input = 0;
      if (word < firstWords) input = wordOf(first, word);
      else if (word < words) input = wordOf(second, word - firstWords);
      else if (word === words) input = (first.length << 16) | second.length;
      else if (word === words + 1) v2 ^= 0xff;
      v3 ^= input;
      v0 = (v0 + v1) | 0;
      v1 = ((v1 << 5) | (v1 >>> 27)) ^ v0;
      v0 = (v0 << 16) | (v0 >>> 16);
      v2 = (v2 + v3) | 0;
      v3 = ((v3 << 8) | (v3 >>> 24)) ^ v2;
      v0 = (v0 + v3) | 0;
      v3 = ((v3 << 7) | (v3 >>> 25)) ^ v0;
      v2 = (v2 + v1) | 0;
      v1 = ((v1 << 13) | (v1 >>> 19)) ^ v2;
      v2 = (v2 << 16) | (v2 >>> 16);
      v0 ^= input;
    }
    return v1 ^ v3;
  }
}

/** Two UTF-16 units; zeros stand for what is past the end. */
function wordOf(text: string, word: number): number {
  const at = word * 2;
  const low = text.charCodeAt(at);
  return at + 1 < text.length ? low | (text.charCodeAt(at + 1) << 16) : low;
}
