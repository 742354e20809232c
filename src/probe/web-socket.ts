import type { ByteStream } from "./byte-stream.ts";
import type { PacketChannel, Random } from "./packet-channel.ts";
import { LONGEST_PACKET } from "./packet.ts";
import { ConnectionEnded, ProtocolError } from "./peer-errors.ts";
import type { ServerAddress } from "./server-address.ts";
import { encodeFrame, isControl, MASK_BYTES, opcodes, readFrame } from "./web-socket-frame.ts";
import { acceptValue, checkUpgrade, toBase64, upgradeRequest } from "./web-socket-upgrade.ts";

const KEY_BYTES = 16;
const LONGEST_HEAD = 8192;
const HEAD_END = new TextEncoder().encode("\r\n\r\n");
/** Status 1000: it was all for the purpose (RFC 6455 §7.4.1). */
const NORMAL_CLOSURE = Uint8Array.of(0x03, 0xe8);

/**
 * Upgrades a connection to a WebSocket.
 * @throws ConnectionEnded; ProtocolError when the server does not want to
 */
export async function openWebSocket(
  bytes: ByteStream,
  server: ServerAddress,
  random: Random,
): Promise<PacketChannel> {
  const key = toBase64(random(KEY_BYTES));
  await bytes.write(new TextEncoder().encode(upgradeRequest(server, key)));
  const head = await bytes.takeThrough(HEAD_END, LONGEST_HEAD);
  checkUpgrade(String.fromCharCode(...head), await acceptValue(key));
  return new WebSocketChannel(bytes, random);
}

/** The client's side of a WebSocket: a packet is a binary message. */
class WebSocketChannel implements PacketChannel {
  readonly #bytes: ByteStream;
  readonly #random: Random;

  constructor(bytes: ByteStream, random: Random) {
    this.#bytes = bytes;
    this.#random = random;
  }

  async send(packet: Uint8Array): Promise<void> {
    await this.#sendFrame(opcodes.binary, packet);
  }

  async receive(): Promise<Uint8Array> {
    let message: Uint8Array | undefined;
    for (;;) {
      const { final, opcode, payload } = await readFrame(this.#bytes);
      if (isControl(opcode)) {
        await this.#heed(opcode, payload);
        continue;
      }
      const first = message === undefined;
      if (opcode !== (first ? opcodes.binary : opcodes.continuation)) {
        throw new ProtocolError("a message is no binary one, or its pieces are in disorder");
      }
      message = Uint8Array.of(...(message ?? []), ...payload);
      if (message.length > LONGEST_PACKET) throw new ProtocolError("a message is too long");
      if (final) return message;
    }
  }

  async end(): Promise<void> {
    await this.#sendFrame(opcodes.close, NORMAL_CLOSURE);
  }

  async #heed(opcode: number, payload: Uint8Array): Promise<void> {
    switch (opcode) {
      case opcodes.ping:
        await this.#sendFrame(opcodes.pong, payload);
        break;
      case opcodes.pong:
        break;
      case opcodes.close:
        await this.#sendFrame(opcodes.close, payload.subarray(0, 2));
        throw new ConnectionEnded();
      default:
        throw new ProtocolError("a control frame is of an unknown kind");
    }
  }

  async #sendFrame(opcode: number, payload: Uint8Array): Promise<void> {
    await this.#bytes.write(encodeFrame(opcode, payload, this.#random(MASK_BYTES)));
  }
}
