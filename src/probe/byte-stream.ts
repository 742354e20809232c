import { ConnectionEnded, ProtocolError } from "./peer-errors.ts";
import { DialError, type Connection } from "./sockets.ts";

/**
 * More than any handshake takes; a side that says more wants to keep us busy. What one read brings is
 * heard to its end, since an answer may stand before the flood.
 */
const MOST_BYTES = 64 * 1024;

/**
 * A connection read in pieces of the reader's choosing, however its bytes arrive. Whatever breaks
 * the connection is a ConnectionEnded, but for what the place cannot do, which stays a DialError.
 */
export class ByteStream {
  readonly #connection: Connection;
  #held: Uint8Array = new Uint8Array();
  #received = 0;

  constructor(connection: Connection) {
    this.#connection = connection;
  }

  /** The next `count` bytes. @throws ConnectionEnded, ProtocolError */
  async take(count: number): Promise<Uint8Array> {
    while (this.#held.length < count) await this.#receive();
    return this.#cut(count);
  }

  /** The bytes up to and with the next `end`. @throws ConnectionEnded, ProtocolError when they exceed `limit` */
  async takeThrough(end: Uint8Array, limit: number): Promise<Uint8Array> {
    let from = 0;
    for (;;) {
      const at = indexOf(this.#held, end, from);
      const length = at + end.length;
      if (at >= 0 && length <= limit) return this.#cut(length);
      if (this.#held.length >= limit) throw new ProtocolError("an answer is too long");
      from = Math.max(0, this.#held.length - end.length + 1);
      await this.#receive();
    }
  }

  /** @throws ConnectionEnded */
  async write(bytes: Uint8Array): Promise<void> {
    try {
      await this.#connection.write(bytes);
    } catch (error) {
      throw endOf(error);
    }
  }

  async #receive(): Promise<void> {
    if (this.#received > MOST_BYTES) throw new ProtocolError("the other side says too much");
    const bytes = await this.#read();
    if (bytes === undefined) throw new ConnectionEnded();
    this.#received += bytes.length;
    this.#held = this.#held.length === 0 ? bytes : joined(this.#held, bytes);
  }

  async #read(): Promise<Uint8Array | undefined> {
    try {
      return await this.#connection.read();
    } catch (error) {
      throw endOf(error);
    }
  }

  #cut(length: number): Uint8Array {
    const bytes = this.#held.subarray(0, length);
    this.#held = this.#held.subarray(length);
    return bytes;
  }
}

function endOf(error: unknown): Error {
  return error instanceof DialError ? error : new ConnectionEnded(error);
}

function joined(first: Uint8Array, second: Uint8Array): Uint8Array {
  const both = new Uint8Array(first.length + second.length);
  both.set(first);
  both.set(second, first.length);
  return both;
}

function indexOf(bytes: Uint8Array, wanted: Uint8Array, from: number): number {
  for (let at = from; at + wanted.length <= bytes.length; at++) {
    if (wanted.every((byte, offset) => bytes[at + offset] === byte)) return at;
  }
  return -1;
}
