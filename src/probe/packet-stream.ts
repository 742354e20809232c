import type { ByteStream } from "./byte-stream.ts";
import type { PacketChannel } from "./packet-channel.ts";
import { HEADER_BYTES, LONGEST_PACKET } from "./packet.ts";
import { ProtocolError } from "./peer-errors.ts";

const LENGTH_BYTES = 4;

/** Packets on a bare TCP connection: each behind its length, 32 bits, little endian. */
export class PacketStream implements PacketChannel {
  readonly #bytes: ByteStream;

  constructor(bytes: ByteStream) {
    this.#bytes = bytes;
  }

  async send(packet: Uint8Array): Promise<void> {
    const framed = new Uint8Array(LENGTH_BYTES + packet.length);
    new DataView(framed.buffer).setUint32(0, packet.length, true);
    framed.set(packet, LENGTH_BYTES);
    await this.#bytes.write(framed);
  }

  async receive(): Promise<Uint8Array> {
    const prefix = await this.#bytes.take(LENGTH_BYTES);
    const length = new DataView(prefix.buffer, prefix.byteOffset).getUint32(0, true);
    if (length < HEADER_BYTES || length > LONGEST_PACKET) {
      throw new ProtocolError("a packet has an impossible length");
    }
    return this.#bytes.take(length);
  }

  /** TCP has no word for it. */
  async end(): Promise<void> {}
}
