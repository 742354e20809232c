import type { ProviderName } from "../../shared/api/domains.ts";
import type { Database, Db } from "../database/database.ts";
import type { Clock } from "../lib/clock.ts";
import type { OutgoingHttp } from "../lib/outgoing-http.ts";
import type { SealedBox } from "../lib/sealed-box.ts";
import { AccountConfigs } from "./account-configs.ts";
import { AccountTest } from "./account-test.ts";
import { DnsTransport } from "./dns-transport.ts";
import { Publisher } from "./publisher.ts";
import { DomainAccounts } from "./service.ts";

export interface DomainGround {
  database: Database;
  clock: Clock;
  http: OutgoingHttp;
  box: SealedBox;
  /** The names of what uses an account. */
  usersOf: (accountId: number, transaction: Db) => Promise<string[]>;
}

/** Accounts at providers of DNS records, and what keeps their records in step. */
export interface Domains extends Pick<
  Publisher,
  "publish" | "rehearse" | "publishSets" | "rehearseSets" | "test"
> {
  accounts: DomainAccounts;
  /** Of such an account, which then stays until the transaction ends; undefined: there is none. */
  providerOf(accountId: number, transaction: Db): Promise<ProviderName | undefined>;
  /** Whether there is such an account, which then stays until the transaction ends. */
  hold(accountId: number, transaction: Db): Promise<boolean>;
}

export function assembleDomains({ database, clock, http, box, usersOf }: DomainGround): Domains {
  const configs = new AccountConfigs(box);
  const dns = new DnsTransport(http.egress);
  const publisher = new Publisher({ db: database.db, clock, configs, dns });
  const accountTest = new AccountTest(publisher, http);
  const accounts = new DomainAccounts({ database, clock, configs, accountTest, usersOf });
  return {
    accounts,
    publish: (order) => publisher.publish(order),
    rehearse: (order) => publisher.rehearse(order),
    publishSets: (order) => publisher.publishSets(order),
    rehearseSets: (order) => publisher.rehearseSets(order),
    test: (id, exchange, records) => publisher.test(id, exchange, records),
    providerOf: (id, transaction) => accounts.providerOf(id, transaction),
    hold: (id, transaction) => accounts.hold(id, transaction),
  };
}
