import { Writable } from "node:stream";
import { pino } from "pino";
import { describe, expect, test } from "vitest";
import { MailQueue } from "../../src/server/users/mail-queue.ts";
import type { Mail } from "../../src/server/users/mails.ts";
import { createSmtpTransport, MailError, type MailTransport } from "../../src/server/users/smtp.ts";
import { SmtpServer } from "../support/smtp.ts";

const mail: Mail = { kind: "verification", to: "ann@example.com", subject: "s", text: "t" };

function logTo(lines: string[]) {
  const stream = new Writable({
    write(chunk: Buffer, _encoding, done) {
      lines.push(chunk.toString());
      done();
    },
  });
  return pino({}, stream);
}

/** A transport that fails as it is told, in order, and then takes everything. */
function transport(...failures: MailError[]): MailTransport & { sent: Mail[]; closed: boolean } {
  const sent: Mail[] = [];
  return {
    sent,
    closed: false,
    async send(each) {
      const failure = failures.shift();
      if (failure) throw failure;
      sent.push(each);
    },
    close() {
      this.closed = true;
    },
  };
}

const down = () => new MailError("ECONNECTION", undefined);

describe("the mail queue", () => {
  test("tries again when the server was away, and sends once", async () => {
    const lines: string[] = [];
    const to = transport(down(), new MailError("EENVELOPE", 451));
    const queue = new MailQueue(to, logTo(lines), { retryAfterMs: [0, 0] });
    queue.add(async () => mail);
    await queue.idle();
    expect(to.sent).toEqual([mail]);
    expect(lines.map((line) => JSON.parse(line).attempt)).toEqual([1, 2]);
    await queue.stop();
  });

  test("gives up in the end, says so, and goes on with the next", async () => {
    const lines: string[] = [];
    const to = transport(down(), down(), down());
    const queue = new MailQueue(to, logTo(lines), { retryAfterMs: [0, 0] });
    queue.add(async () => mail);
    await queue.idle();
    expect(to.sent).toEqual([]);
    expect(JSON.parse(lines.at(-1) ?? "")).toMatchObject({
      level: 50,
      attempt: 3,
      code: "ECONNECTION",
    });
    queue.add(async () => mail);
    await queue.idle();
    expect(to.sent).toEqual([mail]);
    await queue.stop();
  });

  test("does not insist when the server refuses for good", async () => {
    const lines: string[] = [];
    const to = transport(new MailError("EENVELOPE", 550));
    const queue = new MailQueue(to, logTo(lines), { retryAfterMs: [0, 0] });
    queue.add(async () => mail);
    await queue.idle();
    expect(to.sent).toEqual([]);
    expect(lines).toHaveLength(1);
    await queue.stop();
  });

  test("a mail that need not be written, or cannot, holds up nothing", async () => {
    const lines: string[] = [];
    const to = transport();
    const queue = new MailQueue(to, logTo(lines));
    queue.add(async () => undefined);
    queue.add(() => Promise.reject(new Error("the storage is away")));
    queue.add(async () => mail);
    await queue.idle();
    expect(to.sent).toEqual([mail]);
    expect(lines).toHaveLength(1);
    await queue.stop();
  });

  test("drops what does not fit, and says so", async () => {
    const lines: string[] = [];
    const gate = Promise.withResolvers<void>();
    const to = transport();
    const queue = new MailQueue(to, logTo(lines), { largestQueue: 1 });
    const slow = async () => {
      await gate.promise;
      return mail;
    };
    for (let n = 0; n < 4; n++) queue.add(slow);
    gate.resolve();
    await queue.idle();
    expect(to.sent).toHaveLength(3);
    expect(lines).toHaveLength(1);
    await queue.stop();
  });

  test("sends what is left when it stops, without further pauses", async () => {
    const lines: string[] = [];
    const to = transport(down());
    const queue = new MailQueue(to, logTo(lines), { retryAfterMs: [3_600_000] });
    for (let n = 0; n < 5; n++) queue.add(async () => mail);
    await queue.stop();
    expect(to.sent.length).toBeGreaterThanOrEqual(4);
    expect(to.closed).toBe(true);
    queue.add(async () => mail);
    expect(lines.at(-1)).toContain("dropped");
  });

  test("stops at its deadline although the server says nothing", async () => {
    const lines: string[] = [];
    const smtp = await SmtpServer.start();
    smtp.mood = "is silent";
    const named = smtp.nextAttempt();
    const queue = new MailQueue(
      createSmtpTransport(smtp.url, "waypost@example.org"),
      logTo(lines),
      {
        drainMs: 0,
      },
    );
    queue.add(async () => mail);
    await named;
    await queue.stop();
    expect(JSON.parse(lines.at(-1) ?? "")).toMatchObject({ unsent: 1 });
    await smtp.stop();
  });

  test("a busy server gets the mail at the second attempt", async () => {
    const smtp = await SmtpServer.start();
    smtp.mood = "is busy";
    void smtp.nextAttempt().then(() => (smtp.mood = "takes"));
    const queue = new MailQueue(createSmtpTransport(smtp.url, "waypost@example.org"), logTo([]), {
      retryAfterMs: [0],
    });
    queue.add(async () => ({
      ...mail,
      text: "Grüße =3D with a line that is much longer than what fits into one line of a mail",
    }));
    const received = await smtp.next();
    expect(received.to).toEqual(["ann@example.com"]);
    expect(received.text.trim()).toBe(
      "Grüße =3D with a line that is much longer than what fits into one line of a mail",
    );
    expect(smtp.attempts).toBe(2);
    await queue.stop();
    await smtp.stop();
  });
});
