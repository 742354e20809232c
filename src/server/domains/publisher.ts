import type { DomainRecord } from "../../shared/api/domains.ts";
import type { Db } from "../database/database.ts";
import type { Clock } from "../lib/clock.ts";
import type { Exchange } from "../lib/exchange.ts";
import { SealError } from "../lib/sealed-box.ts";
import type { Fields } from "../lib/sealed-fields.ts";
import type { AccountRecord } from "./account.ts";
import { providerOf, type AccountConfigs } from "./account-configs.ts";
import { keyOf, refuseForeign } from "./compare.ts";
import type { DnsTransport } from "./dns-transport.ts";
import { DomainError } from "./domain-error.ts";
import type { RecordResult } from "./publication.ts";
import { publishSets, rehearseSets } from "./publish-sets.ts";
import { publish, rehearse } from "./publish.ts";
import type { PublishedValues } from "./published-values.ts";
import type { TestFinding, Zone } from "./providers/provider.ts";
import type { WantedSet } from "./record-set.ts";
import type { PublicAddress, Render } from "./record.ts";
import * as store from "./store.ts";

export interface PublisherParts {
  db: Db;
  clock: Clock;
  configs: AccountConfigs;
  dns: DnsTransport;
}

/** What is to be said, by whom. */
export interface PublishOrder {
  accountId: number;
  records: readonly DomainRecord[];
  address: PublicAddress;
  previous: PublicAddress | null;
  render: Render;
  /** Whose values these are: others may publish at the same account, under the same name too. */
  publisher: string;
  exchange: Exchange;
}

/** Whole record sets that are to be in step. */
export interface SetOrder {
  accountId: number;
  sets: readonly WantedSet[];
  exchange: Exchange;
}

/** Keeps records of stored accounts in step. Every method throws ProviderError and ExchangeError. */
export class Publisher {
  readonly #parts: PublisherParts;

  constructor(parts: PublisherParts) {
    this.#parts = parts;
  }

  async publish(order: PublishOrder): Promise<RecordResult[]> {
    return publish(await this.#publication(order));
  }

  /** What `publish` would do; it only reads. */
  async rehearse(order: PublishOrder): Promise<RecordResult[]> {
    return rehearse(await this.#publication(order));
  }

  async publishSets(order: SetOrder): Promise<RecordResult[]> {
    return publishSets(await this.#setPublication(order));
  }

  /** What `publishSets` would do; it only reads. */
  async rehearseSets(order: SetOrder): Promise<RecordResult[]> {
    return rehearseSets(await this.#setPublication(order));
  }

  /**
   * What a look at the provider shows; it only reads.
   * @param records that the account is to hold
   */
  async test(
    accountId: number,
    exchange: Exchange,
    records: readonly DomainRecord[] = [],
  ): Promise<TestFinding> {
    const account = await this.#get(accountId);
    const zone = this.#open(account, exchange);
    const provider = providerOf(account.provider);
    for (const record of records) refuseForeign({ zone, provider }, keyOf(record));
    return zone.test();
  }

  async #publication({ accountId, exchange, ...order }: PublishOrder) {
    const account = await this.#get(accountId);
    const zone = this.#open(account, exchange);
    // Where nothing can be read, the last value is everybody's.
    const publisher = zone.read ? order.publisher : "";
    const memory = this.#memory(accountId, publisher);
    return { ...order, provider: providerOf(account.provider), zone, memory };
  }

  async #setPublication({ accountId, exchange, sets }: SetOrder) {
    const account = await this.#get(accountId);
    const provider = providerOf(account.provider);
    return { provider, zone: this.#open(account, exchange), sets };
  }

  async #get(id: number): Promise<AccountRecord> {
    const account = await store.findAccount(this.#parts.db, id);
    if (account) return account;
    const sentence = `There is no domain account with the id ${id}`;
    throw new DomainError("permanent", "no_domain_account", sentence);
  }

  #open(account: AccountRecord, exchange: Exchange): Zone {
    const { configs, clock, dns } = this.#parts;
    const config = openConfig(configs, account);
    exchange.hide(configs.secretsOf(account.provider, config));
    return providerOf(account.provider).open(config, { exchange, dns, now: () => clock.now() });
  }

  #memory(accountId: number, publisher: string): PublishedValues {
    const { db, clock } = this.#parts;
    return {
      find: (name, type) => store.findPublished(db, { accountId, publisher, name, type }),
      remember: (name, type, value) =>
        store.putPublished(db, { accountId, publisher, name, type }, value, clock.now()),
    };
  }
}

function openConfig(configs: AccountConfigs, account: AccountRecord): Fields {
  try {
    return configs.open(account);
  } catch (error) {
    if (error instanceof SealError) throw new DomainError("permanent", "sealed", error.message);
    throw error;
  }
}
