import { ProtocolError } from "./peer-errors.ts";

const VARINT = 0;
const FIXED64 = 1;
const BYTES = 2;
const FIXED32 = 5;

/** A varint has at most 64 bits, seven in a byte. */
const LONGEST_VARINT = 10;

/** A field of a message; those of other types are left out. */
export type ProtobufField =
  | { number: number; type: "varint"; value: bigint }
  | { number: number; type: "bytes"; value: Uint8Array };

/** @throws ProtocolError when the message is malformed */
export function readFields(message: Uint8Array): ProtobufField[] {
  const fields: ProtobufField[] = [];
  let at = 0;
  const skip = (count: number): Uint8Array => {
    if (count > message.length - at) throw new ProtocolError("a message is cut short");
    at += count;
    return message.subarray(at - count, at);
  };
  const readVarint = (): bigint => {
    let value = 0n;
    for (let count = 0; count < LONGEST_VARINT; count++) {
      const byte = skip(1)[0] ?? 0;
      value |= BigInt(byte & 0x7f) << BigInt(7 * count);
      if (byte < 0x80) return BigInt.asUintN(64, value);
    }
    throw new ProtocolError("a number of a message has no end");
  };
  while (at < message.length) {
    const tag = readVarint();
    const number = Number(tag >> 3n);
    if (number === 0 || tag > 0xffff_ffffn) throw new ProtocolError("a message has a false field");
    switch (Number(tag & 7n)) {
      case VARINT:
        fields.push({ number, type: "varint", value: readVarint() });
        break;
      case BYTES:
        // Lengths beyond 2^53 lose digits, but stay too long.
        fields.push({ number, type: "bytes", value: skip(Number(readVarint())) });
        break;
      case FIXED64:
        skip(8);
        break;
      case FIXED32:
        skip(4);
        break;
      default:
        throw new ProtocolError("a message has a field of an unknown type");
    }
  }
  return fields;
}

/** Writes a message; fields that hold their default are left out, as in proto3. */
export class ProtobufWriter {
  readonly #bytes: number[] = [];

  /** @param value a whole number of at most 32 bits */
  uint32(field: number, value: number): this {
    if (value === 0) return this;
    this.#varint((field << 3) | VARINT);
    this.#varint(value);
    return this;
  }

  bytes(field: number, value: Uint8Array): this {
    if (value.length === 0) return this;
    this.#varint((field << 3) | BYTES);
    this.#varint(value.length);
    for (const byte of value) this.#bytes.push(byte);
    return this;
  }

  finish(): Uint8Array {
    return Uint8Array.from(this.#bytes);
  }

  #varint(value: number): void {
    let rest = value >>> 0;
    while (rest > 0x7f) {
      this.#bytes.push((rest & 0x7f) | 0x80);
      rest >>>= 7;
    }
    this.#bytes.push(rest);
  }
}
