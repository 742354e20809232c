import type { Database, Db } from "../database/database.ts";
import type { Clock } from "../lib/clock.ts";
import { recordAudit } from "../system/audit.ts";
import { addAccountToken, type NewToken } from "./account-tokens.ts";
import { actorOf, type Caller } from "./caller.ts";
import {
  canAdminister,
  changeRights,
  lastAdministrator,
  lockExisting,
  lockOtherAdministrators,
  noSuchUser,
  type RightsChange,
} from "./rights.ts";
import * as store from "./store.ts";
import type { ListedUser, User, UserFilter } from "./user.ts";

/** Nodes go with their owner's account. */
export interface OwnedNodes {
  /**
   * Deletes the owner's nodes within `transaction`.
   * @returns what takes them out of memory; called once the transaction has been committed
   */
  removeNodesOf(ownerId: number, transaction: Db): Promise<() => void>;
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

  /** By id, those after the id `after`. */
  list(page: { after: number; limit: number }, filter: UserFilter = {}): Promise<ListedUser[]> {
    return store.listUsers(this.#db, page, filter);
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
  change(caller: Caller, id: number, change: RightsChange): Promise<void> {
    return changeRights(this.#database, this.#clock, actorOf(caller), id, change);
  }

  /**
   * Deletes the account with its nodes.
   * @throws AppError not_found, last_administrator
   */
  async remove(caller: Caller, id: number): Promise<void> {
    const forgetNodes = await this.#db.transaction().execute(async (tx) => {
      const others = await lockOtherAdministrators(this.#database, tx, id);
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

  async #lock(tx: Db, id: number): Promise<User> {
    return lockExisting(this.#database, tx, id);
  }
}
