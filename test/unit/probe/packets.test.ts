import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { ByteStream } from "../../../src/probe/byte-stream.ts";
import { decodeHandshake, encodeHandshake } from "../../../src/probe/handshake-message.ts";
import { PacketStream } from "../../../src/probe/packet-stream.ts";
import { decodePacket, encodePacket, packetTypes } from "../../../src/probe/packet.ts";
import { ConnectionEnded, ProtocolError } from "../../../src/probe/peer-errors.ts";
import { secretDigest } from "../../../src/probe/secret-digest.ts";
import { helloOf, kinds, packetOf } from "../../support/overlay-codec.ts";
import { ScriptedConnection } from "../../support/scripted-connection.ts";

/** As a member of ("net", "secret") with the id 0x01020304 sends it on TCP. */
const REFERENCE_FRAME =
  "44000000 04030201 00000000 02 00 01 00 34000000" +
  "08e1cb868f0d 1084868808 1801 2a036e6574 3220" +
  "aa5d4c9d51dad76c940518e9cba13dd7ae5e01dafbc4bdbb678abeb24c34c164";

const peerId = fc.integer({ min: 1, max: 0xffff_ffff });

function stream(...chunks: Uint8Array[]): {
  connection: ScriptedConnection;
  packets: PacketStream;
} {
  const connection = new ScriptedConnection(chunks);
  return { connection, packets: new PacketStream(new ByteStream(connection)) };
}

/** Cuts bytes at the given places. */
function cut(bytes: Buffer, places: readonly number[]): Buffer[] {
  const ends = [...new Set(places.map((place) => place % (bytes.length + 1)))].toSorted(
    (a, b) => a - b,
  );
  let from = 0;
  return [...ends, bytes.length].map((end) => bytes.subarray(from, (from = end)));
}

function framed(packet: Uint8Array): Buffer {
  const length = Buffer.alloc(4);
  length.writeUInt32LE(packet.length);
  return Buffer.concat([length, packet]);
}

describe("a hello on TCP", () => {
  test("is, byte for byte, the reference frame", async () => {
    const { connection, packets } = stream();
    const secret = secretDigest("net", "secret");
    const fromPeerId = 0x01020304;
    const payload = encodeHandshake({
      peerId: fromPeerId,
      networkName: "net",
      secretDigest: secret,
    });
    await packets.send(
      encodePacket({ fromPeerId, toPeerId: 0, type: packetTypes.handshake, payload }),
    );
    expect(connection.sent.toString("hex")).toBe(REFERENCE_FRAME.replaceAll(" ", ""));
    expect(connection.written).toHaveLength(1);
  });
});

describe("packets on TCP", () => {
  test("arrive whole however they are split and merged", async () => {
    const sizes = fc.array(fc.integer({ min: 16, max: 2000 }), { minLength: 1, maxLength: 6 });
    await fc.assert(
      fc.asyncProperty(sizes, fc.array(fc.nat()), async (lengths, places) => {
        const sent = lengths.map((length, index) => Buffer.alloc(length, index + 1));
        const { packets } = stream(...cut(Buffer.concat(sent.map(framed)), places));
        for (const packet of sent) expect(Buffer.from(await packets.receive())).toEqual(packet);
        await expect(packets.receive()).rejects.toBeInstanceOf(ConnectionEnded);
      }),
      { numRuns: 300 },
    );
  });

  test.each([0, 15, 2001, 0x7fff_ffff, 0xffff_ffff])("of %d bytes are refused", async (length) => {
    const prefix = Buffer.alloc(4);
    prefix.writeUInt32LE(length);
    const { packets } = stream(prefix, Buffer.alloc(3000));
    await expect(packets.receive()).rejects.toBeInstanceOf(ProtocolError);
  });

  test("that end in the middle are an end", async () => {
    const { packets } = stream(framed(Buffer.alloc(100)).subarray(0, 50));
    await expect(packets.receive()).rejects.toBeInstanceOf(ConnectionEnded);
  });

  test("are no longer read when there are too many", async () => {
    const flood = Array.from({ length: 100 }, () => framed(Buffer.alloc(2000)));
    const { packets } = stream(...flood);
    const readAll = async () => {
      for (let count = 0; count < flood.length; count++) await packets.receive();
    };
    await expect(readAll()).rejects.toBeInstanceOf(ProtocolError);
  });
});

describe("a packet", () => {
  test("comes back from its bytes, and from those of another implementation", () => {
    const type = fc.nat(255);
    fc.assert(
      fc.property(peerId, peerId, type, fc.uint8Array(), (fromPeerId, toPeerId, kind, payload) => {
        const packet = { fromPeerId, toPeerId, type: kind, payload };
        const bytes = encodePacket(packet);
        expect(Buffer.from(bytes)).toEqual(
          packetOf(kind, fromPeerId, toPeerId, Buffer.from(payload)),
        );
        expect(decodePacket(bytes)).toEqual(packet);
      }),
    );
  });

  test("may be followed by bytes that do not count", () => {
    const bytes = Buffer.concat([packetOf(kinds.pong, 1, 2, Buffer.from("abc")), Buffer.alloc(9)]);
    expect(Buffer.from(decodePacket(bytes).payload).toString()).toBe("abc");
  });

  test("that is cut short is refused", () => {
    const bytes = packetOf(kinds.pong, 1, 2, Buffer.from("abc"));
    for (let length = 0; length < bytes.length; length++) {
      expect(() => decodePacket(bytes.subarray(0, length))).toThrow(ProtocolError);
    }
  });
});

describe("a handshake message", () => {
  const names = fc.string({ unit: "grapheme", minLength: 1 });
  const digests = fc.uint8Array({ minLength: 32, maxLength: 32 });

  test("comes back from its bytes, and from those of another implementation", () => {
    fc.assert(
      fc.property(peerId, names, digests, (id, networkName, digest) => {
        const message = { peerId: id, networkName, secretDigest: digest };
        const bytes = encodeHandshake(message);
        expect(decodeHandshake(bytes)).toEqual(message);
        const theirs = helloOf({ peerId: id, networkName, digest: Buffer.from(digest) });
        expect(decodeHandshake(theirs)).toEqual({ ...message, secretDigest: Buffer.from(digest) });
        expect(Buffer.from(bytes)).toEqual(theirs);
      }),
    );
  });

  test("leaves an empty name out", () => {
    const bytes = encodeHandshake({ peerId: 1, networkName: "", secretDigest: Buffer.alloc(32) });
    expect(Buffer.from(bytes).includes(0x2a)).toBe(false);
    expect(decodeHandshake(bytes).networkName).toBe("");
  });

  const good = helloOf({ peerId: 9, networkName: "net", digest: Buffer.alloc(32, 7) });
  const withField = (...bytes: number[]) => Buffer.concat([good, Buffer.from(bytes)]);

  test.each([
    ["a number", withField(0x78, 0xff, 0x01)],
    ["64 fixed bits", withField(0x79, 1, 2, 3, 4, 5, 6, 7, 8)],
    ["bytes", withField(0x7a, 3, 1, 2, 3)],
    ["32 fixed bits", withField(0x7d, 1, 2, 3, 4)],
    ["a field with a high number", withField(0xf8, 0xff, 0xff, 0xff, 0x0f, 0x00)],
    [
      "features",
      helloOf({ peerId: 9, networkName: "net", digest: Buffer.alloc(32, 7), features: ["x"] }),
    ],
  ])("may carry %s that we do not know", (_what, bytes) => {
    expect(decodeHandshake(bytes)).toMatchObject({ peerId: 9, networkName: "net" });
  });

  test("takes the last of a field that comes twice, and 32 bits of a long number", () => {
    const again = withField(0x10, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0x01);
    expect(decodeHandshake(again).peerId).toBe(0xffff_ffff);
  });

  test.each([
    ["nothing", Buffer.alloc(0)],
    ["another magic", helloOf({ magic: 1 })],
    ["another version", helloOf({ version: 2 })],
    ["a digest of 31 bytes", helloOf({ digest: Buffer.alloc(31) })],
    ["a digest of 33 bytes", helloOf({ digest: Buffer.alloc(33) })],
    ["a number without an end", withField(0x78, ...Array.from({ length: 11 }, () => 0xff))],
    ["a number that is cut off", withField(0x78, 0xff)],
    ["a length beyond the end", withField(0x7a, 4, 1, 2, 3)],
    ["a length of 2^63", withField(0x7a, ...Array.from({ length: 9 }, () => 0x80), 1)],
    ["the field zero", withField(0x00, 0x01)],
    ["a field number beyond 2^29", withField(0xf8, 0xff, 0xff, 0xff, 0x1f, 0x00)],
    ["a group", withField(0x7b, 0x7c)],
    ["fixed bits cut off", withField(0x79, 1, 2, 3)],
    ["a name that is a number", withField(0x28, 1)],
    ["a magic that is bytes", withField(0x0a, 1, 1)],
    ["a name that is not UTF-8", withField(0x2a, 2, 0xc3, 0x28)],
  ])("is refused with %s", (_what, bytes) => {
    expect(() => decodeHandshake(bytes)).toThrow(ProtocolError);
  });
});
