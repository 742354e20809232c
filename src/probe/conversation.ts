import { decodeHandshake, encodeHandshake } from "./handshake-message.ts";
import type { Findings, Identity } from "./judge.ts";
import type { PacketChannel, Random } from "./packet-channel.ts";
import { decodePacket, encodePacket, packetTypes } from "./packet.ts";
import { ConnectionEnded, ProtocolError } from "./peer-errors.ts";
import { sameDigest as sameBytes } from "./secret-digest.ts";

const ID_BYTES = 4;
const SEQUENCE_BYTES = 4;

/** Hello, answer, ping, pong, good-bye. What was found so far can be read at any time. */
export class Conversation {
  readonly findings: Findings = { answer: undefined, pong: false, closed: false };
  readonly #identity: Identity;
  /** Ours, and never zero, which means nobody. */
  readonly #peerId: number;
  /** What the ping carries and the pong has to bring back. */
  readonly #sequence: Uint8Array;

  constructor(identity: Identity, random: Random) {
    this.#identity = identity;
    const bytes = random(ID_BYTES + SEQUENCE_BYTES);
    this.#peerId = new DataView(bytes.buffer, bytes.byteOffset).getUint32(0, true) || 1;
    this.#sequence = bytes.subarray(ID_BYTES);
  }

  /** Ends when everything is known that can be found out. Never rejects for what the other side does. */
  async run(open: () => Promise<PacketChannel>): Promise<void> {
    try {
      const channel = await open();
      const theirId = await this.#shakeHands(channel);
      await this.#ping(channel, theirId);
      await channel.end();
    } catch (error) {
      if (error instanceof ConnectionEnded) this.findings.closed = true;
      else if (!(error instanceof ProtocolError)) throw error;
    }
  }

  /** The id of the other side. */
  async #shakeHands(channel: PacketChannel): Promise<number> {
    const hello = encodeHandshake({ peerId: this.#peerId, ...this.#identity });
    await channel.send(this.#packet(packetTypes.handshake, 0, hello));
    const { type, payload } = decodePacket(await channel.receive());
    if (type !== packetTypes.handshake) throw new ProtocolError("the answer is no handshake");
    const answer = decodeHandshake(payload);
    if (answer.peerId === this.#peerId) throw new ProtocolError("the answer is an echo");
    this.findings.answer = answer;
    return answer.peerId;
  }

  async #ping(channel: PacketChannel, toPeerId: number): Promise<void> {
    await channel.send(this.#packet(packetTypes.ping, toPeerId, this.#sequence));
    for (;;) {
      const { type, payload } = decodePacket(await channel.receive());
      // A member also hears pings and news of routes, which nobody expects it to answer so soon.
      if (type === packetTypes.pong && sameBytes(payload, this.#sequence)) break;
    }
    this.findings.pong = true;
  }

  #packet(type: number, toPeerId: number, payload: Uint8Array): Uint8Array {
    return encodePacket({ fromPeerId: this.#peerId, toPeerId, type, payload });
  }
}
