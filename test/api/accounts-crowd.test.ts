import { afterAll, beforeAll, expect, test } from "vitest";
import {
  ADMIN,
  idOf,
  join,
  logIn,
  PASSWORD,
  register,
  setUp,
  verify,
} from "../support/accounts.ts";
import type { Answer } from "../support/client.ts";
import { nodeBody } from "../support/nodes.ts";
import { seededChance } from "../support/seeded-chance.ts";
import { describeOnBothDatabases, type TestService } from "../support/service.ts";
import { SmtpServer } from "../support/smtp.ts";

const AT_ONCE = 24;
const ROUNDS = 8;

describeOnBothDatabases("everything that touches the same accounts at one time", ({ start }) => {
  let service: TestService;
  let smtp: SmtpServer;
  beforeAll(async () => {
    smtp = await SmtpServer.start();
    service = await start({ env: { SMTP_URL: smtp.url } });
  });
  afterAll(async () => {
    await service.stop();
    await smtp.stop();
  });

  test("is answered, one way or the other, and leaves the administrator in place", async () => {
    const chance = seededChance(7);
    const pick = <T>(list: readonly T[]): T => list[Math.floor(chance() * list.length)] as T;
    const admin = await setUp(service);
    const people = ["ann@example.com", "bob@example.com", "cy@example.com"];
    const post = (path: string, body: unknown, token?: string) =>
      service.request("POST", path, { body, ...(token ? { token } : {}) });

    for (let round = 0; round < ROUNDS; round++) {
      const email = pick(people);
      const verification = await register(service, email).catch(() => "");
      await verify(service, verification);
      const user = `/api/admin/users/${await idOf(service, admin, email)}`;
      await service.request("PUT", user, { token: admin, body: { disabled: false } });
      const session = await logIn(service, email);
      const link = await post(`${user}/reset-link`, {}, admin);
      const reset = { token: link.body.reset_token as string, password: PASSWORD };
      const change = { current_password: PASSWORD, new_password: PASSWORD };
      const deeds: (() => Promise<Answer>)[] = [
        () => post("/api/auth/register", { email, password: PASSWORD }),
        () => verify(service, verification),
        () => post("/api/auth/reset-password", reset),
        () => post("/api/auth/change-password", change, session),
        () => post("/api/auth/logout-everywhere", {}, session),
        () => post("/api/auth/forgot-password", { email }),
        () => post("/api/auth/resend-verification", { email }),
        () => post(`${user}/reset-link`, {}, admin),
        () => post("/api/nodes/", nodeBody({ node_name: `node ${chance()}` }), session),
        () => service.request("PUT", user, { token: admin, body: { is_admin: chance() < 0.5 } }),
        () => service.request("PUT", user, { token: admin, body: { disabled: chance() < 0.5 } }),
        () => service.request("DELETE", user, { token: admin }),
      ];
      const crowd = Array.from({ length: AT_ONCE }, () => pick(deeds)());
      for (const answer of await Promise.all(crowd)) {
        expect(answer.status).toBeLessThan(500);
      }
    }
    const { body } = await service.request("GET", "/api/admin/users", { token: admin });
    expect(body.users[0]).toMatchObject({ email: ADMIN, is_admin: true, disabled: false });
    const count = body.users.reduce(
      (sum: number, each: { node_count: number }) => sum + each.node_count,
      0,
    );
    expect(service.service.fleet.size).toBe(count);
    await join(service, "last@example.com");
  });
});
