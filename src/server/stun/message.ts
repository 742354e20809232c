import { randomBytes } from "node:crypto";
import { codecs, findAttributeName, mustBeUnderstood } from "./attributes.ts";
import type { AttributeName, StunAttributes } from "./attributes.ts";
import type { Endpoint } from "./endpoint.ts";
import { FINGERPRINT_BYTES, FINGERPRINT_TYPE, fingerprintOf } from "./fingerprint.ts";

export const HEADER_BYTES = 20;

const COOKIE = 0x2112_a442;
const COOKIE_OFFSET = 4;
const ID_OFFSET = 8;
const ID_BYTES = 12;
const ATTRIBUTE_HEADER_BYTES = 4;
/** The first two bits of STUN are zero; other protocols on the same port set them (RFC 7983). */
const LOWEST_OTHER_BYTE = 0x40;
const INTEGRITY_TYPES: readonly number[] = [0x0008, 0x001c];

/** The message types of the method Binding. */
const typesOfKinds = {
  request: 0x0001,
  indication: 0x0011,
  success: 0x0101,
  error: 0x0111,
} as const;
export type MessageKind = keyof typeof typesOfKinds;

const kindsOfTypes = new Map<number, MessageKind>(
  Object.entries(typesOfKinds).map(([kind, type]) => [type, kind as MessageKind]),
);

/** 24 hexadecimal digits. */
export type TransactionId = string;

/** A Binding message of RFC 8489. */
export interface StunMessage {
  kind: MessageKind;
  transactionId: TransactionId;
  attributes: StunAttributes;
  /** Whether it carries a FINGERPRINT; a wrong one makes a message malformed. */
  fingerprint: boolean;
  /** Types of attributes that would have to be understood, and are not. */
  unknownRequired: readonly number[];
}

/** Of 96 bits nobody can foresee. */
export function newTransactionId(): TransactionId {
  return randomBytes(ID_BYTES).toString("hex");
}

/** Whether a packet claims to be STUN. */
export function looksLikeStun(bytes: Buffer): boolean {
  if (bytes.length < HEADER_BYTES || bytes.readUInt8(0) >= LOWEST_OTHER_BYTE) return false;
  return bytes.readUInt32BE(COOKIE_OFFSET) === COOKIE;
}

/** The transaction id of what `looksLikeStun`. */
export function transactionIdOf(bytes: Buffer): TransactionId {
  return bytes.toString("hex", ID_OFFSET, HEADER_BYTES);
}

/** The length of the whole message whose header `looksLikeStun`. */
export function messageLength(header: Buffer): number {
  return HEADER_BYTES + header.readUInt16BE(2);
}

/** The address that the other side saw: XORed where possible, as routers rewrite the plain one. */
export function mappedAddress({ attributes }: StunMessage): Endpoint | undefined {
  return attributes.xorMapped ?? attributes.legacyXorMapped ?? attributes.mapped;
}

/** @throws RangeError when the attributes do not fit into one message */
export function encodeMessage({
  kind,
  transactionId,
  attributes = {},
  fingerprint = false,
}: Pick<StunMessage, "kind" | "transactionId"> & Partial<StunMessage>): Buffer {
  const header = Buffer.alloc(HEADER_BYTES);
  header.writeUInt16BE(typesOfKinds[kind], 0);
  header.writeUInt32BE(COOKIE, COOKIE_OFFSET);
  header.write(transactionId, ID_OFFSET, "hex");
  const mask = header.subarray(COOKIE_OFFSET);
  const encoded = (Object.keys(codecs) as AttributeName[]).flatMap((name) =>
    encodeAttribute(name, attributes, mask),
  );
  const message = Buffer.concat([header, ...encoded]);
  const tailBytes = fingerprint ? ATTRIBUTE_HEADER_BYTES + FINGERPRINT_BYTES : 0;
  message.writeUInt16BE(message.length - HEADER_BYTES + tailBytes, 2);
  if (!fingerprint) return message;
  const value = Buffer.alloc(FINGERPRINT_BYTES);
  value.writeUInt32BE(fingerprintOf(message));
  return Buffer.concat([message, framed(FINGERPRINT_TYPE, value)]);
}

function encodeAttribute(name: AttributeName, attributes: StunAttributes, mask: Buffer): Buffer[] {
  const value = attributes[name];
  if (value === undefined) return [];
  const codec = codecs[name];
  // A codec and the value of its own name belong together, which the type system cannot follow.
  return [framed(codec.type, codec.encode(value as never, mask))];
}

function framed(type: number, value: Buffer): Buffer {
  const bytes = Buffer.alloc(ATTRIBUTE_HEADER_BYTES + padded(value.length));
  bytes.writeUInt16BE(type, 0);
  bytes.writeUInt16BE(value.length, 2);
  value.copy(bytes, ATTRIBUTE_HEADER_BYTES);
  return bytes;
}

function padded(length: number): number {
  return (length + 3) & ~3;
}

/** Undefined unless `bytes` are exactly one well-formed Binding message. Never throws. */
export function decodeMessage(bytes: Buffer): StunMessage | undefined {
  if (!looksLikeStun(bytes)) return undefined;
  const kind = kindsOfTypes.get(bytes.readUInt16BE(0));
  if (!kind || bytes.length % 4 !== 0 || messageLength(bytes) !== bytes.length) return undefined;
  const read = readAttributes(bytes);
  return read && { kind, transactionId: transactionIdOf(bytes), ...read };
}

type Read = Pick<StunMessage, "attributes" | "fingerprint" | "unknownRequired">;

/** Of attributes of one type the first counts, and none behind the integrity but the fingerprint. */
function readAttributes(bytes: Buffer): Read | undefined {
  const attributes: StunAttributes = {};
  const unknown = new Set<number>();
  const mask = bytes.subarray(COOKIE_OFFSET, HEADER_BYTES);
  let isSealed = false;
  for (let at = HEADER_BYTES; at < bytes.length;) {
    const type = bytes.readUInt16BE(at);
    const start = at + ATTRIBUTE_HEADER_BYTES;
    const end = start + bytes.readUInt16BE(at + 2);
    if (start + padded(end - start) > bytes.length) return undefined;
    const value = bytes.subarray(start, end);
    if (type === FINGERPRINT_TYPE) {
      const isRight = end === bytes.length && isFingerprint(value, bytes.subarray(0, at));
      return isRight ? { attributes, fingerprint: true, unknownRequired: [...unknown] } : undefined;
    }
    if (!isSealed) {
      const name = findAttributeName(type);
      if (name && !take(name, value, mask, attributes)) return undefined;
      if (!name && mustBeUnderstood(type)) unknown.add(type);
    }
    isSealed ||= INTEGRITY_TYPES.includes(type);
    at = start + padded(end - start);
  }
  return { attributes, fingerprint: false, unknownRequired: [...unknown] };
}

function isFingerprint(value: Buffer, before: Buffer): boolean {
  return value.length === FINGERPRINT_BYTES && value.readUInt32BE(0) === fingerprintOf(before);
}

/** Whether the value is well-formed. */
function take(
  name: AttributeName,
  bytes: Buffer,
  mask: Buffer,
  attributes: StunAttributes,
): boolean {
  const value = codecs[name].decode(bytes, mask);
  if (value === undefined) return false;
  attributes[name] ??= value as never;
  return true;
}
