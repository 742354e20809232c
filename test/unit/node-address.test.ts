import fc from "fast-check";
import { isIPv4, isIPv6 } from "node:net";
import { expect, test } from "vitest";
import { toHost } from "../../src/server/lib/address.ts";

test.each([
  ["203.0.113.7", "203.0.113.7"],
  ["0.0.0.0", "0.0.0.0"],
  ["::", "::"],
  ["2001:0DB8:0000:0000:0001:0000:0000:0001", "2001:db8::1:0:0:1"],
  ["::ffff:192.0.2.1", "::ffff:192.0.2.1"],
  ["::FFFF:C000:0201", "::ffff:192.0.2.1"],
  ["localhost", "localhost"],
  ["Relay-1.Example.COM", "relay-1.example.com"],
  ["example.com.", "example.com"],
  ["xn--bcher-kva.example", "xn--bcher-kva.example"],
  ["bücher.example", "xn--bcher-kva.example"],
  ["节点.example.com", "xn--3px729a.example.com"],
  ["1.2.3.4.example.com", "1.2.3.4.example.com"],
  [`${"a".repeat(63)}.b`, `${"a".repeat(63)}.b`],
])("%s is written %s", (text, host) => {
  expect(toHost(text)).toBe(host);
});

test.each([
  "",
  ".",
  " example.com",
  "example.com ",
  "a..b",
  "-a.example",
  "a-.example",
  "a_b.example",
  "*.example",
  "user@example.com",
  "example.com/path",
  "exa%6dple.com",
  "1.2.3",
  "127.1",
  "2130706433",
  "0x7f000001",
  "0177.0.0.1",
  "1.2.3.4.",
  "256.1.1.1",
  "example.123",
  "example.0x7f",
  "[::1]",
  "::1%lo",
  "1::2::3",
  "１２７.0.0.1",
  "127。0。0。1",
  `${"a".repeat(64)}.b`,
  `${"a.".repeat(127)}b`,
  "a\u0000b.example",
  "x".repeat(10_000),
])("%j is no host", (text) => {
  expect(toHost(text)).toBeUndefined();
});

test("what has been written once stays as it is", () => {
  const words = fc.oneof(fc.ipV4(), fc.ipV6(), fc.domain(), fc.string({ unit: "grapheme" }));
  fc.assert(
    fc.property(words, (text) => {
      const host = toHost(text);
      if (host === undefined) return;
      expect(toHost(host)).toBe(host);
      const isPlain = isIPv4(host) || isIPv6(host) || /^[a-z0-9.-]{1,253}$/.test(host);
      expect(isPlain).toBe(true);
    }),
  );
});

test("every address of the two families is taken", () => {
  fc.assert(
    fc.property(fc.oneof(fc.ipV4(), fc.ipV6()), (text) => {
      expect(toHost(text)).toBeDefined();
    }),
  );
});
