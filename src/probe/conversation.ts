import { decodeHandshake, encodeHandshake } from "./handshake-message.ts";
import type { Findings, Identity } from "./judge.ts";
import type { PacketChannel, Random } from "./packet-channel.ts";
import { decodePacket, encodePacket, packetTypes } from "./packet.ts";
import { ConnectionEnded, ProtocolError } from "./peer-errors.ts";
import { sameDigest as sameBytes } from "./secret-digest.ts";

const ID_BYTES = 4;

/** Hello, answer, ping, pong, good-bye. What was found so far can be read at any time. */
export class Conversation {
  readonly findings: Findings = { answer: undefined, pong: false, closed: false };
  readonly #identity: Identity;
  readonly #random: Random;

  constructor(identity: Identity, random: Random) {
    this.#identity = identity;
    this.#random = random;
  }

  /** Ends when everything is known that can be found out. Never rejects for what the other side does. */
  async run(open: () => Promise<PacketChannel>): Promise<void> {
    try {
      const channel = await open();
      const ids = await this.#shakeHands(channel);
      await this.#ping(channel, ids);
      await channel.end();
    } catch (error) {
      if (error instanceof ConnectionEnded) this.findings.closed = true;
      else if (!(error instanceof ProtocolError)) throw error;
    }
  }

  async #shakeHands(channel: PacketChannel): Promise<{ own: number; theirs: number }> {
    const own = this.#newPeerId();
    const hello = encodeHandshake({ peerId: own, ...this.#identity });
    await channel.send(
      encodePacket({ fromPeerId: own, toPeerId: 0, type: packetTypes.handshake, payload: hello }),
    );
    const { type, payload } = decodePacket(await channel.receive());
    if (type !== packetTypes.handshake) throw new ProtocolError("the answer is no handshake");
    const answer = decodeHandshake(payload);
    if (answer.peerId === own) throw new ProtocolError("the answer is an echo");
    this.findings.answer = answer;
    return { own, theirs: answer.peerId };
  }

  async #ping(channel: PacketChannel, ids: { own: number; theirs: number }): Promise<void> {
    const payload = this.#random(ID_BYTES);
    const { own: fromPeerId, theirs: toPeerId } = ids;
    await channel.send(encodePacket({ fromPeerId, toPeerId, type: packetTypes.ping, payload }));
    for (;;) {
      const packet = decodePacket(await channel.receive());
      // A member also hears pings and news of routes, which nobody expects it to answer so soon.
      if (packet.type === packetTypes.pong && sameBytes(packet.payload, payload)) break;
    }
    this.findings.pong = true;
  }

  /** Zero means nobody. */
  #newPeerId(): number {
    const bytes = this.#random(ID_BYTES);
    return new DataView(bytes.buffer, bytes.byteOffset).getUint32(0, true) || 1;
  }
}
