import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { parseBareText, toBareText } from "../../../src/server/domains/bare-text.ts";
import { decodeData, encodeData } from "../../../src/server/domains/rdata.ts";
import { parseText, toText } from "../../../src/server/domains/record-data.ts";
import type { NewData } from "../../../src/server/domains/record-plan.ts";
import {
  alpnParameter,
  formatParameters,
  portParameter,
} from "../../../src/server/domains/service-parameters.ts";
import type { RecordType } from "../../../src/shared/api/domains.ts";

const uint16 = fc.nat({ max: 65_535 });
const label = fc.stringMatching(/^[a-z0-9_]([a-z0-9_-]{0,10}[a-z0-9_])?$/);
const target = fc.oneof(
  fc.constant(""),
  fc.array(label, { minLength: 1, maxLength: 4 }).map((labels) => labels.join(".")),
);
const protocol = fc.string({ minLength: 1, maxLength: 12, unit: "grapheme-ascii" });
const otherParameter = fc
  .tuple(fc.integer({ min: 8, max: 65_534 }), fc.uint8Array({ maxLength: 20 }))
  .map(([key, value]) => ({ key, value: Buffer.from(value) }));
const parameters = fc
  .tuple(fc.array(protocol, { minLength: 1, maxLength: 3 }), uint16, fc.option(otherParameter))
  .map(([protocols, port, other]) =>
    [alpnParameter(protocols), portParameter(port)].concat(other ? [other] : []),
  );
const data: fc.Arbitrary<NewData> = fc.oneof(
  fc.record({ type: fc.constant("A" as const), address: fc.ipV4() }),
  fc.ipV6().map((text) => parseText("AAAA", text) as NewData),
  fc.record({
    type: fc.constant("SRV" as const),
    priority: uint16,
    weight: uint16,
    port: uint16,
    target,
  }),
  fc.record({
    type: fc.constantFrom("HTTPS" as const, "SVCB" as const),
    priority: uint16,
    target,
    parameters,
  }),
  fc.record({
    type: fc.constant("TXT" as const),
    text: fc.string({ unit: "grapheme", maxLength: 400 }).filter((text) => text.isWellFormed()),
  }),
);

describe("a value", () => {
  test("is read from a zone file as it was written", () => {
    fc.assert(
      fc.property(data, (each) => {
        expect(parseText(each.type, toText(each))).toEqual(each);
      }),
    );
  });

  test("is read from the wire as it was written", () => {
    fc.assert(
      fc.property(data, (each) => {
        expect(decodeData(each.type, encodeData(each))).toEqual(each);
      }),
    );
  });

  test("is read from a console as it was written there", () => {
    // A console cannot tell a text that looks like a quoted one.
    const plain = data.filter((each) => each.type !== "TXT" || /^[^"\s]/.test(each.text));
    fc.assert(
      fc.property(plain, (each) => {
        expect(toText(parseBareText(each.type, toBareText(each)))).toBe(toText(each));
      }),
    );
  });

  test("of any bytes or words is read or unknown, and never anything else", () => {
    const type = fc.constantFrom<RecordType>("A", "AAAA", "SRV", "HTTPS", "SVCB", "TXT");
    fc.assert(
      fc.property(type, fc.uint8Array({ maxLength: 60 }), fc.string(), (each, bytes, text) => {
        const known = [each, "unknown"];
        expect(known).toContain(decodeData(each, Buffer.from(bytes)).type);
        expect(known).toContain(parseText(each, text).type);
      }),
      { numRuns: 1000 },
    );
  });

  test.each<[RecordType, string, string]>([
    ["AAAA", "2001:0DB8:0:0:0:0:0:1", "2001:db8::1"],
    ["AAAA", "2001::c43a:cb00:7109", "2001:0:0:0:0:c43a:cb00:7109"],
    ["SRV", "0 5 50234 Home.Example.COM", "0 5 50234 home.example.com."],
    ["SRV", "00 05 50234 home.example.com.", "0 5 50234 home.example.com."],
    ["HTTPS", '1 . alpn="h2,h3" port="443"', "1 . port=443 alpn=h2,h3"],
    ["HTTPS", "1 home.example.com. key3=\\001\\187", "1 HOME.example.com port=443"],
    [
      "HTTPS",
      "1 . ipv6hint=2001:DB8::1 no-default-alpn",
      "1 . no-default-alpn ipv6hint=2001:db8:0::1",
    ],
    ["HTTPS", "1 . mandatory=alpn,port ech=AAEC", '1 . ech="AAEC" mandatory="alpn,port"'],
    ["SVCB", "1 . alpn=a\\\\\\,b", '1 . alpn="a\\\\\\,b"'],
    ["TXT", '"192.0.2.1:" "50234"', '"192.0.2.1:50234"'],
    ["TXT", "plain", '"plain"'],
    ["TXT", '"\\195\\188"', '"ü"'],
  ])("of type %s: %s is the same as %s", (type, first, second) => {
    expect(parseText(type, first).type).toBe(type);
    expect(toText(parseText(type, first))).toBe(toText(parseText(type, second)));
  });

  test.each<[RecordType, string]>([
    ["A", "192.0.2.256"],
    ["A", "::1"],
    ["AAAA", "192.0.2.1"],
    ["AAAA", "fe80::1%eth0"],
    ["SRV", "5 50234 home.example.com"],
    ["HTTPS", "1 . port=http"],
    ["HTTPS", "1 . port=1 port=2"],
    ["HTTPS", "1 . colour=red"],
    ["HTTPS", '1 . alpn="h2'],
    ["TXT", '"open'],
  ])("of type %s cannot be %s", (type, text) => {
    expect(parseText(type, text)).toEqual({ type: "unknown", text });
  });

  test("of 600 bytes of text has strings of at most 255", () => {
    const text = "é".repeat(300);
    const bytes = encodeData({ type: "TXT", text });
    expect([bytes[0], bytes[256], bytes[512]]).toEqual([255, 255, 90]);
    expect(decodeData("TXT", bytes)).toEqual({ type: "TXT", text });
  });
});

describe("parameters of a service", () => {
  test("have quotes where they are needed, or always", () => {
    const list = [portParameter(443), alpnParameter(["h2"]), { key: 9, value: Buffer.from("a b") }];
    expect(formatParameters(list)).toBe('alpn=h2 port=443 key9="a b"');
    expect(formatParameters(list, "always")).toBe('alpn="h2" port="443" key9="a b"');
  });

  // The test vectors of RFC 9460, appendix D.2.
  test.each([
    ["16 foo.example.com. port=53", "0010 03666f6f076578616d706c6503636f6d00 0003 0002 0035"],
    [
      "1 foo.example.com. key667=hello",
      "0001 03666f6f076578616d706c6503636f6d00 029b 0005 68656c6c6f",
    ],
    [
      '1 foo.example.com. key667="hello\\210qoo"',
      "0001 03666f6f076578616d706c6503636f6d00 029b 0009 68656c6c6fd2716f6f",
    ],
    [
      '1 foo.example.com. ipv6hint="2001:db8::1,2001:db8::53:1"',
      "0001 03666f6f076578616d706c6503636f6d00 0006 0020" +
        "20010db8000000000000000000000001 20010db8000000000000000000530001",
    ],
    [
      '16 foo.example.org. alpn="f\\\\\\\\oo\\\\,bar,h2"',
      "0010 03666f6f076578616d706c65036f726700 0001 000c 08665c6f6f2c626172 026832",
    ],
    [
      "16 foo.example.org. alpn=f\\\\\\092oo\\092,bar,h2",
      "0010 03666f6f076578616d706c65036f726700 0001 000c 08665c6f6f2c626172 026832",
    ],
    [
      "16 foo.example.org. alpn=h2,h3-19 mandatory=ipv4hint,alpn ipv4hint=192.0.2.1",
      "0010 03666f6f076578616d706c65036f726700 0000 0004 00010004" +
        "0001 0009 026832 0568332d3139 0004 0004 c0000201",
    ],
  ])("%s is on the wire as the standard says", (text, hex) => {
    const value = parseText("SVCB", text);
    expect(encodeData(value as NewData).toString("hex")).toBe(hex.replaceAll(" ", ""));
  });
});
