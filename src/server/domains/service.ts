import {
  domainLimits,
  type DomainAccount,
  type DomainAccountChange,
  type DomainTestAnswer,
  type NewDomainAccount,
  type ProviderName,
} from "../../shared/api/domains.ts";
import type { Database, Db } from "../database/database.ts";
import { refuseTaken } from "../database/taken.ts";
import { toIso, type Clock } from "../lib/clock.ts";
import { AppError } from "../lib/errors.ts";
import { readName } from "../lib/given-name.ts";
import type { Fields } from "../lib/sealed-fields.ts";
import { auditTrail, type AuditTrail } from "../system/audit.ts";
import type { Caller } from "../users/caller.ts";
import type { AccountConfigs } from "./account-configs.ts";
import type { AccountRecord } from "./account.ts";
import type { AccountTest } from "./account-test.ts";
import * as store from "./store.ts";

export interface DomainAccountParts {
  database: Database;
  clock: Clock;
  configs: AccountConfigs;
  accountTest: AccountTest;
  /** The names of what uses an account, so that it cannot be deleted. */
  usersOf: (accountId: number, transaction: Db) => Promise<string[]>;
}

/** What administrators do with accounts at providers of DNS records. */
export class DomainAccounts {
  readonly #parts: DomainAccountParts;
  readonly #db: Db;
  readonly #audit: AuditTrail;

  constructor(parts: DomainAccountParts) {
    this.#parts = parts;
    this.#db = parts.database.db;
    this.#audit = auditTrail("domain_account", parts.clock);
  }

  /** By id. */
  async list(): Promise<DomainAccount[]> {
    return (await store.readAccounts(this.#db)).map((account) => this.#show(account));
  }

  /** @throws AppError not_found */
  async get(id: number): Promise<DomainAccount> {
    return this.#show(await this.#find(id));
  }

  /** @throws AppError invalid_request, name_taken */
  async create(caller: Caller, given: NewDomainAccount): Promise<DomainAccount> {
    const { clock, configs } = this.#parts;
    const { provider } = given;
    const name = readName(given.name, domainLimits.nameLength);
    configs.check(provider, given.config);
    const id = await this.#refuseTakenName(name, async (tx) => {
      const now = clock.now();
      const stored = await store.insertAccount(tx, { name, provider }, now);
      const config = configs.seal(stored, provider, given.config);
      await store.updateAccount(tx, stored, { name, provider, config, updatedAt: now });
      await this.#audit(tx, caller, "domain_account.create", stored, { name, provider });
      return stored;
    });
    return this.get(id);
  }

  /**
   * Changes what is given; what is left out of the config stays, secrets too, unless the provider
   * changes.
   * @throws AppError not_found, invalid_request, name_taken
   */
  async change(caller: Caller, id: number, given: DomainAccountChange): Promise<DomainAccount> {
    const { database, clock } = this.#parts;
    const before = await this.#find(id);
    const name =
      given.name === undefined ? before.name : readName(given.name, domainLimits.nameLength);
    if (Object.keys(given).length === 0) return this.#show(before);
    await this.#refuseTakenName(name, async (tx) => {
      const account = await store.lockAccount(tx, database.dialect, id);
      if (!account) throw noSuchAccount();
      const provider = given.provider ?? account.provider;
      const config = this.#changedConfig(account, given);
      await store.updateAccount(tx, id, { name, provider, config, updatedAt: clock.now() });
      // It may be another place now, which has accepted nothing yet.
      if (config !== account.config) await store.forgetPublished(tx, id);
      const changed = [
        ...(name === account.name ? [] : ["name"]),
        ...(provider === account.provider ? [] : ["provider"]),
        ...Object.keys(given.config ?? {}).map((field) => `config.${field}`),
      ];
      await this.#audit(tx, caller, "domain_account.update", id, { name, changed });
    });
    return this.get(id);
  }

  /** @throws AppError not_found; conflict naming what uses it */
  async remove(caller: Caller, id: number): Promise<void> {
    const { database, usersOf } = this.#parts;
    await this.#db.transaction().execute(async (tx) => {
      const account = await store.lockAccount(tx, database.dialect, id);
      if (!account) throw noSuchAccount();
      const users = await usersOf(id, tx);
      if (users.length > 0) {
        throw new AppError("conflict", `The account is still used by: ${users.join(", ")}`);
      }
      await store.deleteAccount(tx, id);
      await this.#audit(tx, caller, "domain_account.delete", id, { name: account.name });
    });
  }

  /** Only reads at the provider. @throws AppError not_found */
  async test(id: number): Promise<DomainTestAnswer> {
    await this.#find(id);
    return this.#parts.accountTest.run(id);
  }

  /** Whether there is such an account, which then stays until the transaction ends. */
  async hold(id: number, transaction: Db): Promise<boolean> {
    return (await this.providerOf(id, transaction)) !== undefined;
  }

  /** Of such an account, which then stays until the transaction ends; undefined: there is none. */
  async providerOf(id: number, transaction: Db): Promise<ProviderName | undefined> {
    const { dialect } = this.#parts.database;
    return (await store.lockAccount(transaction, dialect, id))?.provider;
  }

  async #find(id: number): Promise<AccountRecord> {
    const account = await store.findAccount(this.#db, id);
    if (!account) throw noSuchAccount();
    return account;
  }

  #changedConfig(account: AccountRecord, given: DomainAccountChange): Fields {
    const { configs } = this.#parts;
    const { provider = account.provider, config = {} } = given;
    const isSame = provider === account.provider;
    if (isSame && given.config === undefined) return account.config;
    const merged = isSame ? configs.merge(account, config) : config;
    configs.check(provider, merged);
    return configs.seal(account.id, provider, merged);
  }

  #show(account: AccountRecord): DomainAccount {
    const { id, name, provider, createdAt, updatedAt } = account;
    return {
      id,
      name,
      provider,
      config: this.#parts.configs.show(account),
      created_at: toIso(createdAt),
      updated_at: toIso(updatedAt),
    };
  }

  #refuseTakenName<T>(name: string, write: (tx: Db) => Promise<T>): Promise<T> {
    const taken = {
      error: `There is a domain account named ${name} already`,
      path: "name",
      message: "is the name of another domain account",
    };
    return refuseTaken(this.#parts.database.dialect, taken, () =>
      this.#db.transaction().execute(write),
    );
  }
}

function noSuchAccount(): AppError {
  return new AppError("not_found", "There is no domain account with this id");
}
