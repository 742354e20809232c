import { sipHash13 } from "./siphash.ts";

export const DIGEST_BYTES = 32;
const HASH_BYTES = 8;

/**
 * What members of a network show each other to prove that they hold its secret: four hashes, each of
 * the name, the secret and the hashes before it. It is no strong hash, and it is sent in clear.
 */
export function secretDigest(networkName: string, networkSecret: string): Uint8Array {
  const text = new TextEncoder().encode(networkName + networkSecret);
  // Each hash is fed with all the hashes before it, once more from the first: h1, h1 h2, h1 h2 h3.
  let message: Uint8Array = text;
  const digest = new Uint8Array(DIGEST_BYTES);
  for (let end = HASH_BYTES; end <= DIGEST_BYTES; end += HASH_BYTES) {
    digest.set(sipHash13(message), end - HASH_BYTES);
    const longer = new Uint8Array(message.length + end);
    longer.set(message);
    longer.set(digest.subarray(0, end), message.length);
    message = longer;
  }
  return digest;
}

/** Shown by whoever proves nothing. */
export function emptyDigest(): Uint8Array {
  return new Uint8Array(DIGEST_BYTES);
}

export function isEmptyDigest(digest: Uint8Array): boolean {
  return digest.every((byte) => byte === 0);
}

export function sameDigest(one: Uint8Array, other: Uint8Array): boolean {
  return one.length === other.length && one.every((byte, at) => byte === other[at]);
}
