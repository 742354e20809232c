import { createTransport } from "nodemailer";
import type { Mail } from "./mails.ts";

/** Why a mail could not be handed over. */
export class MailError extends Error {
  /** A word of the mail library or of the operating system. */
  readonly code: string;
  /** The mail server's answer (RFC 5321 §4.2), when there was one. */
  readonly status: number | undefined;
  /** The mail server refused for good: trying again is of no use. */
  readonly permanent: boolean;

  constructor(code: string, status: number | undefined) {
    super(status === undefined ? code : `${code}, the mail server answered ${status}`);
    this.name = "MailError";
    this.code = code;
    this.status = status;
    this.permanent = status !== undefined && status >= 500;
  }
}

export interface MailTransport {
  /** Resolves when the mail server has taken the mail. @throws MailError */
  send(mail: Mail): Promise<void>;
  close(): void;
}

const CONNECT_TIMEOUT_MS = 10_000;
const ANSWER_TIMEOUT_MS = 20_000;

/** Hands mails to the server of `url` (`smtp://` or `smtps://`), a connection for each. */
export function createSmtpTransport(url: string, from: string): MailTransport {
  const transporter = createTransport(
    {
      url,
      connectionTimeout: CONNECT_TIMEOUT_MS,
      greetingTimeout: CONNECT_TIMEOUT_MS,
      socketTimeout: ANSWER_TIMEOUT_MS,
      disableFileAccess: true,
      disableUrlAccess: true,
    },
    { from, headers: { "Auto-Submitted": "auto-generated" } },
  );
  return {
    async send({ to, subject, text }) {
      try {
        await transporter.sendMail({
          to: { name: "", address: to },
          subject,
          text,
          textEncoding: "quoted-printable",
        });
      } catch (error) {
        throw toMailError(error);
      }
    },
    close: () => transporter.close(),
  };
}

/** The original message may hold the address, so only its codes are kept. */
function toMailError(error: unknown): MailError {
  const { code, responseCode } = error as { code?: string; responseCode?: number };
  return new MailError(code ?? "unknown", responseCode);
}
