import type { Database, Db } from "../database/database.ts";
import type { Clock } from "../lib/clock.ts";
import { AppError } from "../lib/errors.ts";
import { recordAudit } from "../system/audit.ts";
import { addAccountToken, type NewToken } from "./account-tokens.ts";
import { actorOf, type Caller } from "./caller.ts";
import * as store from "./store.ts";
import type { ListedUser, User } from "./user.ts";

/** Nodes go with their owner's account. */
export interface OwnedNodes {
  /**
   * Deletes the owner's nodes within `transaction`.
   * @returns what takes them out of memory; called once the transaction has been committed
   */
  removeNodesOf(ownerId: number, transaction: Db): Promise<() => void>;
}

export interface RightsChange {
  isAdmin?: boolean | undefined;
  disabled?: boolean | undefined;
}

/** What administrators do with other people's accounts, and their own. */
export class UserAdministration {
  readonly #database: Database;
  readonly #db: Db;
  readonly #clock: Clock;
  readonly #nodes: OwnedNodes;

  constructor(database: Database, clock: Clock, nodes: OwnedNodes) {
    this.#database = database;
    this.#db = database.db;
    this.#clock = clock;
    this.#nodes = nodes;
  }

  list(page: { after: number; limit: number }): Promise<ListedUser[]> {
    return store.listUsers(this.#db, page);
  }

  /** @throws AppError not_found */
  async get(id: number): Promise<ListedUser> {
    const user = await store.findListedUser(this.#db, id);
    if (!user) throw noSuchUser();
    return user;
  }

  /**
   * A demotion and a disabling end every session of the account.
   * @throws AppError not_found, last_administrator
   */
  async change(caller: Caller, id: number, change: RightsChange): Promise<void> {
    await this.#db.transaction().execute(async (tx) => {
      const others = await this.#lockOtherAdministrators(tx, id);
      const user = await this.#lock(tx, id);
      const rights = {
        isAdmin: change.isAdmin ?? user.isAdmin,
        disabled: change.disabled ?? user.disabled,
      };
      const changed = differences(user, rights);
      if (Object.keys(changed).length === 0) return;
      const loses = (user.isAdmin && !rights.isAdmin) || (!user.disabled && rights.disabled);
      if (loses) {
        if (canAdminister(user) && others === 0) throw lastAdministrator();
        await store.endSessions(tx, id);
      }
      await store.setRights(tx, id, rights);
      await recordAudit(tx, this.#clock, actorOf(caller), "user.update", `user:${id}`, {
        email: user.email,
        ...changed,
      });
    });
  }

  /**
   * Deletes the account with its nodes.
   * @throws AppError not_found, last_administrator
   */
  async remove(caller: Caller, id: number): Promise<void> {
    const forgetNodes = await this.#db.transaction().execute(async (tx) => {
      const others = await this.#lockOtherAdministrators(tx, id);
      const user = await this.#lock(tx, id);
      if (canAdminister(user) && others === 0) throw lastAdministrator();
      const forget = await this.#nodes.removeNodesOf(id, tx);
      await store.deleteUser(tx, id);
      await recordAudit(tx, this.#clock, actorOf(caller), "user.delete", `user:${id}`, {
        email: user.email,
      });
      return forget;
    });
    forgetNodes();
  }

  /**
   * Makes a token with which the account's owner can set a new password.
   * @throws AppError not_found
   */
  async makeResetToken(caller: Caller, id: number): Promise<NewToken> {
    return this.#db.transaction().execute(async (tx) => {
      const user = await this.#lock(tx, id);
      await recordAudit(tx, this.#clock, actorOf(caller), "user.make_reset_link", `user:${id}`, {
        email: user.email,
      });
      return addAccountToken(tx, id, "reset", this.#clock.now());
    });
  }

  /** How many others could still administer; two who take away rights at once take turns. */
  async #lockOtherAdministrators(tx: Db, id: number): Promise<number> {
    const acting = await store.lockActingAdministrators(tx, this.#database.dialect);
    return acting.filter((each) => each !== id).length;
  }

  async #lock(tx: Db, id: number): Promise<User> {
    const user = await store.lockUser(tx, this.#database.dialect, id);
    if (!user) throw noSuchUser();
    return user;
  }
}

function canAdminister(user: User): boolean {
  return user.isAdmin && user.verified && !user.disabled;
}

function differences(
  user: User,
  rights: { isAdmin: boolean; disabled: boolean },
): Record<string, boolean> {
  return {
    ...(rights.isAdmin === user.isAdmin ? {} : { is_admin: rights.isAdmin }),
    ...(rights.disabled === user.disabled ? {} : { disabled: rights.disabled }),
  };
}

function noSuchUser(): AppError {
  return new AppError("not_found", "There is no account with this id");
}

function lastAdministrator(): AppError {
  return new AppError(
    "last_administrator",
    "This is the last administrator; make somebody else one first",
  );
}
