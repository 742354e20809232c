import packet from "dns-packet";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import {
  decodeMessage,
  encodeMessage,
  type DnsMessage,
} from "../../../src/server/domains/dns-message.ts";
import {
  decodeName,
  DnsFormatError,
  encodeName,
  isWithin,
  toRecordName,
  toSubdomain,
} from "../../../src/server/domains/dns-name.ts";

const label = fc.stringMatching(/^[a-z0-9_]([a-z0-9_-]{0,20}[a-z0-9_])?$/);
const name = fc.array(label, { minLength: 1, maxLength: 6 }).map((labels) => labels.join("."));
const record = fc.record({
  name,
  type: fc.constantFrom(1, 16, 28, 65, 65_280),
  class: fc.constantFrom(1, 254, 255),
  ttl: fc.nat({ max: 0x7fffffff }),
  data: fc.uint8Array({ maxLength: 300 }).map((bytes) => Buffer.from(bytes)),
});
const message = fc.record({
  id: fc.nat({ max: 65_535 }),
  opcode: fc.constantFrom(0, 5),
  isAnswer: fc.boolean(),
  isAuthoritative: fc.boolean(),
  isTruncated: fc.boolean(),
  rcode: fc.nat({ max: 15 }),
  questions: fc.array(
    fc.record({ name, type: fc.nat({ max: 65_535 }), class: fc.constantFrom(1, 255) }),
    { maxLength: 2 },
  ),
  answers: fc.array(record, { maxLength: 3 }),
  authorities: fc.array(record, { maxLength: 3 }),
  additionals: fc.array(record, { maxLength: 3 }),
});

describe("a message", () => {
  test("is read as it was written", () => {
    fc.assert(
      fc.property(message, (each) => {
        expect(decodeMessage(encodeMessage(each)).message).toEqual(each);
      }),
    );
  });

  test("of any bytes is read or refused, and never anything else", () => {
    const bytes = fc.uint8Array({ maxLength: 200 });
    const changed = fc.tuple(message, fc.nat(), fc.nat({ max: 255 })).map(([each, at, value]) => {
      const written = encodeMessage(each);
      written[at % written.length] = value;
      return written;
    });
    fc.assert(
      fc.property(fc.oneof(bytes, changed), (each) => {
        expect(outcomeOf(Buffer.from(each))).toMatch(/^(?:read|refused)$/);
      }),
      { numRuns: 2000 },
    );
  });

  test("of another library is read, its names compressed", () => {
    const bytes = packet.encode({
      type: "response",
      id: 4711,
      flags: packet.AUTHORITATIVE_ANSWER,
      questions: [{ name: "_x._tcp.example.com", type: "SRV" }],
      answers: [
        {
          name: "_x._tcp.example.com",
          type: "SRV",
          ttl: 60,
          data: { priority: 1, weight: 2, port: 50_001, target: "home.example.com" },
        },
        { name: "alias.example.com", type: "CNAME", ttl: 5, data: "home.example.com" },
      ],
    });
    const { message: read } = decodeMessage(bytes);
    expect(read).toMatchObject({ id: 4711, isAnswer: true, isAuthoritative: true, opcode: 0 });
    expect(read.answers.map((each) => [each.name, each.type, each.ttl])).toEqual([
      ["_x._tcp.example.com", 33, 60],
      ["alias.example.com", 5, 5],
    ]);
    expect(read.answers[0]?.data.subarray(6)).toEqual(encodeName("home.example.com"));
  });

  test("is read by another library", () => {
    const update: DnsMessage = {
      id: 1,
      opcode: 5,
      isAnswer: false,
      isAuthoritative: false,
      isTruncated: false,
      rcode: 0,
      questions: [{ name: "example.com", type: 6, class: 1 }],
      answers: [],
      authorities: [
        { name: "a.example.com", type: 1, class: 1, ttl: 60, data: Buffer.from([192, 0, 2, 1]) },
      ],
      additionals: [],
    };
    const read = packet.decode(encodeMessage(update));
    expect(read.questions).toMatchObject([{ name: "example.com", type: "SOA" }]);
    expect(read.authorities).toMatchObject([
      { name: "a.example.com", type: "A", ttl: 60, data: "192.0.2.1" },
    ]);
  });
});

describe("a name on the wire", () => {
  test.each([
    ["that points forward", [0xc0, 0x02, 0]],
    ["that points at itself", [0xc0, 0x00]],
    ["that has no end", [5, 0x61, 0x62, 0x63]],
    ["with an unknown kind of label", [0x41, 0x61, 0]],
    ["longer than 255 bytes", Array.from({ length: 5 }, () => [63, ...Array(63).fill(97)]).flat()],
  ])("%s is refused", (_what, bytes) => {
    expect(() => decodeName(Buffer.from([...bytes, 0]), 0)).toThrow(DnsFormatError);
  });

  test("keeps bytes that mean something in text apart", () => {
    const bytes = Buffer.from([5, 0x61, 0x2e, 0x5c, 0x00, 0xff, 1, 0x42, 0]);
    const { name: text, end } = decodeName(bytes, 0);
    expect(text).toBe(String.raw`a\046\092\000\255.b`);
    expect(end).toBe(bytes.length);
    expect(encodeName(text)).toEqual(Buffer.from([5, 0x61, 0x2e, 0x5c, 0x00, 0xff, 1, 0x62, 0]));
  });

  test("the root is the empty name", () => {
    expect(encodeName("")).toEqual(Buffer.from([0]));
    expect(decodeName(Buffer.from([0]), 0)).toEqual({ name: "", end: 1 });
  });
});

describe("the name of a record", () => {
  test.each([
    ["Home.Example.COM.", "home.example.com"],
    ["_x._tcp.example.com", "_x._tcp.example.com"],
    ["*.example.com", "*.example.com"],
    ["zuhaus.über.example", "zuhaus.xn--ber-goa.example"],
    ["com", "com"],
  ])("%s is %s", (given, expected) => {
    expect(toRecordName(given)).toBe(expected);
  });

  test.each([
    "",
    ".",
    "a..b",
    "-a.b",
    "a-.b",
    "a b.c",
    "a.*.b",
    "*",
    "a/b.c",
    `${"a".repeat(64)}.b`,
  ])("is not %s", (given) => {
    expect(toRecordName(given)).toBeUndefined();
  });

  test("lies in its zone, or not, by whole labels", () => {
    expect(isWithin("home.example.com", "example.com")).toBe(true);
    expect(isWithin("example.com", "example.com")).toBe(true);
    expect(isWithin("notexample.com", "example.com")).toBe(false);
    expect(toSubdomain("a.b.example.com", "example.com")).toBe("a.b");
    expect(toSubdomain("example.com", "example.com")).toBe("@");
  });
});

function outcomeOf(bytes: Buffer): string {
  try {
    decodeMessage(bytes);
    return "read";
  } catch (error) {
    return error instanceof DnsFormatError ? "refused" : String(error);
  }
}
