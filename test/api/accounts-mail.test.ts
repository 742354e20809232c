import { Writable } from "node:stream";
import { pino } from "pino";
import { afterEach, beforeEach, expect, test } from "vitest";
import { createLogger } from "../../src/server/lib/logger.ts";
import { idOf, join, logIn, PASSWORD, setUp, tryLogIn, verify } from "../support/accounts.ts";
import { describeOnBothDatabases, type TestService } from "../support/service.ts";
import { SmtpServer } from "../support/smtp.ts";

describeOnBothDatabases("mails of the accounts", ({ start }) => {
  let smtp: SmtpServer;
  let service: TestService;
  beforeEach(async () => {
    smtp = await SmtpServer.start();
    service = await startWith({});
  });
  afterEach(async () => {
    await smtp.stop();
    await service.stop();
  });

  const startWith = (env: Record<string, string>) =>
    start({ env: { SMTP_URL: smtp.url, MAIL_FROM: "Waypost <waypost@example.org>", ...env } });
  const post = (path: string, body: unknown) => service.request("POST", path, { body });

  test("a registration mails a link that verifies the address", async () => {
    const email = "Ann@example.com";
    const { body } = await post("/api/auth/register", { email, password: PASSWORD });
    const mail = await smtp.next();
    expect(mail.to).toEqual([email]);
    expect(mail.from).toBe("waypost@example.org");
    expect(mail.headers).toMatch(/^Auto-Submitted: auto-generated$/im);
    const link = /^http\S+$/m.exec(mail.text.split("48 hours")[1] ?? "")?.[0] ?? "";
    expect(link).toBe(`${service.origin}/verify?token=${body.verification_token}`);
    const command = /^curl '(http\S+)'$/m.exec(mail.text)?.[1] ?? "";
    const answer = await service.request("GET", command.slice(service.origin.length));
    expect(answer.status).toBe(200);
    expect((await tryLogIn(service, email)).status).toBe(200);
  });

  test("links begin with the public address, and the answer need not hold the token", async () => {
    await service.stop();
    service = await startWith({
      PUBLIC_URL: "https://nodes.example.org/",
      EXPOSE_VERIFICATION_TOKEN: "false",
    });
    const answer = await post("/api/auth/register", {
      email: "bo@example.com",
      password: PASSWORD,
    });
    expect(answer.status).toBe(201);
    expect(Object.keys(answer.body)).toEqual(["message"]);
    const { text } = await smtp.next();
    const token = /^https:\/\/nodes\.example\.org\/verify\?token=(wpverify_\S+)$/m.exec(text)?.[1];
    expect((await verify(service, token ?? "")).status).toBe(200);
  });

  test("a forgotten password is replaced with the command in the mail", async () => {
    const session = await join(service, "cy@example.com");
    await smtp.next();
    await post("/api/auth/forgot-password", { email: "CY@example.com" });
    const mail = await smtp.next();
    expect(mail.to).toEqual(["cy@example.com"]);
    const [, path, body] =
      /curl -X POST http:\/\/[^/]+(\S+) \\[^']+'content-type: application\/json' \\\s+-d '([^']+)'/.exec(
        mail.text,
      ) ?? [];
    expect(path).toBe("/api/auth/reset-password");
    const token = (JSON.parse(body ?? "{}") as { token: string }).token;
    expect(mail.text).toContain(`\n${service.origin}/reset-password?token=${token}\n`);
    const filled = (body ?? "").replace("YOUR NEW PASSWORD", "the new password");
    const answer = await service.request("POST", path ?? "", { raw: filled });
    expect(answer.status).toBe(200);
    expect((await service.request("GET", "/api/auth/me", { token: session })).status).toBe(401);
    await logIn(service, "cy@example.com", "the new password");
  });

  test("mails go only to accounts that they are meant for, and none shows in the answers", async () => {
    const admin = await setUp(service);
    await join(service, "verified@example.com");
    await post("/api/auth/register", { email: "unverified@example.com", password: PASSWORD });
    await join(service, "disabled@example.com");
    const disabled = await idOf(service, admin, "disabled@example.com");
    await service.request("PUT", `/api/admin/users/${disabled}`, {
      token: admin,
      body: { disabled: true },
    });
    for (let n = 0; n < 3; n++) await smtp.next();

    const nobodies = ["nobody@example.com", "disabled@example.com", "no address"];
    const answers = [];
    for (const email of [...nobodies, "verified@example.com", "unverified@example.com"]) {
      answers.push(await post("/api/auth/resend-verification", { email }));
    }
    expect((await smtp.next()).to).toEqual(["unverified@example.com"]);
    for (const email of [...nobodies, "verified@example.com"]) {
      answers.push(await post("/api/auth/forgot-password", { email }));
    }
    const reset = await smtp.next();
    expect(reset.to).toEqual(["verified@example.com"]);
    expect(reset.text).toContain("reset-password");
    expect(new Set(answers.map((each) => JSON.stringify([each.status, each.body]))).size).toBe(1);
    expect(smtp.received).toHaveLength(5);
  });

  test("the newest verification mail works as well as the one before", async () => {
    await post("/api/auth/register", { email: "di@example.com", password: PASSWORD });
    await smtp.next();
    await post("/api/auth/resend-verification", { email: "di@example.com" });
    const token = /token=(\S+)/.exec((await smtp.next()).text)?.[1] ?? "";
    expect((await verify(service, token)).status).toBe(200);
  });

  test("an answer does not wait for a mail server that is slow", async () => {
    smtp.mood = "is silent";
    const named = smtp.nextAttempt();
    const answer = await post("/api/auth/register", {
      email: "ed@example.com",
      password: PASSWORD,
    });
    expect(answer.status).toBe(201);
    await named;
    expect((await verify(service, answer.body.verification_token as string)).status).toBe(200);
  });

  test("nobody is flooded with mails, and nobody sees that they were not sent", async () => {
    await service.stop();
    service = await startWith({ RATE_LIMIT: "on", TRUST_PROXY: "true" });
    await join(service, "fay@example.com");
    await smtp.next();
    const ask = (email: string, place: number) =>
      service.request("POST", "/api/auth/forgot-password", {
        body: { email },
        headers: { "x-forwarded-for": `203.0.113.${place}` },
      });
    for (let place = 0; place < 30; place++) {
      expect((await ask("fay@example.com", place)).status).toBe(200);
    }
    await join(service, "gus@example.com");
    await ask("gus@example.com", 1);
    const subjects = [];
    for (let mail = await smtp.next(); ; mail = await smtp.next()) {
      if (mail.to[0] === "gus@example.com" && mail.text.includes("reset-password")) break;
      subjects.push(mail.to[0]);
    }
    // Ten mails for an address: one at the registration, nine since.
    expect(subjects.filter((to) => to === "fay@example.com")).toHaveLength(9);
  });
});

describeOnBothDatabases("mails that cannot be sent", ({ start }) => {
  test("a mail that is refused is noted without address and token", async () => {
    const lines: string[] = [];
    const smtp = await SmtpServer.start();
    smtp.mood = "refuses";
    const logged = Promise.withResolvers<void>();
    const log = new Writable({
      write(chunk: Buffer, _encoding, done) {
        lines.push(chunk.toString());
        if (lines.at(-1)?.includes("could not be sent")) logged.resolve();
        done();
      },
    });
    const service = await start({ env: { SMTP_URL: smtp.url }, logger: pino({}, log) });
    const { body } = await service.request("POST", "/api/auth/register", {
      body: { email: "hal@example.com", password: PASSWORD },
    });
    await logged.promise;
    await service.stop();
    await smtp.stop();
    const line = lines.find((each) => each.includes("could not be sent")) ?? "";
    expect(JSON.parse(line)).toMatchObject({ mail: "verification", attempt: 1, status: 550 });
    expect(lines.join("")).not.toContain("hal@example.com");
    expect(lines.join("")).not.toContain(body.verification_token);
    expect(smtp.attempts).toBe(1);
  });

  test("a mail server that is down hinders nobody", async () => {
    const smtp = await SmtpServer.start();
    const { url } = smtp;
    await smtp.stop();
    const service = await start({ env: { SMTP_URL: url }, logger: createLogger("silent") });
    const answer = await service.request("POST", "/api/auth/register", {
      body: { email: "ida@example.com", password: PASSWORD },
    });
    expect(answer.status).toBe(201);
    expect((await verify(service, answer.body.verification_token as string)).status).toBe(200);
    await service.stop();
  });
});
