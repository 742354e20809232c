import { createHmac, generateKeyPairSync, sign } from "node:crypto";
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { DAY_MS, HOUR_MS } from "../../src/server/lib/clock.ts";
import { idOf, join, logIn, sessionStatus, setUp } from "../support/accounts.ts";
import { describeOnBothDatabases, SETUP_SECRET, type TestService } from "../support/service.ts";

type Part = Record<string, unknown>;

function read(token: string): { header: Part; payload: Part; signature: string } {
  const [header = "", payload = "", signature = ""] = token.split(".");
  const decode = (part: string) => JSON.parse(Buffer.from(part, "base64url").toString()) as Part;
  return { header: decode(header), payload: decode(payload), signature };
}

function encode(part: Part): string {
  return Buffer.from(JSON.stringify(part)).toString("base64url");
}

function signWith(secret: string | Buffer, header: Part, payload: Part): string {
  const body = `${encode(header)}.${encode(payload)}`;
  return `${body}.${createHmac("sha256", secret).update(body).digest("base64url")}`;
}

describeOnBothDatabases("sessions", ({ start }) => {
  let service: TestService;
  let admin: string;
  let token: string;
  let people = 0;
  let email: string;
  beforeAll(async () => {
    service = await start();
    await setUp(service);
  });
  afterAll(() => service.stop());
  beforeEach(async () => {
    admin = await logIn(service, "admin@example.com");
    email = `person${++people}@example.com`;
    token = await join(service, email);
  });

  const me = (authorization?: string) =>
    service.request("GET", "/api/auth/me", {
      headers: authorization === undefined ? {} : { authorization },
    });

  test("the scheme is read in any case, and blanks around it do not matter", async () => {
    for (const scheme of ["Bearer", "bearer", "BEARER", "bEaReR"]) {
      expect((await me(`${scheme} ${token}`)).status).toBe(200);
    }
    expect((await me(`Bearer   ${token}  `)).status).toBe(200);
  });

  test("anything that is no session is refused with a challenge", async () => {
    const wrong = [undefined, "", "Bearer", "Bearer ", token, `Basic ${token}`, `Token ${token}`];
    for (const authorization of [...wrong, `Bearer ${token} x`, "Bearer null", "Bearer a.b.c"]) {
      const answer = await me(authorization);
      expect([authorization, answer.status]).toEqual([authorization, 401]);
      expect(answer.body).toEqual({ error: expect.any(String), code: "unauthorized" });
      expect(answer.headers["www-authenticate"]).toBe("Bearer");
    }
  });

  test("forged tokens are refused, and one forged with the true secret shows that it is not by chance", async () => {
    const { header, payload, signature } = read(token);
    const admins = { ...payload, is_admin: true };
    const { privateKey, publicKey } = generateKeyPairSync("rsa", { modulusLength: 2048 });
    const rsaBody = `${encode({ ...header, alg: "RS256" })}.${encode(payload)}`;
    const rsa = `${rsaBody}.${sign("sha256", Buffer.from(rsaBody), privateKey).toString("base64url")}`;
    const pem = publicKey.export({ type: "spki", format: "pem" }) as string;
    const forged = [
      `${encode({ ...header, alg: "none" })}.${encode(payload)}.`,
      `${encode({ ...header, alg: "none" })}.${encode(payload)}.${signature}`,
      `${encode(header)}.${encode(payload)}.`,
      `${encode(header)}.${encode(admins)}.${signature}`,
      rsa,
      signWith(pem, { ...header, jwk: publicKey.export({ format: "jwk" }) }, payload),
      signWith("another secret of thirty-two characters", header, payload),
      signWith("", header, payload),
      signWith(SETUP_SECRET, { ...header, alg: "RS256" }, payload),
      signWith(SETUP_SECRET, { ...header, typ: "JWT" }, payload),
      signWith(SETUP_SECRET, header, { ...payload, iss: "somebody" }),
      signWith(SETUP_SECRET, header, { ...payload, aud: "something" }),
      signWith(SETUP_SECRET, header, { ...payload, exp: undefined }),
      signWith(SETUP_SECRET, header, { ...payload, exp: 1 }),
      signWith(SETUP_SECRET, header, { ...payload, ver: 999 }),
      signWith(SETUP_SECRET, header, { ...payload, ver: undefined }),
      signWith(SETUP_SECRET, header, { ...payload, sub: "999999" }),
      signWith(SETUP_SECRET, header, { ...payload, sub: "9007199254740993" }),
      signWith(SETUP_SECRET, header, { ...payload, sub: "1; DROP TABLE users" }),
    ];
    for (const [index, each] of forged.entries()) {
      expect([index, await sessionStatus(service, each)]).toEqual([index, 401]);
    }
    expect(await sessionStatus(service, signWith(SETUP_SECRET, header, payload))).toBe(200);
  });

  test("what a token says of rights counts for nothing: the account decides", async () => {
    const { header, payload } = read(token);
    const claimed = signWith(SETUP_SECRET, header, { ...payload, is_admin: true });
    expect((await service.request("GET", "/api/admin/users", { token: claimed })).status).toBe(403);
    expect((await service.request("GET", "/api/auth/me", { token: claimed })).body.is_admin).toBe(
      false,
    );
  });

  test("the set-up secret is no session", async () => {
    expect((await me(`Bearer ${SETUP_SECRET}`)).status).toBe(401);
  });

  test("a session ends after 24 hours", async () => {
    service.clock.advance(DAY_MS - HOUR_MS);
    expect(await sessionStatus(service, token)).toBe(200);
    service.clock.advance(HOUR_MS);
    expect(await sessionStatus(service, token)).toBe(401);
  });

  test("a promotion takes effect at once, and a demotion ends the sessions", async () => {
    const path = `/api/admin/users/${await idOf(service, admin, email)}`;
    const list = () => service.request("GET", "/api/admin/users", { token });
    expect((await list()).status).toBe(403);
    await service.request("PUT", path, { token: admin, body: { is_admin: true } });
    expect((await list()).status).toBe(200);
    await service.request("PUT", path, { token: admin, body: { is_admin: false } });
    expect((await list()).status).toBe(401);
    const again = await logIn(service, email);
    expect((await service.request("GET", "/api/admin/users", { token: again })).status).toBe(403);
  });

  test("disabling ends the sessions and refuses new ones until it is taken back", async () => {
    const path = `/api/admin/users/${await idOf(service, admin, email)}`;
    await service.request("PUT", path, { token: admin, body: { disabled: true } });
    expect(await sessionStatus(service, token)).toBe(401);
    const refused = await service.request("POST", "/api/auth/login", {
      body: { email, password: "a good password" },
    });
    expect([refused.status, refused.body.code]).toEqual([403, "account_disabled"]);
    const wrong = await service.request("POST", "/api/auth/login", {
      body: { email, password: "not the password" },
    });
    expect(wrong.body.code).toBe("wrong_credentials");
    await service.request("PUT", path, { token: admin, body: { disabled: false } });
    expect(await sessionStatus(service, token)).toBe(401);
    expect(await sessionStatus(service, await logIn(service, email))).toBe(200);
  });

  test("the sessions of a deleted account end, and a new account does not revive them", async () => {
    const path = `/api/admin/users/${await idOf(service, admin, email)}`;
    expect((await service.request("DELETE", path, { token: admin })).status).toBe(200);
    expect(await sessionStatus(service, token)).toBe(401);
    await join(service, email);
    expect(await sessionStatus(service, token)).toBe(401);
  });

  test("sessions survive a restart of the service", async () => {
    await service.restart();
    expect(await sessionStatus(service, token)).toBe(200);
  });
});
