import type { DomainRecord, ProviderName } from "../../src/shared/api/domains.ts";
import { providerOf } from "../../src/server/domains/account-configs.ts";
import { DnsTransport, type DnsPatience } from "../../src/server/domains/dns-transport.ts";
import type { RecordResult } from "../../src/server/domains/publication.ts";
import { publishSets } from "../../src/server/domains/publish-sets.ts";
import { publish, rehearse } from "../../src/server/domains/publish.ts";
import type { TestFinding } from "../../src/server/domains/providers/provider.ts";
import type { WantedSet } from "../../src/server/domains/record-set.ts";
import type { PublicAddress } from "../../src/server/domains/record.ts";
import type { Fields } from "../../src/server/lib/sealed-fields.ts";
import type { StageRecord } from "../../src/server/lib/stage-record.ts";
import type { OutgoingHttp } from "../../src/server/lib/outgoing-http.ts";
import { openOutgoing } from "./outgoing.ts";

export const CURRENT: PublicAddress = { publicIp: "203.0.113.9", publicPort: 50_234 };
export const PREVIOUS: PublicAddress = { publicIp: "198.51.100.7", publicPort: 50_001 };
export const IPV6: PublicAddress = { publicIp: "2001:db8::9", publicPort: 50_234 };

export interface Attempt {
  results: RecordResult[];
  stages: readonly StageRecord[];
}

interface Given {
  address?: PublicAddress;
  previous?: PublicAddress | null;
  /** Milliseconds since 1970. */
  now?: () => number;
}

/** Publishes at one provider as the service does, with a memory of its own. */
export class DomainPublishing {
  readonly memory = new Map<string, string>();
  readonly #http: OutgoingHttp;
  readonly #dns: DnsTransport;
  readonly #provider: ProviderName;
  readonly #config: Fields;

  /** @param names what names lead to which addresses */
  constructor(
    provider: ProviderName,
    config: Fields,
    patience?: DnsPatience,
    names: Record<string, string[]> = {},
  ) {
    this.#http = openOutgoing({ names }).http;
    this.#dns = new DnsTransport(this.#http.egress, patience);
    this.#provider = provider;
    this.#config = config;
  }

  publish(records: readonly DomainRecord[], given: Given = {}): Promise<Attempt> {
    return this.#attempt(publish, records, given);
  }

  rehearse(records: readonly DomainRecord[], given: Given = {}): Promise<Attempt> {
    return this.#attempt(rehearse, records, given);
  }

  publishSets(sets: readonly WantedSet[]): Promise<RecordResult[]> {
    const { zone } = this.#open(Date.now);
    return publishSets({ provider: providerOf(this.#provider), zone, sets });
  }

  test(now: () => number = Date.now): Promise<TestFinding> {
    return this.#open(now).zone.test();
  }

  close(): Promise<void> {
    return this.#http.stop();
  }

  async #attempt(
    work: typeof publish,
    records: readonly DomainRecord[],
    { address = CURRENT, previous = PREVIOUS, now = Date.now }: Given,
  ): Promise<Attempt> {
    const { zone, exchange } = this.#open(now);
    const results = await work({
      provider: providerOf(this.#provider),
      zone,
      records,
      address,
      previous,
      render: (template, { publicIp, publicPort }) =>
        template.replace("{{public_ip}}", publicIp).replace("{{public_port}}", String(publicPort)),
      memory: {
        find: async (name, type) => this.memory.get(`${name} ${type}`),
        remember: async (name, type, value) => void this.memory.set(`${name} ${type}`, value),
      },
    });
    return { results, stages: exchange.records };
  }

  #open(now: () => number) {
    const exchange = this.#http.exchange([], new AbortController().signal);
    const context = { exchange, dns: this.#dns, now };
    return { exchange, zone: providerOf(this.#provider).open(this.#config, context) };
  }
}
