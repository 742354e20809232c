import { createHmac, generateKeyPairSync, sign } from "node:crypto";
import fc from "fast-check";
import { base64url, SignJWT, UnsecuredJWT } from "jose";
import { describe, expect, test } from "vitest";
import { SESSION_LIFETIME_MS, SessionTokens } from "../../src/server/users/session-token.ts";
import { ManualClock } from "../support/manual-clock.ts";

const SECRET = "a secret of at least thirty-two characters";
const session = { userId: 7, email: "ann@example.com", isAdmin: true, version: 3 };

function set(secret = SECRET) {
  const clock = new ManualClock();
  return { clock, tokens: new SessionTokens(secret, clock) };
}

type Part = Record<string, unknown>;

function partsOf(token: string): { header: Part; payload: Part } {
  const [header = "", payload = ""] = token.split(".");
  const read = (part: string) =>
    JSON.parse(new TextDecoder().decode(base64url.decode(part))) as Part;
  return { header: read(header), payload: read(payload) };
}

/** A token with any header and payload, signed with HMAC-SHA256 like ours. */
function signed(header: Part, payload: Part, secret: string | Buffer = SECRET): string {
  const body = `${encode(header)}.${encode(payload)}`;
  return `${body}.${createHmac("sha256", secret).update(body).digest("base64url")}`;
}

function encode(part: Part): string {
  return Buffer.from(JSON.stringify(part)).toString("base64url");
}

describe("a session token", () => {
  test("says who the session belongs to, for 24 hours", async () => {
    const { clock, tokens } = set();
    const token = await tokens.issue(session);
    expect(await tokens.read(token)).toEqual(session);
    const { header, payload } = partsOf(token);
    expect(header).toEqual({ alg: "HS256", typ: "session+jwt" });
    const issuedAt = clock.now() / 1000;
    expect(payload).toEqual({
      sub: "7",
      email: "ann@example.com",
      is_admin: true,
      ver: 3,
      iat: issuedAt,
      exp: issuedAt + 86_400,
      iss: "waypost",
      aud: "waypost-api",
    });
  });

  test("ends when its time is up, to the second", async () => {
    const { clock, tokens } = set();
    const token = await tokens.issue(session);
    clock.advance(SESSION_LIFETIME_MS - 1000);
    expect(await tokens.read(token)).toEqual(session);
    clock.advance(1000);
    expect(await tokens.read(token)).toBeUndefined();
  });

  test("is nobody's when another secret signed it", async () => {
    const token = await set("another secret of more than thirty-two characters").tokens.issue(
      session,
    );
    expect(await set().tokens.read(token)).toBeUndefined();
  });

  test("is nobody's without a signature", async () => {
    const { tokens } = set();
    const { header, payload } = partsOf(await tokens.issue(session));
    const { iss, aud, sub, ...claims } = payload;
    const unsecured = new UnsecuredJWT({ ...claims, iss, aud, sub } as never).encode();
    expect(await tokens.read(unsecured)).toBeUndefined();
    for (const alg of ["none", "None", "NONE", ""]) {
      const body = `${encode({ ...header, alg })}.${encode(payload)}`;
      expect(await tokens.read(`${body}.`)).toBeUndefined();
      expect(await tokens.read(body)).toBeUndefined();
      expect(await tokens.read(signed({ ...header, alg }, payload))).toBeUndefined();
    }
  });

  test("is nobody's when it names another algorithm, whoever signed it", async () => {
    const { tokens } = set();
    const { header, payload } = partsOf(await tokens.issue(session));
    const key = new TextEncoder().encode(SECRET.repeat(2));
    for (const alg of ["HS384", "HS512"]) {
      const other = new SignJWT(payload).setProtectedHeader({ ...header, alg }).sign(key);
      expect(await tokens.read(await other)).toBeUndefined();
    }
    const { privateKey, publicKey } = generateKeyPairSync("rsa", { modulusLength: 2048 });
    const body = `${encode({ ...header, alg: "RS256" })}.${encode(payload)}`;
    const signature = sign("sha256", Buffer.from(body), privateKey).toString("base64url");
    expect(await tokens.read(`${body}.${signature}`)).toBeUndefined();
    const pem = publicKey.export({ type: "spki", format: "pem" });
    const confused = signed(
      { ...header, alg: "HS256", jwk: publicKey.export({ format: "jwk" }) },
      payload,
      pem,
    );
    expect(await tokens.read(confused)).toBeUndefined();
    // With the right key, so that it is the algorithm alone that is refused.
    expect(await tokens.read(signed({ ...header, alg: "RS256" }, payload))).toBeUndefined();
  });

  test.each<[string, Part, Part]>([
    ["of another issuer", {}, { iss: "somebody else" }],
    ["without issuer", {}, { iss: undefined }],
    ["for another audience", {}, { aud: "another service" }],
    ["without audience", {}, { aud: undefined }],
    ["of another type", { typ: "JWT" }, {}],
    ["without type", { typ: undefined }, {}],
    ["with a critical extension", { crit: ["exp"] }, {}],
    ["without expiry", {}, { exp: undefined }],
    ["with an expiry that is text", {}, { exp: "9999999999" }],
    ["not valid yet", {}, { nbf: 9_999_999_999 }],
    ["without time of issue", {}, { iat: undefined }],
    ["without subject", {}, { sub: undefined }],
    ["with a subject that is a number", {}, { sub: 7 }],
    ["with a subject that is no id", {}, { sub: "7 or 1=1" }],
    ["with a subject that is too large", {}, { sub: "99999999999999999999" }],
    ["without address", {}, { email: undefined }],
    ["without role", {}, { is_admin: undefined }],
    ["with a role that is no flag", {}, { is_admin: 1 }],
    ["without session version", {}, { ver: undefined }],
    ["with a session version that is text", {}, { ver: "3" }],
  ])("is nobody's %s, though its signature is right", async (_name, header, payload) => {
    const { tokens } = set();
    const ours = partsOf(await tokens.issue(session));
    expect(await tokens.read(signed(ours.header, ours.payload))).toEqual(session);
    const changed = signed({ ...ours.header, ...header }, { ...ours.payload, ...payload });
    expect(await tokens.read(changed)).toBeUndefined();
  });

  test("is nobody's when a single character of it is changed", async () => {
    const { tokens } = set();
    const token = await tokens.issue(session);
    // The last character of the signature holds unused bits; all others count.
    await fc.assert(
      fc.asyncProperty(
        fc.integer({ min: 0, max: token.length - 2 }),
        fc.constantFrom("a", "b", "X", "Y", "0", "9", "-", "_", ".", " ", "="),
        async (at, character) => {
          fc.pre(token[at] !== character);
          const tampered = token.slice(0, at) + character + token.slice(at + 1);
          expect(await tokens.read(tampered)).toBeUndefined();
        },
      ),
    );
  });

  test("is never anything that is no token, and nothing makes the reader fail", async () => {
    const { tokens } = set();
    await fc.assert(
      fc.asyncProperty(fc.oneof(fc.string(), fc.string({ unit: "binary" })), async (text) => {
        expect(await tokens.read(text)).toBeUndefined();
        expect(await tokens.read(`${text}.${text}.${text}`)).toBeUndefined();
      }),
    );
  });
});
