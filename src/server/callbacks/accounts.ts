import type {
  AccountChange,
  CallbackAccount,
  NewAccount,
  TestAnswer,
} from "../../shared/api/callbacks.ts";
import type { Database, Db } from "../database/database.ts";
import { toIso, type Clock } from "../lib/clock.ts";
import { AppError } from "../lib/errors.ts";
import type { Fields } from "../lib/sealed-fields.ts";
import { auditTrail, type AuditTrail } from "../system/audit.ts";
import type { Caller } from "../users/caller.ts";
import type { AccountRecord } from "./account.ts";
import type { AccountConfigs } from "./account-configs.ts";
import * as store from "./account-store.ts";
import { readName, refuseTakenName } from "./names.ts";
import type { Occasions } from "./occasions.ts";
import type { Rehearsal } from "./rehearsal.ts";
import { readUsers } from "./task-store.ts";

export interface AccountParts {
  database: Database;
  clock: Clock;
  configs: AccountConfigs;
  occasions: Occasions;
  rehearsal: Rehearsal;
}

/** What administrators do with the accounts of callback targets. */
export class CallbackAccounts {
  readonly #parts: AccountParts;
  readonly #db: Db;
  readonly #audit: AuditTrail;

  constructor(parts: AccountParts) {
    this.#parts = parts;
    this.#db = parts.database.db;
    this.#audit = auditTrail("callback_account", parts.clock);
  }

  /** By id. */
  async list(): Promise<CallbackAccount[]> {
    return (await store.readAccounts(this.#db)).map((account) => this.#show(account));
  }

  /** @throws AppError not_found */
  async get(id: number): Promise<CallbackAccount> {
    return this.#show(await this.#find(id));
  }

  /** @throws AppError invalid_request, name_taken */
  async create(caller: Caller, given: NewAccount): Promise<CallbackAccount> {
    const { database, clock, configs } = this.#parts;
    const { type } = given;
    const name = readName(given.name);
    configs.check(type, given.config);
    const id = await refuseTakenName(database, "account", name, () =>
      this.#db.transaction().execute(async (tx) => {
        const now = clock.now();
        const stored = await store.insertAccount(tx, { name, type }, now);
        await configs.checkReferences(type, given.config, tx);
        const config = configs.seal(stored, type, given.config);
        await store.updateAccount(tx, stored, { name, type, config, updatedAt: now });
        await this.#audit(tx, caller, "callback_account.create", stored, { name, type });
        return stored;
      }),
    );
    return this.get(id);
  }

  /**
   * Changes what is given; what is left out of the config stays, secrets too, unless the type changes.
   * @throws AppError not_found, invalid_request, name_taken
   */
  async change(caller: Caller, id: number, given: AccountChange): Promise<CallbackAccount> {
    const { database, clock } = this.#parts;
    const before = await this.#find(id);
    const name = given.name === undefined ? before.name : readName(given.name);
    if (Object.keys(given).length === 0) return this.#show(before);
    await refuseTakenName(database, "account", name, () =>
      this.#db.transaction().execute(async (tx) => {
        const account = await store.lockAccount(tx, database.dialect, id);
        if (!account) throw noSuchAccount();
        const type = given.type ?? account.type;
        const config = await this.#changedConfig(account, given, tx);
        await store.updateAccount(tx, id, { name, type, config, updatedAt: clock.now() });
        const changed = [
          ...(name === account.name ? [] : ["name"]),
          ...(type === account.type ? [] : ["type"]),
          ...Object.keys(given.config ?? {}).map((field) => `config.${field}`),
        ];
        await this.#audit(tx, caller, "callback_account.update", id, { name, changed });
      }),
    );
    return this.get(id);
  }

  /** @throws AppError not_found; conflict naming the tasks that use it */
  async remove(caller: Caller, id: number): Promise<void> {
    const { database } = this.#parts;
    await this.#db.transaction().execute(async (tx) => {
      const account = await store.lockAccount(tx, database.dialect, id);
      if (!account) throw noSuchAccount();
      const tasks = await readUsers(tx, "account_id", id);
      if (tasks.length > 0) {
        const names = tasks.map((task) => task.name).join(", ");
        throw new AppError("conflict", `The account is used by these tasks: ${names}`);
      }
      await store.deleteAccount(tx, id);
      await this.#audit(tx, caller, "callback_account.delete", id, { name: account.name });
    });
  }

  /** Only reads at the target; a webhook is sent a test event. @throws AppError not_found */
  async test(id: number): Promise<TestAnswer> {
    const { occasions, rehearsal } = this.#parts;
    const account = await this.#find(id);
    const [task] = await readUsers(this.#db, "account_id", id);
    return rehearsal.test(account, await occasions.forTest(task?.ruleId));
  }

  async #find(id: number): Promise<AccountRecord> {
    const account = await store.findAccount(this.#db, id);
    if (!account) throw noSuchAccount();
    return account;
  }

  async #changedConfig(account: AccountRecord, given: AccountChange, tx: Db): Promise<Fields> {
    const { configs } = this.#parts;
    const { type = account.type, config = {} } = given;
    if (type === account.type && given.config === undefined) return account.config;
    const merged = type === account.type ? configs.merge(account, config) : config;
    configs.check(type, merged);
    await configs.checkReferences(type, merged, tx);
    return configs.seal(account.id, type, merged);
  }

  #show(account: AccountRecord): CallbackAccount {
    const { id, name, type, createdAt, updatedAt } = account;
    return {
      id,
      name,
      type,
      config: this.#parts.configs.show(account),
      created_at: toIso(createdAt),
      updated_at: toIso(updatedAt),
    };
  }
}

function noSuchAccount(): AppError {
  return new AppError("not_found", "There is no callback account with this id");
}
