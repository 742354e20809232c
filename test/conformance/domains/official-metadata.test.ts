import { Ajv } from "ajv";
import { expect, test } from "vitest";
import type { DomainRecord } from "../../../src/shared/api/domains.ts";
import { DomainPublishing } from "../../support/domain-publishing.ts";
import { FakeAlidns } from "../../support/fake-alidns.ts";
import { FakeCloudflareDns } from "../../support/fake-cloudflare-dns.ts";
import { FakeDnspod } from "../../support/fake-dnspod.ts";
import { describeWithMetadata, readMetadata } from "../../support/official-metadata.ts";

type Json = Record<string, unknown>;

interface RecordSchema {
  allOf: { properties?: Json }[];
  required: string[];
}

const ZONE = "example.com";
const seeds = [{ name: "old.example.com", type: "A", ttl: 600, value: "192.0.2.1" }];
const records: DomainRecord[] = [
  { name: "old.example.com", type: "A" },
  { name: "new.example.com", type: "A", ttl: 600 },
  { name: "new.example.com", type: "AAAA", ip4p: true },
  { name: "new.example.com", type: "TXT" },
  { name: "_x._tcp.example.com", type: "SRV", target: "new.example.com" },
  { name: "new.example.com", type: "HTTPS", alpn: "h2" },
];

async function publishAll(publishing: DomainPublishing): Promise<void> {
  const { results } = await publishing.publish(records);
  expect(results.map(({ result }) => result)).toEqual(records.map(() => "updated"));
  await publishing.test();
  await publishing.close();
}

describeWithMetadata("the providers of DNS records", () => {
  test("the records that are sent to Cloudflare are of its types", async () => {
    const { components } = readMetadata("cloudflare-openapi-subset-2024-08-06.json") as {
      components: { schemas: Record<string, RecordSchema> };
    };
    const ajv = new Ajv({ strict: false, validateFormats: false });
    ajv.addSchema({ $id: "official", components: withoutRequired(components) });
    const fake = await FakeCloudflareDns.listen(seeds);
    const { token: api_token, zoneId: zone_id, baseUrl: base_url } = fake;
    await publishAll(new DomainPublishing("cloudflare", { api_token, zone_id, base_url }));
    await fake.server.close();
    expect(fake.server.writes.map(({ method }) => method)).toEqual([
      "PATCH",
      ...Array<string>(5).fill("POST"),
    ]);
    for (const { body } of fake.server.writes) {
      const sent = JSON.parse(body.toString()) as Json;
      const name = `dns-records_${String(sent["type"])}Record`;
      const { allOf, required } = components.schemas[name] ?? { allOf: [], required: [] };
      const isRecord = ajv.getSchema(`official#/components/schemas/${name}`);
      expect([isRecord?.(sent), isRecord?.errors]).toEqual([true, null]);
      expect(Object.keys(sent)).toEqual(expect.arrayContaining(required));
      const own = allOf.flatMap(({ properties = {} }) => Object.entries(properties));
      const readOnly = own.filter(([, each]) => (each as Json)["readOnly"] === true);
      for (const [field] of readOnly) expect(sent).not.toHaveProperty(field);
    }
  });

  test("the calls to AliDNS have the methods and parameters that are described", async () => {
    interface Call {
      method: string;
      parameters: { name: string; position: string; required: boolean }[];
    }
    const { apis } = readMetadata("aliyun-meta/alidns.json") as { apis: Record<string, Call> };
    const fake = await FakeAlidns.listen(ZONE, Date.now, seeds);
    const key = { access_key_id: fake.key.id, access_key_secret: fake.key.secret };
    const config = { ...key, domain: ZONE, base_url: fake.server.url };
    await publishAll(new DomainPublishing("alidns", config));
    await fake.server.close();
    const seen = new Set<string>();
    for (const { message, method, url } of fake.server.received) {
      const action = String(message.headers["x-acs-action"]);
      seen.add(action);
      const described = apis[action];
      expect(described?.method.split("|")).toContain(method);
      const sent = [...url.searchParams.keys()];
      const known = described?.parameters.filter(({ position }) => position === "Query") ?? [];
      expect(known.map(({ name }) => name)).toEqual(expect.arrayContaining(sent));
      const due = known.filter(({ required }) => required).map(({ name }) => name);
      expect(sent).toEqual(expect.arrayContaining(due));
    }
    expect([...seen].toSorted()).toEqual([
      "AddDomainRecord",
      "DescribeDomainRecords",
      "DescribeSubDomainRecords",
      "UpdateDomainRecord",
    ]);
  });

  test("the calls to DNSPod have the fields that are described", async () => {
    interface Member {
      name: string;
      type: string;
      required?: boolean;
    }
    const { actions, objects } = readMetadata("tencent-dnspod-20210323-subset-api.json") as {
      actions: Record<string, { input: string }>;
      objects: Record<string, { members: Member[] }>;
    };
    const fake = await FakeDnspod.listen(ZONE, Date.now, seeds);
    const key = { secret_id: fake.key.id, secret_key: fake.key.secret };
    await publishAll(
      new DomainPublishing("dnspod", { ...key, domain: ZONE, base_url: fake.server.url }),
    );
    await fake.server.close();
    const jsTypes: Json = { int: "number", string: "string" };
    const seen = new Set<string>();
    for (const { message, body } of fake.server.received) {
      const action = String(message.headers["x-tc-action"]);
      seen.add(action);
      const { members } = objects[actions[action]?.input ?? ""] ?? { members: [] };
      const sent = JSON.parse(body.toString()) as Json;
      const due = members.filter(({ required }) => required === true).map(({ name }) => name);
      expect(Object.keys(sent)).toEqual(expect.arrayContaining(due));
      const types = new Map(members.map(({ name, type }) => [name, jsTypes[type]]));
      const given = Object.entries(sent).map(([name, value]) => [name, typeof value]);
      expect(given).toEqual(Object.keys(sent).map((name) => [name, types.get(name)]));
    }
    expect([...seen].toSorted()).toEqual(["CreateRecord", "DescribeRecordList", "ModifyRecord"]);
  });
});

/** Fields that only answers have are required in the description, too. */
function withoutRequired(value: unknown): unknown {
  if (typeof value !== "object" || value === null) return value;
  if (Array.isArray(value)) return value.map(withoutRequired);
  return Object.fromEntries(
    Object.entries(value)
      .filter(([name, each]) => name !== "required" || !Array.isArray(each))
      .map(([name, each]) => [name, withoutRequired(each)]),
  );
}
