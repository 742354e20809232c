import type { Database, Db } from "../database/database.ts";
import type { Clock } from "../lib/clock.ts";
import { recordAudit } from "../system/audit.ts";
import type { AccountLimits } from "./account-limits.ts";
import { addAccountToken } from "./account-tokens.ts";
import type { EmailAddress } from "./email-address.ts";
import type { MailQueue, WriteMail } from "./mail-queue.ts";
import { resetMail, verificationMail, type Mail } from "./mails.ts";
import { findUserByEmail, lockUser } from "./store.ts";
import type { User } from "./user.ts";

/** Somebody who has not said who they are. */
const anonymous = { id: null, name: "anonymous" };

/**
 * The mails of the accounts. Whether an address has an account is looked up when the mail's turn
 * comes, after the request has been answered.
 */
export class AccountMail {
  readonly #database: Database;
  readonly #clock: Clock;
  readonly #limits: AccountLimits;
  readonly #queue: MailQueue | undefined;
  readonly #baseUrl: () => string;

  /** Without a queue nothing is ever sent. `baseUrl` is where people reach the service. */
  constructor(
    database: Database,
    clock: Clock,
    limits: AccountLimits,
    queue: MailQueue | undefined,
    baseUrl: () => string,
  ) {
    this.#database = database;
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
    this.#send(to, () =>
      this.#withAccount(to, async (tx, user) => {
        if (user.verified) return undefined;
        const { token } = await addAccountToken(tx, user.id, "verify", this.#clock.now());
        return verificationMail(user.email, token, this.#baseUrl());
      }),
    );
  }

  sendReset(to: EmailAddress): void {
    this.#send(to, () =>
      this.#withAccount(to, async (tx, user) => {
        await recordAudit(tx, this.#clock, anonymous, "user.ask_reset", `user:${user.id}`);
        const { token } = await addAccountToken(tx, user.id, "reset", this.#clock.now());
        return resetMail(user.email, token, this.#baseUrl());
      }),
    );
  }

  /** Writes a mail in one transaction with what it says, for an account that may have mail. */
  async #withAccount(
    to: EmailAddress,
    write: (transaction: Db, user: User) => Promise<Mail | undefined>,
  ): Promise<Mail | undefined> {
    const { db, dialect } = this.#database;
    const known = await findUserByEmail(db, to.key);
    if (!known || known.disabled) return undefined;
    return db.transaction().execute(async (tx) => {
      const user = await lockUser(tx, dialect, known.id);
      return user && write(tx, user);
    });
  }

  #send(to: EmailAddress, write: WriteMail): void {
    if (this.#limits.mayMail(to.key)) this.#queue?.add(write);
  }
}
