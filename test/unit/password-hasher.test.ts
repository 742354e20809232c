import { parseOptions, verifySync } from "@node-rs/argon2";
import { afterEach, describe, expect, test } from "vitest";
import { DUMMY_HASH } from "../../src/server/lib/password-costs.ts";
import { PasswordHasher } from "../../src/server/lib/password-hasher.ts";

describe("the password hasher", () => {
  let hasher = new PasswordHasher();
  afterEach(async () => {
    await hasher.stop();
    hasher = new PasswordHasher();
  });

  test("hashes with Argon2id at the OWASP costs, each time with another salt", async () => {
    const [one, two] = await Promise.all([
      hasher.hash("secret words"),
      hasher.hash("secret words"),
    ]);
    expect(one).toMatch(/^\$argon2id\$v=19\$m=19456,t=2,p=1\$/);
    expect(one).not.toBe(two);
    expect(verifySync(one, "secret words")).toBe(true);
  });

  test("knows the right password from any other", async () => {
    const hash = await hasher.hash("correct horse");
    expect(await hasher.verify(hash, "correct horse")).toBe(true);
    expect(await hasher.verify(hash, "correct horse ")).toBe(false);
    expect(await hasher.verify(hash, "Correct horse")).toBe(false);
    expect(await hasher.verify(hash, "")).toBe(false);
  });

  test("counts every character of a long password", async () => {
    const long = "x".repeat(255);
    const hash = await hasher.hash(`${long}a`);
    expect(await hasher.verify(hash, `${long}b`)).toBe(false);
  });

  test("takes the same characters as the same, however a keyboard composes them", async () => {
    const hash = await hasher.hash("P\u00E4ssword");
    expect(await hasher.verify(hash, "Pa\u0308ssword")).toBe(true);
    expect(await hasher.verify(hash, "Password")).toBe(false);
  });

  test("without an account spends the same work and says no", async () => {
    const real = parseOptions(await hasher.hash("anything at all"));
    expect(parseOptions(DUMMY_HASH)).toEqual(real);
    expect(await hasher.verify(undefined, "anything at all")).toBe(false);
  });

  test("refuses what does not fit into its queue, and goes on", async () => {
    const small = new PasswordHasher(2);
    const results = await Promise.allSettled([1, 2, 3, 4].map((n) => small.hash(`password ${n}`)));
    expect(results.map((each) => each.status)).toEqual([
      "fulfilled",
      "fulfilled",
      "rejected",
      "rejected",
    ]);
    expect(results[3]).toMatchObject({
      reason: { code: "overloaded", retryAfterSeconds: expect.any(Number) },
    });
    await expect(small.hash("password 5")).resolves.toMatch(/^\$argon2id\$/);
    await small.stop();
  });

  test("reports a hash that is none, and goes on", async () => {
    await expect(hasher.verify("not a hash", "password")).rejects.toThrow(/decod/i);
    await expect(hasher.hash("password")).resolves.toMatch(/^\$argon2id\$/);
  });

  test("leaves nobody waiting when it stops, and may be stopped twice", async () => {
    const waiting = Promise.allSettled([hasher.hash("one of them"), hasher.hash("two of them")]);
    await Promise.all([hasher.stop(), hasher.stop()]);
    const refused = { status: "rejected", reason: { code: "overloaded" } };
    expect(await waiting).toMatchObject([refused, refused]);
    await expect(hasher.hash("too late now")).rejects.toMatchObject({ code: "overloaded" });
  });
});
