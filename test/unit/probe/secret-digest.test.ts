import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { secretDigest } from "../../../src/probe/secret-digest.ts";
import { digestOf } from "../../support/overlay-codec.ts";

/** Found with another implementation of the hash. */
const vectors: [name: string, secret: string, digest: string][] = [
  ["net", "secret", "aa5d4c9d51dad76c940518e9cba13dd7ae5e01dafbc4bdbb678abeb24c34c164"],
  ["default", "", "02e2bcd8739ae03985d61303fbec09210289c243231b1dcaa5bbb1f191f9b993"],
  ["", "", "d1fba762150c532c4cf426633e76377d6d62dd773d5a8878106c97eb71091f4f"],
  ["easytier", "easytier", "94f31c11f7dea19ef0f578bf57d614bad27ff4dafafa0bb374a4c088335a357f"],
  ["测试网络", "密码123", "d88c7ad403b42e0ef0686d24001d5938199528619397a17382040a33dc9aa050"],
  [
    "a-network-name-of-16",
    "0123456789abcdef0123456789abcdef",
    "d908166c02691cbbc70c56971dcfb23e6ce0c7ac027f50cae60434cb4b717280",
  ],
];

describe("the digest of a secret", () => {
  test.each(vectors)("of %j and %j is the published one", (name, secret, digest) => {
    expect(Buffer.from(secretDigest(name, secret)).toString("hex")).toBe(digest);
    expect(digestOf(name, secret).toString("hex")).toBe(digest);
  });

  test("is what 64-bit arithmetic gives, for any name and secret", () => {
    const text = fc.string({ unit: "grapheme", maxLength: 80 });
    fc.assert(
      fc.property(text, text, (name, secret) => {
        expect(Buffer.from(secretDigest(name, secret))).toEqual(digestOf(name, secret));
      }),
      { numRuns: 2000 },
    );
  });
});
