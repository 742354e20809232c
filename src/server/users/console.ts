import type { Database, Db } from "../database/database.ts";
import type { Clock } from "../lib/clock.ts";
import { AppError, invalidFields } from "../lib/errors.ts";
import { recordAudit } from "../system/audit.ts";
import { dropAccountTokens } from "./account-tokens.ts";
import type { Actor } from "./caller.ts";
import { parseEmailAddress } from "./email-address.ts";
import { checkNewAccount } from "./new-account.ts";
import { flawOfPassword } from "./password-rules.ts";
import { changeRights } from "./rights.ts";
import * as store from "./store.ts";
import type { ListedUser, User } from "./user.ts";

export interface ConsoleParts {
  database: Database;
  clock: Clock;
  hashPassword: (password: string) => Promise<string>;
}

export interface NewAccount {
  email: string;
  password: string;
  isAdmin: boolean;
}

const PAGE = 500;
const actor: Actor = { id: null, name: "waypost admin" };

/**
 * What whoever has the storage may do with accounts. A running service knows at once: it reads the
 * account on each request.
 */
export class AccountConsole {
  readonly #parts: ConsoleParts;
  readonly #db: Db;

  constructor(parts: ConsoleParts) {
    this.#parts = parts;
    this.#db = parts.database.db;
  }

  /** In the order of their creation. */
  async list(): Promise<ListedUser[]> {
    const all: ListedUser[] = [];
    for (;;) {
      const page = await store.listUsers(this.#db, { after: all.at(-1)?.id ?? 0, limit: PAGE });
      all.push(...page);
      if (page.length < PAGE) return all;
    }
  }

  /**
   * The account is verified.
   * @param alongside within the same transaction
   * @throws AppError invalid_request, already_registered
   */
  async create(account: NewAccount, alongside: (tx: Db) => Promise<void>): Promise<ListedUser> {
    const { clock, hashPassword } = this.#parts;
    const { password, isAdmin } = account;
    const email = checkNewAccount(account.email, password);
    const hash = await hashPassword(password);
    const id = await this.#db.transaction().execute(async (tx) => {
      if (await store.findUserByEmail(tx, email.key)) throw alreadyRegistered(email.text);
      const put = isAdmin ? store.putAdministrator : store.putUnverified;
      const made = await put(tx, email, hash, clock.now());
      if (made === undefined) throw alreadyRegistered(email.text);
      await store.markVerified(tx, made);
      const details = { email: email.text, is_admin: isAdmin };
      await recordAudit(tx, clock, actor, "user.create", `user:${made}`, details);
      await alongside(tx);
      return made;
    });
    return this.#get(id);
  }

  /**
   * Every session and every token of the account ends, and its address counts as verified.
   * @throws AppError invalid_request, not_found
   */
  async resetPassword(email: string, password: string): Promise<ListedUser> {
    const { clock, hashPassword } = this.#parts;
    const { id } = await this.#find(email);
    const flaw = flawOfPassword(password);
    if (flaw) throw invalidFields([{ path: "password", message: flaw }]);
    const hash = await hashPassword(password);
    await this.#db.transaction().execute(async (tx) => {
      await store.resetPassword(tx, id, hash);
      await dropAccountTokens(tx, id);
      await recordAudit(tx, clock, actor, "user.reset_password", `user:${id}`);
    });
    return this.#get(id);
  }

  /** @throws AppError not_found, last_administrator */
  async setDisabled(email: string, disabled: boolean): Promise<ListedUser> {
    const { database, clock } = this.#parts;
    const { id } = await this.#find(email);
    await changeRights(database, clock, actor, id, { disabled });
    return this.#get(id);
  }

  async #find(email: string): Promise<User> {
    const address = parseEmailAddress(email);
    const user = address && (await store.findUserByEmail(this.#db, address.key));
    if (!user) throw new AppError("not_found", `${email} has no account`);
    return user;
  }

  async #get(id: number): Promise<ListedUser> {
    const user = await store.findListedUser(this.#db, id);
    if (!user) throw new Error(`the account ${id} has gone at once`);
    return user;
  }
}

function alreadyRegistered(email: string): AppError {
  return new AppError("already_registered", `${email} has an account already`);
}
