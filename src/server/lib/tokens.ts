import { hash, randomBytes, timingSafeEqual } from "node:crypto";

/** A new secret of 256 random bits; `prefix` tells people (and secret scanners) what it is. */
export function newToken(prefix: string): string {
  return `${prefix}_${randomBytes(32).toString("base64url")}`;
}

/** What is stored instead of a token: 32 bytes. A token has full entropy, so one SHA-256 is enough. */
export function hashToken(token: string): Buffer {
  return hash("sha256", token, "buffer");
}

export function sameHash(a: Uint8Array, b: Uint8Array): boolean {
  return a.length === b.length && timingSafeEqual(a, b);
}

/** Compares two secrets in constant time, whatever their lengths. */
export function sameSecret(a: string, b: string): boolean {
  return timingSafeEqual(hashToken(a), hashToken(b));
}
