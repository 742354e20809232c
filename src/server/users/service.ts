import type { Database, Db } from "../database/database.ts";
import type { Clock } from "../lib/clock.ts";
import { AppError, invalidFields } from "../lib/errors.ts";
import type { PasswordHasher } from "../lib/password-hasher.ts";
import { recordAudit } from "../system/audit.ts";
import type { AccountLimits } from "./account-limits.ts";
import type { AccountMail } from "./account-mail.ts";
import {
  addAccountToken,
  dropAccountTokens,
  findTokenOwner,
  takeAccountToken,
  type TokenPurpose,
} from "./account-tokens.ts";
import { actorOf, type Caller } from "./caller.ts";
import { parseEmailAddress, type EmailAddress } from "./email-address.ts";
import { flawOfPassword } from "./password-rules.ts";
import { checkNewAccount } from "./new-account.ts";
import type { SessionTokens } from "./session-token.ts";
import * as store from "./store.ts";
import type { User } from "./user.ts";

/** What somebody types to get in, and the network address they come from. */
export interface Credentials {
  email: string;
  password: string;
  from: string;
}

export interface AccountParts {
  database: Database;
  clock: Clock;
  hasher: PasswordHasher;
  tokens: SessionTokens;
  limits: AccountLimits;
  mail: AccountMail;
}

/** What people do with their own accounts. Passwords are hashed before any transaction begins. */
export class AccountService {
  readonly #parts: AccountParts;
  readonly #db: Db;

  constructor(parts: AccountParts) {
    this.#parts = parts;
    this.#db = parts.database.db;
  }

  /**
   * Stores an unverified account; one that is unverified still gets the new password and token.
   * @returns the verification token, which is mailed as well when mail is set up
   * @throws AppError invalid_request, already_registered, rate_limited, overloaded
   */
  async register({ email, password, from }: Credentials): Promise<string> {
    const { clock, hasher, limits, mail } = this.#parts;
    const address = checkNewAccount(email, password);
    limits.register(from);
    const known = await store.findUserByEmail(this.#db, address.key);
    if (known?.verified) throw alreadyRegistered();
    const hash = await hasher.hash(password);
    const token = await this.#db.transaction().execute(async (tx) => {
      const now = clock.now();
      const id = await store.putUnverified(tx, address, hash, now);
      if (id === undefined) throw alreadyRegistered();
      await dropAccountTokens(tx, id, "verify");
      await recordAudit(tx, clock, { id, name: address.text }, "user.register", `user:${id}`);
      return (await addAccountToken(tx, id, "verify", now)).token;
    });
    mail.sendVerification(address, token);
    return token;
  }

  /**
   * Uses up a verification token.
   * @throws AppError invalid_token
   */
  async verify(token: string): Promise<void> {
    const { clock } = this.#parts;
    await this.#db.transaction().execute(async (tx) => {
      const user = await this.#takeToken(tx, token, "verify");
      if (!user) throw invalidToken("verification");
      await store.markVerified(tx, user.id);
      await dropAccountTokens(tx, user.id, "verify");
      await recordAudit(tx, clock, nameOf(user), "user.verify", `user:${user.id}`);
    });
  }

  /**
   * @returns the account and a session token for it
   * @throws AppError wrong_credentials, account_disabled, email_not_verified, rate_limited, overloaded
   */
  async logIn({ email, password, from }: Credentials): Promise<{ user: User; token: string }> {
    const { limits, hasher, tokens } = this.#parts;
    const key = parseEmailAddress(email)?.key;
    const forgive = limits.tryPassword(key ?? "", from);
    const user = key === undefined ? undefined : await store.findUserByEmail(this.#db, key);
    if (!(await hasher.verify(user?.passwordHash, password)) || !user) {
      throw new AppError("wrong_credentials", "The e-mail address or the password is wrong");
    }
    forgive();
    if (user.disabled) {
      throw new AppError("account_disabled", "An administrator has disabled this account");
    }
    if (!user.verified) {
      throw new AppError("email_not_verified", "Verify the e-mail address before logging in");
    }
    const { id: userId, isAdmin, sessionVersion: version } = user;
    return { user, token: await tokens.issue({ userId, email: user.email, isAdmin, version }) };
  }

  /** @throws AppError unauthorized when the account is gone */
  async get(caller: Caller): Promise<User> {
    const user = await store.findUser(this.#db, caller.userId);
    if (!user) throw sessionEnded();
    return user;
  }

  /**
   * Ends every session of the account, the caller's too.
   * @throws AppError invalid_request, wrong_credentials, unauthorized, rate_limited, overloaded
   */
  async changePassword(
    caller: Caller,
    from: string,
    passwords: { current: string; next: string },
  ): Promise<void> {
    const { clock, hasher, limits } = this.#parts;
    const flaw = flawOfPassword(passwords.next);
    if (flaw) throw invalidFields([{ path: "new_password", message: flaw }]);
    const user = await this.get(caller);
    const forgive = limits.tryPassword(user.emailKey, from);
    if (!(await hasher.verify(user.passwordHash, passwords.current))) {
      throw new AppError("wrong_credentials", "The current password is wrong");
    }
    forgive();
    const hash = await hasher.hash(passwords.next);
    await this.#db.transaction().execute(async (tx) => {
      const done = await store.replacePassword(tx, user.id, user.sessionVersion, hash);
      if (!done) throw sessionEnded();
      await dropAccountTokens(tx, user.id);
      await recordAudit(tx, clock, actorOf(caller), "user.change_password", `user:${user.id}`);
    });
  }

  /** Ends every session of the account, the caller's too. */
  async logOutEverywhere(caller: Caller): Promise<void> {
    const { clock } = this.#parts;
    await this.#db.transaction().execute(async (tx) => {
      await store.endSessions(tx, caller.userId);
      const subject = `user:${caller.userId}`;
      await recordAudit(tx, clock, actorOf(caller), "user.log_out_everywhere", subject);
    });
  }

  /**
   * Mails a new verification token, if the address has an unverified account and mail is set up.
   * Nobody can tell from outside.
   * @throws AppError rate_limited
   */
  resendVerification(email: string, from: string): void {
    const address = parseEmailAddress(email);
    this.#parts.limits.askForMail(address?.key ?? "", from);
    if (address) this.#parts.mail.resendVerification(address);
  }

  /**
   * Mails a reset token, if the address has an account and mail is set up. Nobody can tell from
   * outside.
   * @throws AppError rate_limited
   */
  forgotPassword(email: string, from: string): void {
    const address = parseEmailAddress(email);
    this.#parts.limits.askForMail(address?.key ?? "", from);
    if (address) this.#parts.mail.sendReset(address);
  }

  /**
   * Uses up a reset token; every session and every other token of the account ends. The token came
   * to the mailbox (or from an administrator, who vouches for it), so the address is verified.
   * @throws AppError invalid_request, invalid_token, overloaded
   */
  async resetPassword(token: string, password: string): Promise<void> {
    const { clock, hasher } = this.#parts;
    const flaw = flawOfPassword(password);
    if (flaw) throw invalidFields([{ path: "password", message: flaw }]);
    const owner = await findTokenOwner(this.#db, token, "reset", clock.now());
    if (owner === undefined) throw invalidToken("reset");
    const hash = await hasher.hash(password);
    await this.#db.transaction().execute(async (tx) => {
      const user = await this.#takeToken(tx, token, "reset");
      if (!user) throw invalidToken("reset");
      await store.resetPassword(tx, user.id, hash);
      await dropAccountTokens(tx, user.id);
      await recordAudit(tx, clock, nameOf(user), "user.reset_password", `user:${user.id}`);
    });
  }

  /**
   * Makes a verified administrator within the transaction of the set-up; an account that has the
   * address becomes it, and its sessions end.
   */
  async makeAdministrator(tx: Db, address: EmailAddress, passwordHash: string): Promise<number> {
    const { clock } = this.#parts;
    const id = await store.putAdministrator(tx, address, passwordHash, clock.now());
    await dropAccountTokens(tx, id);
    return id;
  }

  /**
   * Uses up a token and locks its account, the account first as everywhere: transactions that lock
   * in different orders would wait for each other.
   */
  async #takeToken(tx: Db, token: string, purpose: TokenPurpose): Promise<User | undefined> {
    const { clock, database } = this.#parts;
    const owner = await findTokenOwner(tx, token, purpose, clock.now());
    if (owner === undefined) return undefined;
    const user = await store.lockUser(tx, database.dialect, owner);
    const taken = await takeAccountToken(tx, token, purpose, clock.now());
    return taken ? user : undefined;
  }
}

function nameOf(user: User): { id: number; name: string } {
  return { id: user.id, name: user.email };
}

function alreadyRegistered(): AppError {
  return new AppError("already_registered", "This e-mail address is registered already; log in");
}

function invalidToken(kind: "verification" | "reset"): AppError {
  return new AppError("invalid_token", `The ${kind} token is wrong, used already or expired`);
}

function sessionEnded(): AppError {
  return new AppError("unauthorized", "The session has ended; log in again");
}
