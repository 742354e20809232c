import { randomBytes } from "node:crypto";
import type { Endpoint } from "../endpoint.ts";

// Only what a laboratory needs of RFC 8489, and apart from the service's own codec, so that one
// mistake is not made on both sides.

const BINDING_REQUEST = 0x0001;
const BINDING_SUCCESS = 0x0101;
const XOR_MAPPED_ADDRESS = 0x0020;
const COOKIE = 0x2112a442;
const HEADER_BYTES = 20;

export function bindingRequest(): Buffer {
  const message = Buffer.alloc(HEADER_BYTES);
  message.writeUInt16BE(BINDING_REQUEST, 0);
  message.writeUInt32BE(COOKIE, 4);
  randomBytes(12).copy(message, 8);
  return message;
}

/** @returns the answer that says `mapped`, or undefined when `message` is no binding request */
export function bindingAnswer(message: Buffer, mapped: Endpoint): Buffer | undefined {
  if (message.length < HEADER_BYTES || message.readUInt16BE(0) !== BINDING_REQUEST)
    return undefined;
  const answer = Buffer.alloc(HEADER_BYTES + 12);
  message.copy(answer, 4, 4, HEADER_BYTES);
  answer.writeUInt16BE(BINDING_SUCCESS, 0);
  answer.writeUInt16BE(12, 2);
  answer.writeUInt16BE(XOR_MAPPED_ADDRESS, 20);
  answer.writeUInt16BE(8, 22);
  answer.writeUInt8(1, 25);
  answer.writeUInt16BE(mapped.port ^ (COOKIE >>> 16), 26);
  answer.writeUInt32BE((addressNumber(mapped.address) ^ COOKIE) >>> 0, 28);
  return answer;
}

/** @returns the XOR-MAPPED-ADDRESS of a success that answers `request` */
export function mappedEndpoint(message: Buffer, request: Buffer): Endpoint | undefined {
  if (message.length < HEADER_BYTES || message.readUInt16BE(0) !== BINDING_SUCCESS)
    return undefined;
  if (!message.subarray(4, HEADER_BYTES).equals(request.subarray(4))) return undefined;
  for (let at = HEADER_BYTES; at + 4 <= message.length;) {
    const length = message.readUInt16BE(at + 2);
    if (message.readUInt16BE(at) === XOR_MAPPED_ADDRESS && length === 8) {
      const number = (message.readUInt32BE(at + 8) ^ COOKIE) >>> 0;
      const port = message.readUInt16BE(at + 6) ^ (COOKIE >>> 16);
      return { address: addressText(number), port };
    }
    at += 4 + Math.ceil(length / 4) * 4;
  }
  return undefined;
}

/** @returns the bytes of the message that `stream` begins with, once all of them are there */
export function wholeMessage(stream: Buffer): Buffer | undefined {
  if (stream.length < HEADER_BYTES) return undefined;
  const length = HEADER_BYTES + stream.readUInt16BE(2);
  return stream.length < length ? undefined : stream.subarray(0, length);
}

function addressNumber(address: string): number {
  return address.split(".").reduce((number, byte) => (number << 8) | Number(byte), 0) >>> 0;
}

function addressText(number: number): string {
  return [24, 16, 8, 0].map((shift) => (number >>> shift) & 0xff).join(".");
}
