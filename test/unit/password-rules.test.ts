import { describe, expect, test } from "vitest";
import { flawOfPassword } from "../../src/server/users/password-rules.ts";

describe("a new password", () => {
  test.each([
    ["eight letters", "abcdefgh"],
    ["eight times the same", "aaaaaaaa"],
    ["eight spaces", "        "],
    ["eight characters outside the first plane", "🗝".repeat(8)],
    ["256 characters outside the first plane", "🗝".repeat(256)],
    ["eight Chinese characters", "密码很长很安全吧"],
  ])("may be %s", (_name, password) => {
    expect(flawOfPassword(password)).toBeUndefined();
  });

  test.each([
    ["nothing", "", "at least 8"],
    ["seven letters", "abcdefg", "at least 8"],
    ["seven characters of two units each", "🗝".repeat(7), "at least 8"],
    ["257 letters", "a".repeat(257), "at most 256"],
    ["257 characters outside the first plane", "🗝".repeat(257), "at most 256"],
  ])("may not be %s", (_name, password, flaw) => {
    expect(flawOfPassword(password)).toContain(flaw);
  });
});
