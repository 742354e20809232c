import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from "vitest";
import {
  ADMIN,
  join,
  logIn,
  PASSWORD,
  register,
  sessionStatus,
  setUp,
  sortedStatuses,
  tryLogIn,
} from "../support/accounts.ts";
import { describeOnBothDatabases, SETUP_SECRET, type TestService } from "../support/service.ts";

const right = { jwt_secret: SETUP_SECRET, email: ADMIN, password: PASSWORD };

function requestsOf(service: () => TestService) {
  return {
    initialize: (body: unknown) =>
      service().request("POST", "/api/system/initialize", body === undefined ? {} : { body }),
    isInitialized: async () =>
      (await service().request("GET", "/api/system/check-init")).body as unknown,
  };
}

describeOnBothDatabases("the set-up", ({ start }) => {
  let service: TestService;
  beforeEach(async () => {
    service = await start();
  });
  afterEach(() => service.stop());

  const { initialize, isInitialized } = requestsOf(() => service);

  test("creates a verified administrator, once, and stays done after a restart", async () => {
    expect(await isInitialized()).toEqual({ initialized: false });
    const answer = await initialize({ ...right, email: "  Admin@Example.com " });
    expect(answer.status).toBe(201);
    expect(answer.body).toEqual({
      message: expect.any(String),
      admin_email: "Admin@Example.com",
    });
    expect(await isInitialized()).toEqual({ initialized: true });
    expect((await tryLogIn(service, ADMIN)).body.user.is_admin).toBe(true);

    await service.restart();
    expect(await isInitialized()).toEqual({ initialized: true });
    const again = await initialize({ ...right, email: "other@example.com" });
    expect([again.status, again.body.code]).toEqual([400, "already_initialized"]);
    expect((await tryLogIn(service, "other@example.com")).status).toBe(401);
  });

  test("says that it is done before it looks at anything else", async () => {
    await setUp(service);
    const wrong = { jwt_secret: "wrong", email: "x", password: "x" };
    expect((await initialize(wrong)).body.code).toBe("already_initialized");
    expect((await initialize({})).status).toBe(400);
  });

  test("fields it does not know are ignored", async () => {
    expect((await initialize({ ...right, import_schema: true })).status).toBe(201);
  });

  test("of several at one time one succeeds, and the others are told so", async () => {
    const emails = Array.from({ length: 8 }, (_, n) => `admin${n}@example.com`);
    const answers = await Promise.all(emails.map((email) => initialize({ ...right, email })));
    const statuses = answers.map((each) => each.status);
    expect(sortedStatuses(answers)).toEqual([201, ...Array(7).fill(400)]);
    for (const each of answers.filter((answer) => answer.status === 400)) {
      expect(each.body.code).toBe("already_initialized");
    }
    const logIns = await Promise.all(emails.map((email) => tryLogIn(service, email)));
    expect(logIns.map((each) => each.status === 200)).toEqual(statuses.map((each) => each === 201));
    const winner = emails[statuses.indexOf(201)] ?? "";
    const token = await logIn(service, winner);
    const { body } = await service.request("GET", "/api/admin/users", { token });
    expect(body.users).toHaveLength(1);
  });

  test("makes an account that has the address its administrator, with the new password", async () => {
    const session = await join(service, "Ann@example.com", "the old password");
    const answer = await initialize({ ...right, email: "ann@example.com" });
    expect(answer.status).toBe(201);
    expect(await sessionStatus(service, session)).toBe(401);
    expect((await tryLogIn(service, "ann@example.com", "the old password")).status).toBe(401);
    expect((await tryLogIn(service, "ann@example.com")).body.user.is_admin).toBe(true);
  });

  test("makes an unverified account of the address verified, and its token worthless", async () => {
    const token = await register(service, ADMIN, "somebody else's");
    await setUp(service);
    const late = await service.request("GET", `/api/auth/verify?token=${token}`);
    expect(late.status).toBe(400);
    expect((await tryLogIn(service, ADMIN, "somebody else's")).status).toBe(401);
  });

  test("and a registration of the same address at one time leave one administrator", async () => {
    const [set, registered] = await Promise.all([
      initialize(right),
      service.request("POST", "/api/auth/register", {
        body: { email: ADMIN, password: "somebody else's" },
      }),
    ]);
    expect(set.status).toBe(201);
    expect([201, 400]).toContain(registered.status);
    expect((await tryLogIn(service, ADMIN)).body.user.is_admin).toBe(true);
    expect((await tryLogIn(service, ADMIN, "somebody else's")).status).toBe(401);
  });
});

describeOnBothDatabases("the set-up, while it is not done,", ({ start }) => {
  let service: TestService;
  beforeAll(async () => {
    service = await start();
  });
  afterAll(() => service.stop());

  const { initialize, isInitialized } = requestsOf(() => service);

  test.each([
    ["nothing", undefined],
    ["no secret", { email: ADMIN, password: PASSWORD }],
    ["no address", { jwt_secret: SETUP_SECRET, password: PASSWORD }],
    ["no password", { jwt_secret: SETUP_SECRET, email: ADMIN }],
    ["a number as secret", { ...right, jwt_secret: 7 }],
    ["null as secret", { ...right, jwt_secret: null }],
    ["a bad address", { ...right, email: "admin" }],
    ["a short password", { ...right, password: "1234567" }],
    ["a long password", { ...right, password: "p".repeat(257) }],
  ])("is refused with 400 for %s", async (_name, body) => {
    expect((await initialize(body)).status).toBe(400);
    expect(await isInitialized()).toEqual({ initialized: false });
  });

  test.each(["", "wrong", SETUP_SECRET.slice(1), `${SETUP_SECRET} `, SETUP_SECRET.toUpperCase()])(
    "is refused with 401 for the secret %j, whatever else is wrong",
    async (secret) => {
      for (const rest of [right, { ...right, email: "admin", password: "short" }]) {
        const answer = await initialize({ ...rest, jwt_secret: secret });
        expect([answer.status, answer.body.code]).toEqual([401, "wrong_setup_secret"]);
        expect(JSON.stringify(answer.body)).not.toContain(SETUP_SECRET);
      }
      expect(await isInitialized()).toEqual({ initialized: false });
    },
  );

  test("can be done after all that", async () => {
    expect((await initialize(right)).status).toBe(201);
  });
});
