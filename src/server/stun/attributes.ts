import ipaddr from "ipaddr.js";
import type { Endpoint } from "./endpoint.ts";

/** The attributes we write and read. Addresses under their legacy types are never written for peers of today. */
export interface StunAttributes {
  mapped?: Endpoint;
  xorMapped?: Endpoint;
  /** XOR-MAPPED-ADDRESS under the number it had before RFC 5389. */
  legacyXorMapped?: Endpoint;
  /** RFC 3489 §11.2.5 and §11.2.3, which RESPONSE-ORIGIN and OTHER-ADDRESS replaced. */
  sourceAddress?: Endpoint;
  changedAddress?: Endpoint;
  /** RFC 5780 §7. */
  responseOrigin?: Endpoint;
  otherAddress?: Endpoint;
  /** Asks for an answer from another address or port of the server. */
  change?: { address: boolean; port: boolean };
  software?: string;
  error?: { /** 300–699 */ code: number; reason: string };
  /** Types the other side did not understand. */
  unknownAttributes?: number[];
}

export type AttributeName = keyof StunAttributes;

interface Codec<Value> {
  type: number;
  /** @param mask the 16 bytes that addresses are XORed with: cookie and transaction id */
  encode(value: Value, mask: Buffer): Buffer;
  /** Undefined when the value is malformed. */
  decode(bytes: Buffer, mask: Buffer): Value | undefined;
}

type Codecs = { [Name in AttributeName]-?: Codec<NonNullable<StunAttributes[Name]>> };

const CHANGE_ADDRESS = 0x04;
const CHANGE_PORT = 0x02;
const FAMILY_IPV4 = 1;
const FAMILY_IPV6 = 2;
const ADDRESS_OFFSET = 4;

const NO_MASK = Buffer.alloc(16);

/** In the order in which they are written. */
export const codecs: Codecs = {
  software: {
    type: 0x8022,
    encode: (text) => Buffer.from(text),
    decode: (bytes) => bytes.toString(),
  },
  change: { type: 0x0003, encode: encodeChange, decode: decodeChange },
  error: { type: 0x0009, encode: encodeError, decode: decodeError },
  unknownAttributes: { type: 0x000a, encode: encodeTypes, decode: decodeTypes },
  xorMapped: xored(0x0020),
  mapped: plain(0x0001),
  responseOrigin: plain(0x802b),
  otherAddress: plain(0x802c),
  legacyXorMapped: xored(0x8020),
  sourceAddress: plain(0x0004),
  changedAddress: plain(0x0005),
};

const namesByType = new Map(
  Object.entries(codecs).map(([name, { type }]) => [type, name as AttributeName]),
);

export function findAttributeName(type: number): AttributeName | undefined {
  return namesByType.get(type);
}

/**
 * What need not stop who does not authenticate: USERNAME, MESSAGE-INTEGRITY, REALM, NONCE,
 * MESSAGE-INTEGRITY-SHA256, PASSWORD-ALGORITHM, USERHASH.
 */
const credentials: readonly number[] = [0x0006, 0x0008, 0x0014, 0x0015, 0x001c, 0x001d, 0x001e];
const FIRST_OPTIONAL = 0x8000;

/** Whether a receiver that does not know the attribute must refuse the message (RFC 8489 §14). */
export function mustBeUnderstood(type: number): boolean {
  return type < FIRST_OPTIONAL && !credentials.includes(type);
}

function plain(type: number): Codec<Endpoint> {
  return {
    type,
    encode: (endpoint) => encodeAddress(endpoint, NO_MASK),
    decode: (bytes) => decodeAddress(bytes, NO_MASK),
  };
}

function xored(type: number): Codec<Endpoint> {
  return { type, encode: encodeAddress, decode: decodeAddress };
}

function encodeAddress({ address, port }: Endpoint, mask: Buffer): Buffer {
  const octets = ipaddr.parse(address).toByteArray();
  const bytes = Buffer.alloc(ADDRESS_OFFSET + octets.length);
  bytes[1] = octets.length === 4 ? FAMILY_IPV4 : FAMILY_IPV6;
  bytes.writeUInt16BE(port ^ mask.readUInt16BE(0), 2);
  bytes.set(mixed(octets, mask), ADDRESS_OFFSET);
  return bytes;
}

function decodeAddress(bytes: Buffer, mask: Buffer): Endpoint | undefined {
  const length = bytes[1] === FAMILY_IPV4 ? 4 : bytes[1] === FAMILY_IPV6 ? 16 : Number.NaN;
  if (bytes.length !== ADDRESS_OFFSET + length) return undefined;
  const port = bytes.readUInt16BE(2) ^ mask.readUInt16BE(0);
  const octets = mixed([...bytes.subarray(ADDRESS_OFFSET)], mask);
  return { address: toText(octets), port };
}

function mixed(octets: readonly number[], mask: Buffer): number[] {
  return octets.map((octet, index) => octet ^ (mask[index] ?? 0));
}

/** As `toHost` spells it. */
function toText(octets: number[]): string {
  if (octets.length === 4) return octets.join(".");
  const address = new ipaddr.IPv6(octets);
  if (address.isIPv4MappedAddress()) return `::ffff:${octets.slice(12).join(".")}`;
  return address.toRFC5952String();
}

function encodeChange({ address, port }: { address: boolean; port: boolean }): Buffer {
  return Buffer.from([0, 0, 0, (address ? CHANGE_ADDRESS : 0) | (port ? CHANGE_PORT : 0)]);
}

function decodeChange(bytes: Buffer): { address: boolean; port: boolean } | undefined {
  if (bytes.length !== 4) return undefined;
  const flags = bytes.readUInt32BE(0);
  return { address: (flags & CHANGE_ADDRESS) !== 0, port: (flags & CHANGE_PORT) !== 0 };
}

function encodeError({ code, reason }: { code: number; reason: string }): Buffer {
  const head = Buffer.from([0, 0, Math.floor(code / 100), code % 100]);
  return Buffer.concat([head, Buffer.from(reason)]);
}

function decodeError(bytes: Buffer): { code: number; reason: string } | undefined {
  if (bytes.length < 4) return undefined;
  const hundreds = bytes.readUInt8(2) & 0x07;
  const number = bytes.readUInt8(3);
  if (hundreds < 3 || hundreds > 6 || number > 99) return undefined;
  return { code: hundreds * 100 + number, reason: bytes.toString("utf8", 4) };
}

function encodeTypes(types: number[]): Buffer {
  const bytes = Buffer.alloc(types.length * 2);
  for (const [index, type] of types.entries()) bytes.writeUInt16BE(type, index * 2);
  return bytes;
}

function decodeTypes(bytes: Buffer): number[] | undefined {
  if (bytes.length % 2 !== 0) return undefined;
  return Array.from({ length: bytes.length / 2 }, (_, index) => bytes.readUInt16BE(index * 2));
}
