import type { Db } from "../database/database.ts";
import type { Clock } from "../lib/clock.ts";
import { recordAudit } from "../system/audit.ts";
import type { AccountLimits } from "./account-limits.ts";
import { addAccountToken } from "./account-tokens.ts";
import type { EmailAddress } from "./email-address.ts";
import type { MailQueue, WriteMail } from "./mail-queue.ts";
import { resetMail, verificationMail } from "./mails.ts";
import { findUserByEmail } from "./store.ts";

/** Somebody who has not said who they are. */
const anonymous = { id: null, name: "anonymous" };

/**
 * The mails of the accounts. Whether an address has an account is looked up when the mail's turn
 * comes, after the request has been answered.
 */
export class AccountMail {
  readonly #db: Db;
  readonly #clock: Clock;
  readonly #limits: AccountLimits;
  readonly #queue: MailQueue | undefined;
  readonly #baseUrl: () => string;

  /** Without a queue nothing is ever sent. `baseUrl` is where people reach the service. */
  constructor(
    db: Db,
    clock: Clock,
    limits: AccountLimits,
    queue: MailQueue | undefined,
    baseUrl: () => string,
  ) {
    this.#db = db;
    this.#clock = clock;
    this.#limits = limits;
    this.#queue = queue;
    this.#baseUrl = baseUrl;
  }

  /** The token of a registration that has been stored. */
  sendVerification(to: EmailAddress, token: string): void {
    this.#send(to, async () => verificationMail(to.text, token, this.#baseUrl()));
  }

  resendVerification(to: EmailAddress): void {
    this.#send(to, async () => {
      const user = await findUserByEmail(this.#db, to.key);
      if (!user || user.verified || user.disabled) return undefined;
      const { token } = await addAccountToken(this.#db, user.id, "verify", this.#clock.now());
      return verificationMail(user.email, token, this.#baseUrl());
    });
  }

  sendReset(to: EmailAddress): void {
    this.#send(to, async () => {
      const user = await findUserByEmail(this.#db, to.key);
      if (!user || user.disabled) return undefined;
      const { token } = await this.#db.transaction().execute(async (tx) => {
        await recordAudit(tx, this.#clock, anonymous, "user.ask_reset", `user:${user.id}`);
        return addAccountToken(tx, user.id, "reset", this.#clock.now());
      });
      return resetMail(user.email, token, this.#baseUrl());
    });
  }

  #send(to: EmailAddress, write: WriteMail): void {
    if (this.#limits.mayMail(to.key)) this.#queue?.add(write);
  }
}
