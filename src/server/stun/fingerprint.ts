import { crc32 } from "node:zlib";

export const FINGERPRINT_TYPE = 0x8028;
export const FINGERPRINT_BYTES = 4;

const XORED_WITH = 0x5354_554e;

/**
 * The value of FINGERPRINT (RFC 8489 §14.7).
 * @param before the message up to the attribute, its length field counting the attribute already
 */
export function fingerprintOf(before: Uint8Array): number {
  return (crc32(before) ^ XORED_WITH) >>> 0;
}
