import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { parseEmailAddress } from "../../src/server/users/email-address.ts";

describe("an e-mail address", () => {
  test.each([
    "a@b.example",
    "First.Last+tag@mail.example.com",
    "o'brien@example.com",
    "root@localhost",
    "用户@例子.中国",
    "jürgen@müller.example",
    "x@1.2.3.example",
  ])("may be %s", (text) => {
    expect(parseEmailAddress(text)).toEqual({ text, key: text.toLowerCase() });
  });

  test("may be as long as a mail server takes, and no longer", () => {
    const local = "l".repeat(64);
    expect(parseEmailAddress(`${local}@example.com`)).toBeDefined();
    expect(parseEmailAddress(`${local}l@example.com`)).toBeUndefined();
    expect(parseEmailAddress(`a@${"d".repeat(248)}.com`)).toBeDefined();
    expect(parseEmailAddress(`a@${"d".repeat(249)}.com`)).toBeUndefined();
    expect(parseEmailAddress("a".repeat(10_000))).toBeUndefined();
  });

  test.each([
    "",
    "   ",
    "plain",
    "@example.com",
    "a@",
    "a@@example.com",
    "a b@example.com",
    "a@b c.example",
    "a@.example",
    "a@example..com",
    "a@example.com.",
    "a@-example.com",
    "a@example-.com",
    "a\u0000@example.com",
    "a\r\nBcc: b@example.com",
    "a@example.com\u0000",
    "a,b@example.com",
    "<a@example.com>",
    'a"@example.com',
    "a\u200B@example.com",
    "a\uD800@example.com",
    "a'; DROP TABLE users;--@example.com",
  ])("may not be %j", (text) => {
    expect(parseEmailAddress(text)).toBeUndefined();
  });

  test("is trimmed and otherwise kept as it is written", () => {
    expect(parseEmailAddress("  Ann@Example.COM\n")).toEqual({
      text: "Ann@Example.COM",
      key: "ann@example.com",
    });
  });

  test("is one address however its letters are encoded", () => {
    // KELVIN SIGN is canonically the letter K.
    expect(parseEmailAddress("\u212Aate@example.com")?.text).toBe("Kate@example.com");
    const composed = parseEmailAddress("j\u00FCrgen@example.com");
    expect(composed).toBeDefined();
    expect(parseEmailAddress("ju\u0308rgen@example.com")).toEqual(composed);
  });

  test("is read again as itself", () => {
    fc.assert(
      fc.property(fc.oneof(fc.emailAddress(), fc.string({ unit: "binary" })), (text) => {
        const address = parseEmailAddress(text);
        if (!address) return;
        expect(parseEmailAddress(address.text)).toEqual(address);
        expect(parseEmailAddress(address.key)?.key).toBe(address.key);
        expect(address.text).not.toMatch(/[\s<>,;]/);
      }),
    );
  });
});
