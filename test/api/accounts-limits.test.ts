import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { HOUR_MS, MINUTE_MS } from "../../src/server/lib/clock.ts";
import { PasswordHasher } from "../../src/server/lib/password-hasher.ts";
import { ADMIN, PASSWORD, setUp } from "../support/accounts.ts";
import type { Answer } from "../support/client.ts";
import { SETUP_SECRET, startTestService, type TestService } from "../support/service.ts";

/** The service believes the test's X-Forwarded-For, so that it can come from many places. */
const limited = { env: { RATE_LIMIT: "on", TRUST_PROXY: "true" } };
const HOME = "198.51.100.7";
const administrator = { email: ADMIN, password: PASSWORD };

/** How often the attempt is heard before it is answered with 429. */
async function countUntilRefused(attempt: (n: number) => Promise<Answer>): Promise<number> {
  for (let n = 0; n < 500; n++) {
    const answer = await attempt(n);
    if (answer.status !== 429) continue;
    expect(answer.body).toEqual({ error: expect.any(String), code: "rate_limited" });
    expect(Number(answer.headers["retry-after"])).toBeGreaterThan(0);
    return n;
  }
  throw new Error("nothing was refused");
}

describe("limits on attempts", () => {
  let service: TestService;
  beforeEach(async () => {
    service = await startTestService(limited);
  });
  afterEach(async () => {
    vi.restoreAllMocks();
    await service.stop();
  });

  const from = (address: string, path: string, body: unknown): Promise<Answer> =>
    service.request("POST", path, { body, headers: { "x-forwarded-for": address } });
  const registerFrom = (address: string, n: number) =>
    from(address, "/api/auth/register", { email: `person${n}@example.com`, password: PASSWORD });
  const guess = (address: string, secret: string) =>
    from(address, "/api/system/initialize", { ...administrator, jwt_secret: secret });
  const logInFrom = (address: string, email: string, password = "not the password") =>
    from(address, "/api/auth/login", { email, password });

  test("wrong passwords for one address from one place: ten, and one more each minute", async () => {
    await setUp(service);
    expect(await countUntilRefused(() => logInFrom(HOME, ADMIN))).toBe(10);
    expect((await logInFrom(HOME, ADMIN, PASSWORD)).status).toBe(429);
    service.clock.advance(MINUTE_MS);
    expect((await logInFrom(HOME, ADMIN)).status).toBe(401);
    expect((await logInFrom(HOME, ADMIN)).headers["retry-after"]).toBe("60");
    service.clock.advance(MINUTE_MS);
    expect((await logInFrom(HOME, ADMIN, PASSWORD)).status).toBe(200);
  });

  test("an address without an account is limited just alike", async () => {
    await setUp(service);
    const refusals = [];
    for (const email of [ADMIN, "nobody@example.com"]) {
      await countUntilRefused(() => logInFrom(HOME, email));
      const { status, body, headers } = await logInFrom(HOME, email);
      refusals.push({ status, body, wait: headers["retry-after"] });
    }
    expect(refusals[0]).toEqual(refusals[1]);
  });

  test("attempts at one moment count as much as one after the other", async () => {
    await setUp(service);
    const verifying = vi.spyOn(PasswordHasher.prototype, "verify");
    const answers = await Promise.all(Array.from({ length: 40 }, () => logInFrom(HOME, ADMIN)));
    expect(answers.filter((each) => each.status === 401)).toHaveLength(10);
    expect(verifying).toHaveBeenCalledTimes(10);
  });

  test("log-ins that succeed are not limited, and do not buy more wrong ones", async () => {
    await setUp(service);
    for (let n = 0; n < 15; n++) {
      expect((await logInFrom(HOME, ADMIN, PASSWORD)).status).toBe(200);
    }
    let wrong = 0;
    for (let n = 0; n < 15; n++) {
      if ((await logInFrom(HOME, ADMIN)).status === 401) wrong++;
      await logInFrom(HOME, ADMIN, PASSWORD);
    }
    expect(wrong).toBe(10);
  });

  test("one place that tries many addresses is stopped after fifty", async () => {
    expect(await countUntilRefused((n) => logInFrom(HOME, `person${n}@example.com`))).toBe(50);
    expect((await logInFrom("198.51.100.8", "person1@example.com")).status).toBe(401);
  });

  test("places of one IPv6 network are one place", async () => {
    const refusedAfter = await countUntilRefused((n) =>
      logInFrom(`2001:db8:1:1::${(n + 1).toString(16)}`, `person${n}@example.com`),
    );
    expect(refusedAfter).toBe(50);
    expect((await logInFrom("2001:db8:1:2::1", "person1@example.com")).status).toBe(401);
  });

  test("many places that try one address are stopped, but never its owner's own place", async () => {
    await setUp(service);
    expect((await logInFrom(HOME, ADMIN, PASSWORD)).status).toBe(200);
    expect(await countUntilRefused((n) => logInFrom(`203.0.113.${n}`, ADMIN))).toBe(100);
    expect((await logInFrom(HOME, ADMIN, PASSWORD)).status).toBe(200);
    const elsewhere = await logInFrom("192.0.2.1", ADMIN, PASSWORD);
    expect(elsewhere.status).toBe(429);
    expect(Number(elsewhere.headers["retry-after"])).toBeLessThanOrEqual(6);
  });

  test("a wrong current password counts like a wrong log-in", async () => {
    const token = await setUp(service);
    const change = () =>
      service.request("POST", "/api/auth/change-password", {
        token,
        headers: { "x-forwarded-for": HOME },
        body: { current_password: "not the password", new_password: "another password" },
      });
    expect(await countUntilRefused(change)).toBe(10);
    expect((await logInFrom(HOME, ADMIN, PASSWORD)).status).toBe(429);
  });

  test("registrations from one place are limited, and refused ones cost no hashing", async () => {
    const hashing = vi.spyOn(PasswordHasher.prototype, "hash").mockResolvedValue("hash");
    expect(await countUntilRefused((n) => registerFrom(HOME, n))).toBe(100);
    expect(hashing).toHaveBeenCalledTimes(100);
    expect((await registerFrom("198.51.100.8", 500)).status).toBe(201);
    service.clock.advance(MINUTE_MS);
    expect((await registerFrom(HOME, 501)).status).toBe(201);
  });

  test.each(["/api/auth/forgot-password", "/api/auth/resend-verification"])(
    "%s is limited per address and place, alike for every address",
    async (path) => {
      await setUp(service);
      const counts = [];
      for (const email of [ADMIN, "nobody@example.com"]) {
        counts.push(await countUntilRefused(() => from(HOME, path, { email })));
      }
      expect(counts).toEqual([5, 5]);
      expect((await from("198.51.100.8", path, { email: ADMIN })).status).toBe(200);
      const others = await countUntilRefused((n) =>
        from(HOME, path, { email: `p${n}@example.com` }),
      );
      expect(others).toBe(20);
    },
  );

  test("guesses at the set-up secret are limited per place", async () => {
    expect(await countUntilRefused((n) => guess(HOME, `guess ${n}`))).toBe(20);
    expect((await guess(HOME, SETUP_SECRET)).status).toBe(429);
    expect((await guess("198.51.100.8", SETUP_SECRET)).status).toBe(201);
  });

  test("the limits are gone after a while without attempts", async () => {
    await setUp(service);
    await countUntilRefused(() => logInFrom(HOME, ADMIN));
    service.clock.advance(HOUR_MS);
    expect(await countUntilRefused(() => logInFrom(HOME, ADMIN))).toBe(10);
  });
});

describe("without limits on attempts", () => {
  test("nobody is refused for trying often", async () => {
    const service = await startTestService({ env: { RATE_LIMIT: "off" } });
    await setUp(service);
    for (let n = 0; n < 60; n++) {
      const answer = await service.request("POST", "/api/auth/login", {
        body: { email: ADMIN, password: "not the password" },
      });
      expect(answer.status).toBe(401);
    }
    for (let n = 0; n < 40; n++) {
      const answer = await service.request("POST", "/api/auth/forgot-password", {
        body: { email: ADMIN },
      });
      expect(answer.status).toBe(200);
    }
    await service.stop();
  });

  test("the queue of passwords stays limited, and says when to come again", async () => {
    const service = await startTestService({ env: { RATE_LIMIT: "off" } });
    const answers = await Promise.all(
      Array.from({ length: 100 }, (_, n) =>
        service.request("POST", "/api/auth/login", {
          body: { email: `person${n}@example.com`, password: PASSWORD },
        }),
      ),
    );
    const refused = answers.filter((each) => each.status !== 401);
    expect(refused.length).toBeGreaterThan(0);
    for (const each of refused) {
      expect([each.status, each.body.code]).toEqual([503, "overloaded"]);
      expect(Number(each.headers["retry-after"])).toBeGreaterThan(0);
    }
    await service.stop();
  });
});
