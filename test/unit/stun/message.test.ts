import { createHmac } from "node:crypto";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { StunAttributes } from "../../../src/server/stun/attributes.ts";
import type { Endpoint } from "../../../src/server/stun/endpoint.ts";
import {
  decodeMessage,
  encodeMessage,
  mappedAddress,
  newTransactionId,
  type StunMessage,
} from "../../../src/server/stun/message.ts";
import { toHost } from "../../../src/server/lib/address.ts";
import { seededChance } from "../../support/seeded-chance.ts";
import { ipv4Response, ipv6Response, password, request, transactionId } from "./vectors.ts";

describe("the vectors of RFC 5769", () => {
  test.each([
    ["request", request],
    ["IPv4 response", ipv4Response],
    ["IPv6 response", ipv6Response],
  ])("the %s carries the integrity that its password gives", (_, vector) => {
    const attributeAt = vector.length - 8 - 24;
    const covered = Buffer.from(vector.subarray(0, attributeAt));
    covered.writeUInt16BE(attributeAt - 20 + 24, 2);
    const integrity = createHmac("sha1", password).update(covered).digest();
    expect(vector.subarray(attributeAt + 4, attributeAt + 24)).toEqual(integrity);
  });

  test("the request is read, and what we do not understand in it is noted", () => {
    expect(decodeMessage(request)).toEqual({
      kind: "request",
      transactionId,
      attributes: { software: "STUN test client" },
      fingerprint: true,
      unknownRequired: [0x0024],
    });
  });

  test("the IPv4 response is read", () => {
    expect(decodeMessage(ipv4Response)).toEqual({
      kind: "success",
      transactionId,
      attributes: { software: "test vector", xorMapped: { address: "192.0.2.1", port: 32853 } },
      fingerprint: true,
      unknownRequired: [],
    });
  });

  test("the IPv6 response is read", () => {
    const message = decodeMessage(ipv6Response);
    const mapped = { address: "2001:db8:1234:5678:11:2233:4455:6677", port: 32853 };
    expect(message?.attributes).toEqual({ software: "test vector", xorMapped: mapped });
    expect(message?.fingerprint).toBe(true);
  });

  test("any flipped bit of a response is noticed by its fingerprint", () => {
    for (let bit = 0; bit < ipv4Response.length * 8; bit++) {
      const changed = Buffer.from(ipv4Response);
      changed[bit >> 3] = (changed[bit >> 3] as number) ^ (1 << (bit & 7));
      const message = decodeMessage(changed);
      // What is still readable no longer has an attribute of that type.
      expect(message?.fingerprint ?? false).toBe(false);
    }
  });
});

/** A Binding success with these attributes, in hexadecimal digits. */
function success(body: string): Buffer {
  const attributes = Buffer.from(body.replaceAll(" ", ""), "hex");
  const header = Buffer.from(`010100002112a442${transactionId}`, "hex");
  header.writeUInt16BE(attributes.length, 2);
  return Buffer.concat([header, attributes]);
}

describe("strictness", () => {
  const mapped = "0001 0008 0001 8055 c0000201";

  test("the plain form is well-formed", () => {
    expect(decodeMessage(success(mapped))?.attributes.mapped).toEqual({
      address: "192.0.2.1",
      port: 32853,
    });
  });

  test.each([
    ["one byte more", Buffer.concat([success(mapped), Buffer.alloc(1)])],
    ["four bytes more", Buffer.concat([success(mapped), Buffer.alloc(4)])],
    ["one byte less", success(mapped).subarray(0, -1)],
    ["a header only, cut", success("").subarray(0, 19)],
    ["a length that is no multiple of four", success(`${mapped} 80220001 41`)],
    ["an attribute that ends behind the message", success("0001 000c 0001 8055 c0000201")],
    ["half of an attribute's header", success(`${mapped} 8022`)],
    ["an address of a false length", success("0001 0004 0001 8055")],
    ["an address of an unknown family", success("0001 0008 0003 8055 c0000201")],
    ["an IPv6 address of four bytes", success("0020 0008 0002 8055 c0000201")],
    ["an error class below 3", success("0009 0004 00000200")],
    ["an error number above 99", success("0009 0004 00000464")],
    ["an error code without its code", success("0009 0002 00000000")],
    ["a fingerprint that is wrong", success(`${mapped} 8028 0004 00000000`)],
    ["a fingerprint of a false length", success("8028 0008 0000000000000000")],
    ["another cookie", Buffer.from(success(mapped)).fill(0, 4, 8)],
    ["another method", Buffer.from(success(mapped)).fill(3, 1, 2)],
    ["a first bit that is set", Buffer.from(success(mapped)).fill(0x81, 0, 1)],
    ["nothing", Buffer.alloc(0)],
  ])("%s is no message", (_, bytes) => {
    expect(decodeMessage(bytes)).toBeUndefined();
  });

  test("a right fingerprint that is not the last attribute is no message", () => {
    const good = encodeMessage({ kind: "success", transactionId, fingerprint: true });
    const longer = Buffer.concat([good, Buffer.from("80220000", "hex")]);
    longer.writeUInt16BE(longer.length - 20, 2);
    expect(decodeMessage(longer)).toBeUndefined();
  });

  test("of two attributes of a type the first counts", () => {
    const two = success(`${mapped} 0001 0008 0001 0001 0a000001`);
    expect(mappedAddress(decodeMessage(two) as StunMessage)?.address).toBe("192.0.2.1");
  });

  test("what stands behind the integrity does not count", () => {
    const hidden = success(`0008 0014 ${"00".repeat(20)} ${mapped} 7fff 0000`);
    expect(decodeMessage(hidden)).toMatchObject({ attributes: {}, unknownRequired: [] });
  });

  test("padding may hold anything", () => {
    const message = decodeMessage(success(`8022 0001 41ffffff ${mapped}`));
    expect(message?.attributes.software).toBe("A");
    expect(message?.attributes.mapped?.port).toBe(32853);
  });

  test("only unknown attributes of the lower half must be understood", () => {
    const message = decodeMessage(success("7fff 0000 8abc 0000 7fff 0000 0006 0000"));
    expect(message?.unknownRequired).toEqual([0x7fff]);
  });
});

function address(last: number): Endpoint {
  return { address: `192.0.2.${last}`, port: 1000 + last };
}

function read(attributes: StunAttributes): Endpoint | undefined {
  const bytes = encodeMessage({ kind: "success", transactionId, attributes });
  return mappedAddress(decodeMessage(bytes) as StunMessage);
}

describe("where the mapped address is found", () => {
  test("XORed before plain, today's number before the legacy one", () => {
    const [mapped, legacyXorMapped, xorMapped] = [address(1), address(2), address(3)];
    expect(read({ mapped, legacyXorMapped, xorMapped })).toEqual(xorMapped);
    expect(read({ mapped, legacyXorMapped })).toEqual(legacyXorMapped);
    expect(read({ mapped })).toEqual(mapped);
    expect(read({ otherAddress: mapped, sourceAddress: mapped })).toBeUndefined();
  });

  test("the legacy number stands for the same XORed bytes", () => {
    const vector = Buffer.from(ipv4Response.subarray(0, -32));
    vector.writeUInt16BE(vector.length - 20, 2);
    vector.writeUInt16BE(0x8020, 36);
    expect(decodeMessage(vector)?.attributes.legacyXorMapped).toEqual({
      address: "192.0.2.1",
      port: 32853,
    });
  });
});

const port = fc.integer({ min: 0, max: 65_535 });
const ip = fc.oneof(fc.ipV4(), fc.ipV6()).map((text) => toHost(text) as string);
const endpoint = fc.record({ address: ip, port });
const text = fc.string({ unit: "grapheme", maxLength: 60 });

const attributesArbitrary: fc.Arbitrary<StunAttributes> = fc.record(
  {
    mapped: endpoint,
    xorMapped: endpoint,
    legacyXorMapped: endpoint,
    sourceAddress: endpoint,
    changedAddress: endpoint,
    responseOrigin: endpoint,
    otherAddress: endpoint,
    change: fc.record({ address: fc.boolean(), port: fc.boolean() }),
    software: text,
    error: fc.record({ code: fc.integer({ min: 300, max: 699 }), reason: text }),
    unknownAttributes: fc.array(fc.integer({ min: 0, max: 65_535 }), { maxLength: 40 }),
  },
  { requiredKeys: [] },
);

const messageArbitrary: fc.Arbitrary<StunMessage> = fc.record({
  kind: fc.constantFrom("request", "indication", "success", "error"),
  transactionId: fc.constant(null).map(newTransactionId),
  attributes: attributesArbitrary,
  fingerprint: fc.boolean(),
  unknownRequired: fc.constant([]),
});

describe("properties", () => {
  test("what is written is read again", () => {
    fc.assert(
      fc.property(messageArbitrary, (message) => {
        const bytes = encodeMessage(message);
        expect(bytes.length % 4).toBe(0);
        expect(decodeMessage(bytes)).toEqual(message);
      }),
      { numRuns: 2_000 },
    );
  });

  test("no beginning of a message is a message", () => {
    fc.assert(
      fc.property(
        messageArbitrary,
        fc.double({ min: 0, max: 0.999, noNaN: true }),
        (message, share) => {
          const bytes = encodeMessage(message);
          expect(
            decodeMessage(bytes.subarray(0, Math.floor(bytes.length * share))),
          ).toBeUndefined();
        },
      ),
    );
  });

  test("an answer too large for one message is refused", () => {
    const attributes = { software: "x".repeat(65_530) };
    expect(() => encodeMessage({ kind: "request", transactionId, attributes })).toThrow(RangeError);
  });
});

describe("hostile input", () => {
  const chance = seededChance(4);
  const below = (limit: number) => Math.floor(chance() * limit);
  const samples = [request, ipv4Response, ipv6Response];

  test("100,000 random and damaged packets never throw, and are never read for long", () => {
    let understood = 0;
    const startedAt = performance.now();
    for (let round = 0; round < 100_000; round++) {
      const message = decodeMessage(round % 4 === 0 ? randomPacket() : damagedPacket());
      if (message) understood++;
    }
    expect(performance.now() - startedAt).toBeLessThan(20_000);
    // Damage that spares the fingerprint is rare, and there is some: both ways are taken.
    expect(understood).toBeGreaterThan(100);
    expect(understood).toBeLessThan(60_000);
  });

  test("the longest packet with the most attributes is read at once", () => {
    const longest = Buffer.alloc(65_532);
    for (let at = 20; at < longest.length; at += 4) longest.writeUInt16BE(at >> 2, at);
    longest.set(ipv4Response.subarray(0, 20));
    longest.writeUInt16BE(longest.length - 20, 2);
    for (let at = 20; at < longest.length; at += 4) {
      if (longest.readUInt16BE(at) <= 0x30) longest.writeUInt16BE(0x7000, at);
    }
    const startedAt = performance.now();
    expect(decodeMessage(longest)?.unknownRequired.length).toBeGreaterThan(10_000);
    expect(performance.now() - startedAt).toBeLessThan(500);
  });

  function randomPacket(): Buffer {
    const packet = Buffer.from(Array.from({ length: below(200) }, () => below(256)));
    if (packet.length >= 20 && chance() < 0.7) {
      samples[0]?.copy(packet, 0, 0, 20);
      packet.writeUInt16BE(packet.length - 20, 2);
    }
    return packet;
  }

  function damagedPacket(): Buffer {
    const sample = samples[below(samples.length)] as Buffer;
    // Without integrity and fingerprint damage reaches what is behind them.
    let packet = Buffer.from(chance() < 0.5 ? sample : sample.subarray(0, -32));
    for (let times = below(6); times >= 0; times--) {
      const at = below(packet.length);
      const kind = below(4);
      if (kind === 0) packet[at] = below(256);
      else if (kind === 1) packet = packet.subarray(0, at + 1);
      else if (kind === 2) packet = Buffer.concat([packet, packet.subarray(at, at + 4)]);
      else packet[at] = (packet[at] as number) ^ (1 << below(8));
    }
    if (packet.length >= 20 && chance() < 0.6) packet.writeUInt16BE(packet.length - 20, 2);
    return packet;
  }
});
