import type { ByteStream } from "./byte-stream.ts";
import { LONGEST_PACKET } from "./packet.ts";
import { ProtocolError } from "./peer-errors.ts";

export const opcodes = {
  continuation: 0x0,
  text: 0x1,
  binary: 0x2,
  close: 0x8,
  ping: 0x9,
  pong: 0xa,
} as const;

export const MASK_BYTES = 4;
const FINAL = 0x80;
const RESERVED = 0x70;
const MASKED = 0x80;
const LONGEST_CONTROL = 125;
const LENGTH_IN_16_BITS = 126;
const LENGTH_IN_64_BITS = 127;

/** RFC 6455 §5.2. */
export interface Frame {
  final: boolean;
  opcode: number;
  payload: Uint8Array;
}

export function isControl(opcode: number): boolean {
  return opcode >= opcodes.close;
}

/**
 * A frame as clients send it: final and masked.
 * @param payload of at most 65,535 bytes
 */
export function encodeFrame(opcode: number, payload: Uint8Array, mask: Uint8Array): Uint8Array {
  const short = payload.length < LENGTH_IN_16_BITS;
  const head = short
    ? [FINAL | opcode, MASKED | payload.length]
    : [FINAL | opcode, MASKED | LENGTH_IN_16_BITS, payload.length >> 8, payload.length & 0xff];
  const frame = new Uint8Array(head.length + MASK_BYTES + payload.length);
  frame.set(head);
  frame.set(mask, head.length);
  const start = head.length + MASK_BYTES;
  for (const [at, byte] of payload.entries()) frame[start + at] = byte ^ (mask[at % 4] ?? 0);
  return frame;
}

/** The next frame of a server. @throws ConnectionEnded, ProtocolError */
export async function readFrame(bytes: ByteStream): Promise<Frame> {
  const [first = 0, second = 0] = await bytes.take(2);
  const opcode = first & 0x0f;
  const final = (first & FINAL) !== 0;
  if ((first & RESERVED) !== 0) throw new ProtocolError("a frame uses an extension");
  if ((second & MASKED) !== 0) throw new ProtocolError("a frame of a server is masked");
  const length = await readLength(bytes, second);
  if (isControl(opcode) && (!final || length > LONGEST_CONTROL)) {
    throw new ProtocolError("a control frame is too long or in pieces");
  }
  if (length > LONGEST_PACKET) throw new ProtocolError("a frame is too long");
  return { final, opcode, payload: await bytes.take(length) };
}

/** At most 2^64: what loses digits here is too long anyway. */
async function readLength(bytes: ByteStream, short: number): Promise<number> {
  if (short < LENGTH_IN_16_BITS) return short;
  const extended = await bytes.take(short === LENGTH_IN_64_BITS ? 8 : 2);
  return extended.reduce((length, byte) => length * 256 + byte, 0);
}
