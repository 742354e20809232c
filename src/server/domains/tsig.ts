import { createHmac, timingSafeEqual } from "node:crypto";
import type { tsigAlgorithms } from "../../shared/api/domains.ts";
import { CLASS, decodeMessage, encodeRecord, TYPE, type DnsMessage } from "./dns-message.ts";
import { decodeName, DnsFormatError, encodeName } from "./dns-name.ts";

/** RFC 8945 §6, without what nobody should use any more. */
export type TsigAlgorithm = (typeof tsigAlgorithms)[number];

export interface TsigKey {
  /** In its one spelling, see `toRecordName`. */
  name: string;
  algorithm: TsigAlgorithm;
  secret: Buffer;
}

/** How far the clocks may be apart, in seconds (RFC 8945 §10). */
const FUDGE_SECONDS = 300;

/** The parts of a signature's record (RFC 8945 §4.2). */
interface Signature {
  algorithm: string;
  /** In seconds since 1970. */
  signedAt: number;
  fudge: number;
  mac: Buffer;
  originalId: number;
  error: number;
  other: Buffer;
}

export interface SignedMessage {
  bytes: Buffer;
  /** The answer's signature covers it, too. */
  mac: Buffer;
}

/**
 * Appends the signature of a request.
 * @param message uncompressed or not, without a signature
 * @param now in milliseconds since 1970
 */
export function signMessage(message: Buffer, key: TsigKey, now: number): SignedMessage {
  const unsigned = {
    algorithm: key.algorithm,
    signedAt: Math.floor(now / 1000),
    fudge: FUDGE_SECONDS,
    originalId: message.readUInt16BE(0),
    error: 0,
    other: Buffer.alloc(0),
  };
  const mac = digest(key, [message, toVariables(key, unsigned)]);
  const record = encodeRecord({
    name: key.name,
    type: TYPE.TSIG,
    class: CLASS.any,
    ttl: 0,
    data: encodeSignature({ ...unsigned, mac }),
  });
  const bytes = Buffer.concat([message, record]);
  bytes.writeUInt16BE(message.readUInt16BE(10) + 1, 10);
  return { bytes, mac };
}

/**
 * What an answer is worth. `signed`: it is from the holder of the key, and meant for this request.
 * `refused_signature`: the server names what it has against the request's signature; only a BADTIME
 * is signed itself, and then `serverTime` says what the server's clock shows, in seconds since 1970.
 */
export type VerifiedAnswer =
  | { kind: "signed"; message: DnsMessage }
  | { kind: "refused_signature"; message: DnsMessage; error: number; serverTime?: number }
  | { kind: "unsigned"; message: DnsMessage }
  | { kind: "forged"; message: DnsMessage; reason: string };

/**
 * Checks an answer against the request that it is for (RFC 8945 §5.3, §5.4).
 * @throws DnsFormatError when the bytes are no message
 */
export function verifyAnswer(
  bytes: Buffer,
  request: SignedMessage,
  key: TsigKey,
  now: number,
): VerifiedAnswer {
  const { message, lastRecordAt } = decodeMessage(bytes);
  const record = message.additionals.at(-1);
  if (record?.type !== TYPE.TSIG || lastRecordAt === undefined) {
    return { kind: "unsigned", message };
  }
  const signature = decodeSignature(record.data);
  const forged = (reason: string): VerifiedAnswer => ({ kind: "forged", message, reason });
  if (signature.mac.length === 0 && signature.error !== 0) {
    return { kind: "refused_signature", message, error: signature.error };
  }
  if (record.name !== key.name) return forged("it is signed with another key");
  if (signature.algorithm !== key.algorithm) return forged("it is signed with another algorithm");

  const covered = Buffer.from(bytes.subarray(0, lastRecordAt));
  covered.writeUInt16BE(signature.originalId, 0);
  covered.writeUInt16BE(message.additionals.length - 1, 10);
  const expected = digest(key, [withLength(request.mac), covered, toVariables(key, signature)]);
  if (expected.length !== signature.mac.length || !timingSafeEqual(expected, signature.mac)) {
    return forged("its signature is wrong");
  }
  if (signature.error !== 0) {
    const refusal = { kind: "refused_signature", message, error: signature.error } as const;
    const { other } = signature;
    return other.length === 6 ? { ...refusal, serverTime: other.readUIntBE(0, 6) } : refusal;
  }
  if (Math.abs(now / 1000 - signature.signedAt) > signature.fudge) {
    return forged("it was signed at another time");
  }
  return { kind: "signed", message };
}

function digest({ algorithm, secret }: TsigKey, parts: readonly Buffer[]): Buffer {
  const hmac = createHmac(algorithm.slice("hmac-".length), secret);
  for (const part of parts) hmac.update(part);
  return hmac.digest();
}

/** RFC 8945 §4.3.3. */
function toVariables(key: TsigKey, signature: Omit<Signature, "mac">): Buffer {
  const classAndTtl = Buffer.from([0, CLASS.any, 0, 0, 0, 0]);
  const { algorithm, signedAt, fudge, error, other } = signature;
  return Buffer.concat([
    encodeName(key.name),
    classAndTtl,
    encodeName(algorithm),
    encodeTime(signedAt, fudge),
    toUint16(error),
    withLength(other),
  ]);
}

function encodeSignature(signature: Signature): Buffer {
  return Buffer.concat([
    encodeName(signature.algorithm),
    encodeTime(signature.signedAt, signature.fudge),
    withLength(signature.mac),
    toUint16(signature.originalId),
    toUint16(signature.error),
    withLength(signature.other),
  ]);
}

function decodeSignature(data: Buffer): Signature {
  const { name: algorithm, end } = decodeName(data, 0);
  const macLength = end + 10 <= data.length ? data.readUInt16BE(end + 8) : 0;
  const macEnd = end + 10 + macLength;
  if (macEnd + 6 > data.length) throw new DnsFormatError("a signature ends too soon");
  const otherLength = data.readUInt16BE(macEnd + 4);
  if (macEnd + 6 + otherLength !== data.length) {
    throw new DnsFormatError("a signature has another length than it says");
  }
  return {
    algorithm,
    signedAt: data.readUIntBE(end, 6),
    fudge: data.readUInt16BE(end + 6),
    mac: data.subarray(end + 10, macEnd),
    originalId: data.readUInt16BE(macEnd),
    error: data.readUInt16BE(macEnd + 2),
    other: data.subarray(macEnd + 6),
  };
}

function encodeTime(signedAt: number, fudge: number): Buffer {
  const bytes = Buffer.alloc(8);
  bytes.writeUIntBE(signedAt, 0, 6);
  bytes.writeUInt16BE(fudge, 6);
  return bytes;
}

function withLength(bytes: Buffer): Buffer {
  return Buffer.concat([toUint16(bytes.length), bytes]);
}

function toUint16(value: number): Buffer {
  const bytes = Buffer.alloc(2);
  bytes.writeUInt16BE(value);
  return bytes;
}
