import { afterAll, afterEach, beforeAll, expect, test, vi } from "vitest";
import { HOUR_MS } from "../../src/server/lib/clock.ts";
import { PasswordHasher } from "../../src/server/lib/password-hasher.ts";
import {
  ADMIN,
  idOf,
  join,
  logIn,
  PASSWORD,
  register,
  sessionStatus,
  setUp,
  sortedStatuses,
  tryLogIn,
  verify,
} from "../support/accounts.ts";
import { describeOnBothDatabases, type TestService } from "../support/service.ts";
import { storedText } from "../support/stored-text.ts";

describeOnBothDatabases("accounts", ({ start }) => {
  let service: TestService;
  let admin: string;
  beforeAll(async () => {
    service = await start();
    admin = await setUp(service);
  });
  afterAll(() => service.stop());
  afterEach(() => void vi.restoreAllMocks());

  const post = (path: string, body?: unknown, token?: string) =>
    service.request("POST", path, {
      ...(body === undefined ? {} : { body }),
      ...(token === undefined ? {} : { token }),
    });

  test("a registration answers a token that verifies the address, and then one can log in", async () => {
    const answer = await post("/api/auth/register", {
      email: "ann@example.com",
      password: PASSWORD,
    });
    expect(answer.status).toBe(201);
    expect(answer.body).toEqual({
      message: expect.any(String),
      verification_token: expect.stringMatching(/^wpverify_[\w-]{43}$/),
    });
    expect((await tryLogIn(service, "ann@example.com")).body.code).toBe("email_not_verified");
    const verified = await verify(service, answer.body.verification_token as string);
    expect([verified.status, Object.keys(verified.body)]).toEqual([200, ["message"]]);
    const session = await tryLogIn(service, "ann@example.com");
    expect(session.status).toBe(200);
    expect(session.body).toEqual({
      token: expect.any(String),
      user: { email: "ann@example.com", is_admin: false },
    });
  });

  test("an address is trimmed, answered as registered and compared without case", async () => {
    const token = await register(service, "  Bob.B@Example.COM ");
    expect((await tryLogIn(service, "bob.b@example.com")).status).toBe(403);
    await verify(service, token);
    const session = await tryLogIn(service, " BOB.B@EXAMPLE.com");
    expect(session.body.user.email).toBe("Bob.B@Example.COM");
    const again = await post("/api/auth/register", {
      email: "bob.b@example.com",
      password: PASSWORD,
    });
    expect([again.status, again.body.code]).toEqual([400, "already_registered"]);
  });

  test("registering an unverified address again replaces password and token", async () => {
    const first = await register(service, "carl@example.com", "the first password");
    const second = await register(service, "CARL@example.com", "the second password");
    expect((await verify(service, first)).status).toBe(400);
    expect((await verify(service, second)).status).toBe(200);
    expect((await tryLogIn(service, "carl@example.com", "the first password")).status).toBe(401);
    const session = await tryLogIn(service, "carl@example.com", "the second password");
    expect(session.body.user.email).toBe("CARL@example.com");
  });

  test("registrations of one address at one time make one account", async () => {
    const passwords = Array.from({ length: 8 }, (_, n) => `password number ${n}`);
    const answers = await Promise.all(
      passwords.map((password) =>
        post("/api/auth/register", { email: "race@example.com", password }),
      ),
    );
    for (const answer of answers) expect(answer.status).toBe(201);
    const verified = await Promise.all(
      answers.map((answer) => verify(service, answer.body.verification_token as string)),
    );
    expect(sortedStatuses(verified)).toEqual([200, ...Array(7).fill(400)]);
    const logIns = await Promise.all(
      passwords.map((password) => tryLogIn(service, "race@example.com", password)),
    );
    expect(logIns.filter((each) => each.status === 200)).toHaveLength(1);
    // The account belongs to whoever has the token that held.
    expect(logIns.findIndex((each) => each.status === 200)).toBe(
      verified.findIndex((each) => each.status === 200),
    );
  });

  test("a verification at the time of a second registration comes before it or after it", async () => {
    // Without the time that hashing takes, the two transactions meet.
    vi.spyOn(PasswordHasher.prototype, "hash").mockResolvedValue("no hash");
    for (let n = 0; n < 40; n++) {
      const email = `dora${n}@example.com`;
      const token = await register(service, email, "the first password");
      const [verified, second] = await Promise.all([
        verify(service, token),
        post("/api/auth/register", { email, password: "the second password" }),
      ]);
      expect([
        [200, 400],
        [400, 201],
      ]).toContainEqual([verified.status, second.status]);
    }
  });

  test.each([
    ["nothing", undefined, ""],
    ["a list", [], ""],
    ["null", null, ""],
    ["no address", { password: PASSWORD }, "email"],
    ["no password", { email: "x@example.com" }, "password"],
    ["a number as address", { email: 5, password: PASSWORD }, "email"],
    ["a list as password", { email: "x@example.com", password: [PASSWORD] }, "password"],
    ["an object as password", { email: "x@example.com", password: { $ne: "" } }, "password"],
    ["no real address", { email: "x", password: PASSWORD }, "email"],
    [
      "an address with a line break",
      { email: "x@example.com\r\nBcc: y@z.example", password: PASSWORD },
      "email",
    ],
    [
      "a very long address",
      { email: `${"x".repeat(10_000)}@example.com`, password: PASSWORD },
      "email",
    ],
    ["a short password", { email: "x@example.com", password: "1234567" }, "password"],
    ["a very long password", { email: "x@example.com", password: "p".repeat(257) }, "password"],
    ["a NUL in the address", { email: "x\0@example.com", password: PASSWORD }, "email"],
    ["half a character", { email: "x@example.com", password: "pass\ud800word" }, "password"],
  ])("a registration with %s is refused by name", async (_name, body, path) => {
    const answer = await post("/api/auth/register", body);
    expect(answer.status).toBe(400);
    expect(answer.body).toMatchObject({ error: expect.any(String), code: "invalid_request" });
    expect(answer.body.fields[0].path).toBe(path);
  });

  test("fields that the registration does not know are ignored, and grant nothing", async () => {
    const answer = await post("/api/auth/register", {
      email: "eve@example.com",
      password: PASSWORD,
      is_admin: true,
      verified: true,
      id: 1,
    });
    expect(answer.status).toBe(201);
    expect((await tryLogIn(service, "eve@example.com")).status).toBe(403);
    await verify(service, answer.body.verification_token as string);
    expect((await tryLogIn(service, "eve@example.com")).body.user.is_admin).toBe(false);
  });

  test.each([
    ["unknown", "wpverify_AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA"],
    ["empty", ""],
    ["SQL", "' OR '1'='1"],
    ["very long", "x".repeat(5000)],
  ])("a verification token that is %s is refused", async (_name, token) => {
    const answer = await verify(service, token);
    expect([answer.status, answer.body.code]).toEqual([400, "invalid_token"]);
  });

  test("a verification without a token, or with two, is refused", async () => {
    expect((await service.request("GET", "/api/auth/verify")).status).toBe(400);
    const token = await register(service, "fay@example.com");
    const twice = await service.request("GET", `/api/auth/verify?token=${token}&token=${token}`);
    expect(twice.status).toBe(400);
    expect((await verify(service, token)).status).toBe(200);
  });

  test("a verification token works once, also for two who come at one time", async () => {
    const token = await register(service, "gil@example.com");
    const answers = await Promise.all([verify(service, token), verify(service, token)]);
    expect(sortedStatuses(answers)).toEqual([200, 400]);
    expect((await verify(service, token)).status).toBe(400);
  });

  test("a look at a verification link does not use it up", async () => {
    const token = await register(service, "hal@example.com");
    const looked = await service.request("HEAD", `/api/auth/verify?token=${token}`);
    expect(looked.status).toBe(405);
    expect((await verify(service, token)).status).toBe(200);
  });

  test("a verification token works for 48 hours", async () => {
    const late = await register(service, "ida@example.com");
    service.clock.advance(48 * HOUR_MS);
    expect((await verify(service, late)).status).toBe(400);
    const inTime = await register(service, "ida@example.com");
    service.clock.advance(48 * HOUR_MS - 1);
    expect((await verify(service, inTime)).status).toBe(200);
    admin = await logIn(service, ADMIN);
  });

  test.each([
    ["a wrong password", { email: ADMIN, password: "not the password" }],
    ["an unknown address", { email: "nobody@example.com", password: PASSWORD }],
    ["no address at all", { email: "", password: PASSWORD }],
    ["no password at all", { email: ADMIN, password: "" }],
    ["SQL", { email: "' OR 1=1 --", password: "' OR 1=1 --" }],
    ["a very long password", { email: ADMIN, password: "x".repeat(10_000) }],
    ["a password with a blank too many", { email: ADMIN, password: `${PASSWORD} ` }],
  ])("a log-in with %s is refused in the same words", async (_name, body) => {
    const answer = await post("/api/auth/login", body);
    expect(answer.status).toBe(401);
    expect(answer.body).toEqual({
      error: "The e-mail address or the password is wrong",
      code: "wrong_credentials",
    });
  });

  test.each([
    ["nothing", undefined],
    ["no password", { email: ADMIN }],
    ["no address", { password: PASSWORD }],
    ["a number as password", { email: ADMIN, password: 12_345_678 }],
    ["null as address", { email: null, password: PASSWORD }],
  ])("a log-in with %s is malformed", async (_name, body) => {
    expect((await post("/api/auth/login", body)).status).toBe(400);
  });

  test("a refused log-in costs the same work whether the account exists or not", async () => {
    const verifying = vi.spyOn(PasswordHasher.prototype, "verify");
    const hashing = vi.spyOn(PasswordHasher.prototype, "hash");
    for (const email of [ADMIN, "nobody@example.com", "no address"]) {
      verifying.mockClear();
      expect((await tryLogIn(service, email, "not the password")).status).toBe(401);
      expect(verifying).toHaveBeenCalledTimes(1);
      expect(hashing).not.toHaveBeenCalled();
    }
  });

  test("the account of the session can be read", async () => {
    const token = await join(service, "Jo@example.com");
    const answer = await service.request("GET", "/api/auth/me", { token });
    expect(answer.status).toBe(200);
    expect(answer.body).toEqual({
      email: "Jo@example.com",
      is_admin: false,
      verified: true,
      created_at: new Date(service.clock.now()).toISOString(),
    });
  });

  test("a changed password ends every session, and only the new one opens", async () => {
    const one = await join(service, "kim@example.com");
    const two = await logIn(service, "kim@example.com");
    const body = { current_password: PASSWORD, new_password: "another password" };
    const answer = await post("/api/auth/change-password", body, one);
    expect([answer.status, Object.keys(answer.body)]).toEqual([200, ["message"]]);
    expect(await sessionStatus(service, one)).toBe(401);
    expect(await sessionStatus(service, two)).toBe(401);
    expect((await tryLogIn(service, "kim@example.com")).status).toBe(401);
    const three = await logIn(service, "kim@example.com", "another password");
    expect(await sessionStatus(service, three)).toBe(200);
  });

  test("of two changes of one password at one time, one is made", async () => {
    const token = await join(service, "leo@example.com");
    const change = (next: string) =>
      post("/api/auth/change-password", { current_password: PASSWORD, new_password: next }, token);
    const answers = await Promise.all([change("the new password 1"), change("the new password 2")]);
    expect(sortedStatuses(answers)).toEqual([200, 401]);
    const winner = answers.findIndex((each) => each.status === 200) + 1;
    expect((await tryLogIn(service, "leo@example.com", `the new password ${winner}`)).status).toBe(
      200,
    );
  });

  test.each([
    [
      "a wrong current one",
      401,
      { current_password: "not it at all", new_password: "another password" },
    ],
    ["a short new one", 400, { current_password: PASSWORD, new_password: "short" }],
    ["no new one", 400, { current_password: PASSWORD }],
    ["no current one", 400, { new_password: "another password" }],
    [
      "a field that is not known",
      400,
      { current_password: PASSWORD, new_password: "another password", email: "x@example.com" },
    ],
  ])("a password change with %s is refused", async (name, status, body) => {
    const email = `${name.replaceAll(" ", "-")}@example.com`;
    const token = await join(service, email);
    expect((await post("/api/auth/change-password", body, token)).status).toBe(status);
    expect(await sessionStatus(service, token)).toBe(200);
    expect((await tryLogIn(service, email)).status).toBe(200);
  });

  test("logging out everywhere ends every session of the account, and nobody else's", async () => {
    const one = await join(service, "mia@example.com");
    const two = await logIn(service, "mia@example.com");
    expect((await post("/api/auth/logout-everywhere", undefined, one)).status).toBe(200);
    expect(await sessionStatus(service, one)).toBe(401);
    expect(await sessionStatus(service, two)).toBe(401);
    expect(await sessionStatus(service, admin)).toBe(200);
    expect(await sessionStatus(service, await logIn(service, "mia@example.com"))).toBe(200);
  });

  test("logging out everywhere takes an empty body and refuses fields by name", async () => {
    const token = await join(service, "ned@example.com");
    const refused = await post("/api/auth/logout-everywhere", { all: true }, token);
    expect([refused.status, refused.body.fields[0].path]).toEqual([400, "all"]);
    expect(await sessionStatus(service, token)).toBe(200);
    expect((await post("/api/auth/logout-everywhere", {}, token)).status).toBe(200);
  });

  test.each(["/api/auth/forgot-password", "/api/auth/resend-verification"])(
    "%s answers the same for every address",
    async (path) => {
      await register(service, "unverified@example.com");
      const emails = [ADMIN, "unverified@example.com", "nobody@example.com", "no address", ""];
      const answers = await Promise.all(emails.map((email) => post(path, { email })));
      for (const answer of answers) {
        expect(answer.status).toBe(200);
        expect(answer.body).toEqual(answers[0]?.body);
      }
      expect((await post(path, {})).status).toBe(400);
      expect((await post(path, { email: 5 })).status).toBe(400);
      expect((await post(path, { email: ADMIN, token: "x" })).body.fields[0].path).toBe("token");
    },
  );

  test("a reset link of an administrator sets a new password once, and verifies the address", async () => {
    const session = await join(service, "olga@example.com");
    const path = `/api/admin/users/${await idOf(service, admin, "olga@example.com")}/reset-link`;
    const link = await post(path, undefined, admin);
    expect(link.status).toBe(201);
    expect(link.body).toEqual({
      message: expect.any(String),
      reset_token: expect.stringMatching(/^wpreset_[\w-]{43}$/),
      expires_at: new Date(service.clock.now() + HOUR_MS).toISOString(),
    });
    const body = { token: link.body.reset_token as string, password: "another password" };
    const both = await Promise.all([
      post("/api/auth/reset-password", body),
      post("/api/auth/reset-password", body),
    ]);
    expect(sortedStatuses(both)).toEqual([200, 400]);
    expect((await post("/api/auth/reset-password", body)).body.code).toBe("invalid_token");
    expect(await sessionStatus(service, session)).toBe(401);
    expect((await tryLogIn(service, "olga@example.com")).status).toBe(401);
    expect((await tryLogIn(service, "olga@example.com", "another password")).status).toBe(200);

    await register(service, "pia@example.com");
    const other = await post(
      `/api/admin/users/${await idOf(service, admin, "pia@example.com")}/reset-link`,
      {},
      admin,
    );
    await post("/api/auth/reset-password", { token: other.body.reset_token, password: PASSWORD });
    expect((await tryLogIn(service, "pia@example.com")).status).toBe(200);
  });

  test("a reset ends the other reset links of the account, and a short password spends none", async () => {
    await join(service, "quin@example.com");
    const path = `/api/admin/users/${await idOf(service, admin, "quin@example.com")}/reset-link`;
    const [one, two] = [await post(path, {}, admin), await post(path, {}, admin)];
    const reset = (token: string, password: string) =>
      post("/api/auth/reset-password", { token, password });
    expect((await reset(one.body.reset_token as string, "short")).body.fields[0].path).toBe(
      "password",
    );
    expect((await reset(one.body.reset_token as string, "long enough")).status).toBe(200);
    expect((await reset(two.body.reset_token as string, "long enough")).status).toBe(400);
  });

  test("a reset link works for an hour, and a token of one purpose never for the other", async () => {
    const verification = await register(service, "rob@example.com");
    const path = `/api/admin/users/${await idOf(service, admin, "rob@example.com")}/reset-link`;
    const { reset_token: token } = (await post(path, {}, admin)).body as { reset_token: string };
    expect((await verify(service, token)).status).toBe(400);
    const crossed = { token: verification, password: "another password" };
    expect((await post("/api/auth/reset-password", crossed)).status).toBe(400);
    service.clock.advance(HOUR_MS);
    const late = { token, password: "another password" };
    expect((await post("/api/auth/reset-password", late)).status).toBe(400);
    expect((await verify(service, verification)).status).toBe(200);
  });

  test("a wrong reset token costs no hashing", async () => {
    const hashing = vi.spyOn(PasswordHasher.prototype, "hash");
    const body = { token: "wpreset_unknown", password: "another password" };
    expect((await post("/api/auth/reset-password", body)).status).toBe(400);
    expect(hashing).not.toHaveBeenCalled();
  });

  test("no password and no token is stored as it is", async () => {
    const token = await register(service, "sam@example.com", "a very secret password");
    const stored = await storedText(service.config);
    expect(stored).toContain("sam@example.com");
    expect(stored).not.toContain("a very secret password");
    expect(stored).not.toContain(token.slice("wpverify_".length));
  });
});
