import { once } from "node:events";
import type { AddressInfo } from "node:net";
import { SMTPServer } from "smtp-server";

/** A mail as the server got it. */
export interface ReceivedMail {
  to: string[];
  from: string;
  headers: string;
  /** Decoded. */
  text: string;
}

/** How the server treats the next mails: the status it gives each recipient, or no answer at all. */
export type SmtpMood = "takes" | "refuses" | "is busy" | "is silent";

/** A real SMTP server on a free port of 127.0.0.1. */
export class SmtpServer {
  readonly received: ReceivedMail[] = [];
  mood: SmtpMood = "takes";
  /** Recipients that were named, whether they were taken or not. */
  attempts = 0;
  readonly #server: SMTPServer;
  readonly #waiting: ((mail: ReceivedMail) => void)[] = [];
  readonly #attempted: (() => void)[] = [];
  #read = 0;

  private constructor() {
    this.#server = new SMTPServer({
      disabledCommands: ["AUTH", "STARTTLS"],
      disableReverseLookup: true,
      closeTimeout: 1,
      logger: false,
      onRcptTo: (_recipient, _session, done) => this.#meet(done),
      onData: (stream, session, done) => {
        const chunks: Buffer[] = [];
        stream.on("data", (chunk: Buffer) => chunks.push(chunk));
        stream.on("end", () => {
          const { mailFrom, rcptTo } = session.envelope;
          this.#take({
            from: mailFrom ? mailFrom.address : "",
            to: rcptTo.map((each) => each.address),
            ...parse(Buffer.concat(chunks).toString("latin1")),
          });
          done();
        });
      },
    });
    this.#server.on("error", () => {});
  }

  static async start(): Promise<SmtpServer> {
    const smtp = new SmtpServer();
    smtp.#server.listen(0, "127.0.0.1");
    await once(smtp.#server.server, "listening");
    return smtp;
  }

  get url(): string {
    return `smtp://127.0.0.1:${(this.#server.server.address() as AddressInfo).port}`;
  }

  /** The next mail that nobody has asked for yet. */
  async next(): Promise<ReceivedMail> {
    const known = this.received[this.#read++];
    if (known) return known;
    const { promise, resolve } = Promise.withResolvers<ReceivedMail>();
    this.#waiting.push(resolve);
    return promise;
  }

  /** Resolves when the next recipient is named. */
  async nextAttempt(): Promise<void> {
    const { promise, resolve } = Promise.withResolvers<void>();
    this.#attempted.push(resolve);
    return promise;
  }

  async stop(): Promise<void> {
    const { promise, resolve } = Promise.withResolvers<void>();
    this.#server.close(resolve);
    return promise;
  }

  #meet(done: (error?: Error | null) => void): void {
    this.attempts++;
    for (const resolve of this.#attempted.splice(0)) resolve();
    if (this.mood === "takes") done();
    else if (this.mood === "refuses") done(Object.assign(new Error("No"), { responseCode: 550 }));
    else if (this.mood === "is busy")
      done(Object.assign(new Error("Later"), { responseCode: 451 }));
  }

  #take(mail: ReceivedMail): void {
    this.received.push(mail);
    this.#waiting.shift()?.(mail);
  }
}

/** Headers and text of a mail whose body is quoted-printable (RFC 2045 §6.7). */
function parse(source: string): { headers: string; text: string } {
  const end = source.indexOf("\r\n\r\n");
  const body = source.slice(end + 4).replaceAll("=\r\n", "");
  const bytes = body.replaceAll(/=([0-9A-F]{2})/g, (_all, hex: string) =>
    String.fromCharCode(Number.parseInt(hex, 16)),
  );
  return {
    headers: source.slice(0, end),
    text: Buffer.from(bytes, "latin1").toString("utf8").replaceAll("\r\n", "\n"),
  };
}
