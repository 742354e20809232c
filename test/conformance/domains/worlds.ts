import type { ProviderName } from "../../../src/shared/api/domains.ts";
import type { Fields } from "../../../src/server/lib/sealed-fields.ts";
import { BindServer, powerlessKey, updateKey } from "../../support/bind-server.ts";
import { queryDns, type DnsValue } from "../../support/dns-query.ts";
import { FakeAlidns, type AlidnsRecord } from "../../support/fake-alidns.ts";
import { FakeCloudflareDns, type CloudflareRecord } from "../../support/fake-cloudflare-dns.ts";
import { FakeDesec } from "../../support/fake-desec.ts";
import { FakeDnspod, type DnspodRecord } from "../../support/fake-dnspod.ts";
import { API_KEY, PowerdnsServer } from "../../support/powerdns-server.ts";
import { ZONE, type ZoneRecord } from "../../support/zone-file.ts";

/** A provider's server that holds a zone, seen by other means than those under test. */
export interface ZoneWorld {
  provider: ProviderName;
  config: Fields;
  /** The same with a key that the server does not take. */
  wrongKey: Fields;
  /** The same with a zone that the server does not hold. */
  wrongZone: Fields;
  /** Whether the server is a real one. */
  isReal: boolean;
  /** The values of a set, as a zone file has them. */
  look(name: string, type: string): Promise<DnsValue[]>;
  /** Requests that may have changed something; undefined where nobody counts. */
  writes: (() => number) | undefined;
  stop(): Promise<void>;
}

type Open = (records: readonly ZoneRecord[]) => Promise<ZoneWorld>;

const OTHER_ZONE = "example.net";

const openBind: Open = async (records) => {
  const server = await BindServer.start({ records });
  const config = {
    server: `127.0.0.1:${server.port}`,
    zone: ZONE,
    key_name: updateKey.name,
    key_secret: updateKey.secret,
  };
  return {
    provider: "rfc2136",
    config,
    wrongKey: { ...config, key_secret: powerlessKey.secret },
    wrongZone: { ...config, zone: OTHER_ZONE },
    isReal: true,
    look: (name, type) => queryDns(server.port, name, type),
    writes: undefined,
    stop: () => server.stop(),
  };
};

const openPowerdns: Open = async (records) => {
  const server = await PowerdnsServer.start({ records });
  const config = { base_url: server.apiUrl, api_key: API_KEY, zone: ZONE };
  return {
    provider: "powerdns",
    config,
    wrongKey: { ...config, api_key: "another-key-0123456789" },
    wrongZone: { ...config, zone: OTHER_ZONE },
    isReal: true,
    look: (name, type) => queryDns(server.port, name, type),
    writes: undefined,
    stop: () => server.stop(),
  };
};

const openCloudflare: Open = async (records) => {
  const fake = await FakeCloudflareDns.listen(records);
  const config = { api_token: fake.token, zone_id: fake.zoneId, base_url: fake.baseUrl };
  return {
    provider: "cloudflare",
    config,
    wrongKey: { ...config, api_token: "cf-another-token-012345" },
    wrongZone: { ...config, zone_id: "fedcba9876543210fedcba9876543210" },
    isReal: false,
    look: async (name, type) =>
      fake.records
        .filter((each) => each.name === name && each.type === type)
        .map((each) => ({ ttl: each.ttl, value: ofCloudflare(each) })),
    writes: () => fake.server.writes.length,
    stop: () => fake.server.close(),
  };
};

const openAlidns: Open = async (records) => {
  const fake = await FakeAlidns.listen(ZONE, Date.now, records);
  const config = {
    access_key_id: fake.key.id,
    access_key_secret: fake.key.secret,
    domain: ZONE,
    base_url: fake.server.url,
  };
  return {
    provider: "alidns",
    config,
    wrongKey: { ...config, access_key_secret: "another-secret-0123456789" },
    wrongZone: { ...config, domain: OTHER_ZONE },
    isReal: false,
    look: async (name, type) =>
      fake.records
        .filter((each) => `${each.RR}.${ZONE}` === name && each.Type === type)
        .map((each: AlidnsRecord) => ({ ttl: each.TTL, value: toZoneText(type, each.Value) })),
    writes: () => fake.server.writes.length,
    stop: () => fake.server.close(),
  };
};

const openDnspod: Open = async (records) => {
  const fake = await FakeDnspod.listen(ZONE, Date.now, records);
  const config = {
    secret_id: fake.key.id,
    secret_key: fake.key.secret,
    domain: ZONE,
    base_url: fake.server.url,
  };
  return {
    provider: "dnspod",
    config,
    wrongKey: { ...config, secret_key: "another-secret-0123456789" },
    wrongZone: { ...config, domain: OTHER_ZONE },
    isReal: false,
    look: async (name, type) =>
      fake.records
        .filter((each) => `${each.Name}.${ZONE}` === name && each.Type === type)
        .map((each) => ({ ttl: each.TTL, value: ofDnspod(each) })),
    writes: () =>
      fake.server.received.filter(({ message }) => {
        const action = String(message.headers["x-tc-action"]);
        return !action.startsWith("Describe");
      }).length,
    stop: () => fake.server.close(),
  };
};

const openDesec: Open = async (records) => {
  const fake = await FakeDesec.listen(ZONE, records);
  const config = { token: fake.token, domain: ZONE, base_url: fake.baseUrl };
  return {
    provider: "desec",
    config,
    wrongKey: { ...config, token: "another-token-0123456789" },
    wrongZone: { ...config, domain: OTHER_ZONE },
    isReal: false,
    look: async (name, type) => {
      const set = fake.find(name.slice(0, -ZONE.length - 1), type);
      return (set?.records ?? []).map((value) => ({ ttl: set?.ttl ?? 0, value }));
    },
    writes: () => fake.server.writes.length,
    stop: () => fake.server.close(),
  };
};

function ofCloudflare({ type, content, data = {} }: CloudflareRecord): string {
  if (type !== "SRV") return type === "TXT" ? content : content.replaceAll('"', "");
  const words = ["priority", "weight", "port", "target"].map((name) => String(data[name]));
  return `${words.join(" ")}.`;
}

function ofDnspod({ Type, Value, MX }: DnspodRecord): string {
  return Type === "HTTPS" || Type === "SVCB" ? `${MX} ${Value}` : toZoneText(Type, Value);
}

function toZoneText(type: string, value: string): string {
  if (type === "TXT") return `"${value}"`;
  return type === "SRV" ? `${value}.` : value;
}

/** Every provider whose records can be read. */
export const worlds: readonly (readonly [name: string, open: Open])[] = [
  ["rfc2136 (BIND 9)", openBind],
  ["powerdns (PowerDNS)", openPowerdns],
  ["cloudflare", openCloudflare],
  ["alidns", openAlidns],
  ["dnspod", openDnspod],
  ["desec", openDesec],
];
