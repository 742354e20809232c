import { randomBytes } from "node:crypto";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { SealedBox, SealError, type SealKey } from "../../../src/server/lib/sealed-box.ts";

const key = (id: string): SealKey => ({ id, bytes: randomBytes(32) });
const CONTEXT = "callback_accounts:17:api_token";

describe("a sealed box", () => {
  const box = new SealedBox([key("k1")]);

  test("gives back what was put in, whatever it is", () => {
    fc.assert(
      fc.property(fc.string({ unit: "grapheme" }), fc.string(), (plain, context) => {
        const sealed = box.seal(plain, context);
        expect(sealed).toMatch(/^wp1\.k1\.[\w-]{16}\.[\w-]{22,}$/);
        expect(box.open(sealed, context)).toBe(plain);
      }),
    );
  });

  test("seals the same text differently each time", () => {
    const sealed = new Set(Array.from({ length: 100 }, () => box.seal("same", CONTEXT)));
    expect(sealed.size).toBe(100);
  });

  test("does not open in another place, so that a secret cannot be moved to another account", () => {
    const sealed = box.seal("text", CONTEXT);
    expect(() => box.open(sealed, "callback_accounts:18:api_token")).toThrow(SealError);
  });

  test("does not open when any bit was changed", () => {
    const sealed = box.seal("a secret", CONTEXT);
    const [version, id, iv = "", text = ""] = sealed.split(".");
    for (const part of [iv, text]) {
      const bytes = Buffer.from(part, "base64url");
      for (let bit = 0; bit < bytes.length * 8; bit += 1) {
        const changed = Buffer.from(bytes);
        changed[bit >> 3] = (changed[bit >> 3] ?? 0) ^ (1 << (bit & 7));
        const as = changed.toString("base64url");
        const forged = [version, id, part === iv ? as : iv, part === text ? as : text].join(".");
        expect(() => box.open(forged, CONTEXT)).toThrow(SealError);
      }
    }
  });

  test("says which key is missing", () => {
    const sealed = new SealedBox([key("gone")]).seal("text", CONTEXT);
    expect(() => box.open(sealed, CONTEXT)).toThrow(/sealed with the key gone/);
  });

  test.each([
    "",
    "wp1.k1.AAAA.AAAA",
    "wp2.k1.AAAAAAAAAAAAAAAA.AAAAAAAAAAAAAAAAAAAAAA",
    "plain text",
  ])("takes %j for no sealed text", (text) => {
    expect(() => box.open(text, CONTEXT)).toThrow(/no sealed secret/);
    expect(box.keyIdOf(text)).toBeUndefined();
  });
});
