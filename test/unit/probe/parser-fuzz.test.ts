import { createHash } from "node:crypto";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { ByteStream } from "../../../src/probe/byte-stream.ts";
import { Conversation } from "../../../src/probe/conversation.ts";
import { decodeHandshake } from "../../../src/probe/handshake-message.ts";
import { judge } from "../../../src/probe/judge.ts";
import { openChannel } from "../../../src/probe/open-channel.ts";
import { PacketStream } from "../../../src/probe/packet-stream.ts";
import { decodePacket } from "../../../src/probe/packet.ts";
import { ConnectionEnded, ProtocolError } from "../../../src/probe/peer-errors.ts";
import { secretDigest } from "../../../src/probe/secret-digest.ts";
import { handshakes } from "../../../src/probe/verdict.ts";
import { openWebSocket } from "../../../src/probe/web-socket.ts";
import { digestOf, helloOf, kinds, packetOf } from "../../support/overlay-codec.ts";
import { addressOf } from "../../support/probing.ts";
import { ScriptedConnection } from "../../support/scripted-connection.ts";

/** 100,000 inputs altogether. */
const RUNS = { messages: 30_000, streams: 25_000, sockets: 20_000, conversations: 25_000 };

const junk = fc.uint8Array({ maxLength: 80 });
/** Sequences of pieces arrive in pieces too. */
const pieces = fc.array(junk, { maxLength: 6 });

interface Damage {
  at: number;
  remove: number;
  insert: Uint8Array;
}

const damage: fc.Arbitrary<Damage> = fc.record({
  at: fc.nat(400),
  remove: fc.nat(6),
  insert: fc.uint8Array({ maxLength: 6 }),
});

function damaged(bytes: Buffer, wounds: readonly Damage[]): Buffer {
  return wounds.reduce((whole, { at, remove, insert }) => {
    const from = at % (whole.length + 1);
    return Buffer.concat([whole.subarray(0, from), insert, whole.subarray(from + remove)]);
  }, bytes);
}

/** Fails unless it ends well, or for a reason that is known. */
async function expectedEnd(reading: Promise<unknown>): Promise<void> {
  try {
    await reading;
  } catch (error) {
    if (!(error instanceof ProtocolError) && !(error instanceof ConnectionEnded)) throw error;
  }
}

const hello = helloOf({ peerId: 77, networkName: "net", digest: digestOf("net", "secret") });
const answer = packetOf(kinds.handshake, 77, 0, hello);
const pong = packetOf(kinds.pong, 1, 77, Buffer.alloc(4));

const zeros = (length: number) => new Uint8Array(length);
const ACCEPT = createHash("sha1")
  .update(`${Buffer.alloc(16).toString("base64")}258EAFA5-E914-47DA-95CA-C5AB0DC85B11`)
  .digest("base64");
const upgraded = Buffer.from(
  "HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n" +
    `Sec-WebSocket-Accept: ${ACCEPT}\r\n\r\n`,
);

function framed(packet: Buffer): Buffer {
  const length = Buffer.alloc(4);
  length.writeUInt32LE(packet.length);
  return Buffer.concat([length, packet]);
}

/** As a server sends a binary message. */
function message(packet: Buffer): Buffer {
  return Buffer.concat([Buffer.from([0x82, packet.length]), packet]);
}

function split(bytes: Buffer, every: number): Buffer[] {
  const count = Math.ceil(bytes.length / every);
  return Array.from({ length: count }, (_, index) =>
    bytes.subarray(index * every, (index + 1) * every),
  );
}

describe("whatever arrives", () => {
  test("as a packet with a handshake message is read or refused", () => {
    fc.assert(
      fc.property(
        fc.oneof(
          junk.map((bytes) => Buffer.from(bytes)),
          fc.array(damage, { minLength: 1, maxLength: 4 }).map((wounds) => damaged(answer, wounds)),
        ),
        (bytes) => {
          try {
            const { secretDigest: digest } = decodeHandshake(decodePacket(bytes).payload);
            expect(digest).toHaveLength(32);
          } catch (error) {
            if (!(error instanceof ProtocolError)) throw error;
          }
        },
      ),
      { numRuns: RUNS.messages },
    );
  });

  test("as a stream of packets is read or refused, and ends", async () => {
    const lengths = fc.array(fc.integer({ min: 0, max: 2100 }), { maxLength: 4 });
    await fc.assert(
      fc.asyncProperty(pieces, lengths, async (noise, sizes) => {
        const packets = sizes.map((size) => framed(Buffer.alloc(size)));
        const stream = new PacketStream(
          new ByteStream(new ScriptedConnection([...packets, ...noise])),
        );
        const readAll = async () => {
          for (;;) {
            const { length } = await stream.receive();
            expect(length >= 16 && length <= 2000).toBe(true);
          }
        };
        await expectedEnd(readAll());
      }),
      { numRuns: RUNS.streams },
    );
  });

  test("as a WebSocket is read or refused, and ends", async () => {
    const server = addressOf("ws://node.example:1");
    const wounds = fc.oneof(
      { weight: 3, arbitrary: fc.constant([]) },
      fc.array(damage, { maxLength: 2 }),
    );
    await fc.assert(
      fc.asyncProperty(wounds, pieces, async (heads, frames) => {
        const head = damaged(upgraded, heads);
        const connection = new ScriptedConnection([
          head,
          message(answer.subarray(0, 9)),
          ...frames,
        ]);
        const readAll = async () => {
          const channel = await openWebSocket(new ByteStream(connection), server, zeros);
          for (;;) {
            const { length } = await channel.receive();
            expect(length).toBeLessThanOrEqual(2000);
          }
        };
        await expectedEnd(readAll());
        // A ping may be answered, but nothing makes us say much more than we hear.
        const heard = head.length + frames.reduce((sum, each) => sum + each.length, 0);
        expect(connection.sent.length).toBeLessThan(250 + 5 * heard);
      }),
      { numRuns: RUNS.sockets },
    );
  });

  test("in a conversation leads to a verdict", async () => {
    const identity = { networkName: "net", secretDigest: secretDigest("net", "secret") };
    const talks = {
      tcp: Buffer.concat([framed(answer), framed(pong)]),
      ws: Buffer.concat([upgraded, message(answer), message(pong)]),
    };
    const transports = fc.constantFrom("tcp" as const, "ws" as const);
    const wounds = fc.array(damage, { maxLength: 3 });
    const found = new Set<string>();
    await fc.assert(
      fc.asyncProperty(
        transports,
        wounds,
        fc.integer({ min: 20, max: 400 }),
        async (transport, blows, every) => {
          const connection = new ScriptedConnection(split(damaged(talks[transport], blows), every));
          const conversation = new Conversation(identity, zeros);
          const server = addressOf(`${transport}://node.example:1`);
          await conversation.run(() => openChannel(connection, server, zeros));
          const verdict = judge(identity, conversation.findings);
          expect(handshakes).toContain(verdict);
          found.add(verdict);
          if (blows.length === 0 && verdict !== "ok") throw new Error(`unharmed, but ${verdict}`);
        },
      ),
      {
        numRuns: RUNS.conversations,
        examples: [
          ["tcp", [], 400],
          ["ws", [], 400],
        ],
      },
    );
    // The damage reaches everything.
    expect([...found]).toEqual(
      expect.arrayContaining(["auth_failed", "not_overlay", "ok", "refused", "secure_mode"]),
    );
  });
});
