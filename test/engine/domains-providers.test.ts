import { afterEach, describe, expect, test } from "vitest";
import type { DomainRecord, ProviderName } from "../../src/shared/api/domains.ts";
import type { Fields } from "../../src/server/lib/sealed-fields.ts";
import { CURRENT, DomainPublishing, IPV6, PREVIOUS } from "../support/domain-publishing.ts";
import { FakeAlidns } from "../support/fake-alidns.ts";
import { FakeCloudflareDns } from "../support/fake-cloudflare-dns.ts";
import { FakeDesec } from "../support/fake-desec.ts";
import { FakeDnspod } from "../support/fake-dnspod.ts";
import { FakeDuckdns } from "../support/fake-duckdns.ts";
import { FakeDyndns2 } from "../support/fake-dyndns2.ts";
import type { ProviderServer } from "../support/provider-server.ts";

const closing: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const close of closing.splice(0)) await close();
});

function open<F extends { server: ProviderServer }>(
  fake: F,
  provider: ProviderName,
  config: Fields,
): { fake: F; publishing: DomainPublishing } {
  const publishing = new DomainPublishing(provider, config);
  closing.push(
    () => publishing.close(),
    () => fake.server.close(),
  );
  return { fake, publishing };
}

const A = (name = "home"): DomainRecord => ({ name: `${name}.example.com`, type: "A" });
const errorOf = async (publishing: DomainPublishing, records: DomainRecord[] = [A()]) =>
  (await publishing.publish(records)).results.find(({ error }) => error)?.error;

const openCloudflare = async () => {
  const fake = await FakeCloudflareDns.listen();
  const config = { api_token: fake.token, zone_id: fake.zoneId, base_url: fake.baseUrl };
  return open(fake, "cloudflare", config);
};

const openAlidns = async () => {
  const fake = await FakeAlidns.listen("example.com", Date.now);
  const key = { access_key_id: fake.key.id, access_key_secret: fake.key.secret };
  return open(fake, "alidns", { ...key, domain: "Example.COM.", base_url: fake.server.url });
};

const openDnspod = async () => {
  const fake = await FakeDnspod.listen("example.com", Date.now);
  const key = { secret_id: fake.key.id, secret_key: fake.key.secret };
  return open(fake, "dnspod", { ...key, domain: "example.com", base_url: fake.server.url });
};

const openDesec = async () => {
  const fake = await FakeDesec.listen("example.com");
  const config = { token: fake.token, domain: "example.com", base_url: fake.baseUrl };
  return open(fake, "desec", config);
};

const openDyndns2 = async (change: Fields = {}) => {
  const fake = await FakeDyndns2.listen();
  const account = { username: fake.user, password: fake.password };
  const config = { base_url: fake.server.url, ...account, ...change };
  return open(fake, "dyndns2", config);
};

const openDuckdns = async (change: Fields = {}) => {
  const fake = await FakeDuckdns.listen();
  return open(fake, "duckdns", { token: fake.token, base_url: fake.server.url, ...change });
};

const duck = (type: DomainRecord["type"], rest: Partial<DomainRecord> = {}) => ({
  name: "home.duckdns.org",
  type,
  ...rest,
});

describe("Cloudflare", () => {
  test("keeps what else a record holds, the proxy's own TTL too", async () => {
    const { fake, publishing } = await openCloudflare();
    const kept = { proxied: true, comment: "the NAS", tags: ["home:yes"], ttl: 1 };
    const record = fake.add({ name: "home.example.com", content: PREVIOUS.publicIp, ...kept });
    const { results } = await publishing.publish([{ ...A(), ttl: 300 }]);
    expect(results[0]?.result).toBe("updated");
    expect(record).toMatchObject({ content: CURRENT.publicIp, ...kept });
    expect(JSON.parse(fake.server.writes[0]?.body.toString() ?? "")).toEqual({
      type: "A",
      name: "home.example.com",
      content: CURRENT.publicIp,
      ttl: 1,
    });
    expect((await publishing.publish([{ ...A(), ttl: 300 }])).results[0]?.result).toBe("current");
  });

  test("reads texts with and without quotes", async () => {
    const { fake, publishing } = await openCloudflare();
    const content = `${CURRENT.publicIp}:${CURRENT.publicPort}`;
    const record = fake.add({ name: "home.example.com", type: "TXT", content });
    const text: DomainRecord = { name: "home.example.com", type: "TXT" };
    expect((await publishing.publish([text])).results[0]?.result).toBe("current");
    record.content = `"${content}"`;
    expect((await publishing.publish([text])).results[0]?.result).toBe("current");
    expect(fake.server.writes).toEqual([]);
  });

  test("says the code, and waits as long as it is told", async () => {
    const { fake, publishing } = await openCloudflare();
    const body = { success: false, errors: [{ code: 971, message: "slow down" }] };
    fake.server.failNext({ status: 429, headers: { "retry-after": "77" }, body });
    const { results, stages } = await publishing.publish([A(), A("more")]);
    expect(results[0]?.error).toMatchObject({
      kind: "transient",
      errorClass: "cloudflare_971",
      httpStatus: 429,
      retryAfterMs: 77_000,
    });
    // Nothing more is asked of whom it is too much already.
    expect(stages).toHaveLength(1);
    expect(results[1]?.error?.errorClass).toBe("cloudflare_971");
  });

  test("is not believed when it accepts a change and shows another value", async () => {
    const { fake, publishing } = await openCloudflare();
    fake.server.failNext(undefined, {
      status: 200,
      body: { success: true, errors: [], result: {} },
    });
    expect(await errorOf(publishing)).toMatchObject({
      kind: "transient",
      errorClass: "not_taken",
      message: "The provider accepted the change and still shows nothing",
    });
    expect(publishing.memory.size).toBe(0);
  });

  test("one record that fails keeps the others from nothing", async () => {
    const { fake, publishing } = await openCloudflare();
    const { results } = await publishing.publish([{ ...A("a"), ttl: 7 }, A("b")]);
    expect(results.map(({ result }) => result)).toEqual(["failed", "updated"]);
    expect(results[0]).toMatchObject({
      before: [],
      after: [],
      error: { kind: "permanent", errorClass: "cloudflare_9021" },
    });
    expect(fake.records.map(({ name }) => name)).toEqual(["b.example.com"]);
  });
});

describe("AliDNS", () => {
  test("keeps TTL, line, state and remark, which an update would set back", async () => {
    const { fake, publishing } = await openAlidns();
    const kept = { TTL: 120, Line: "telecom", Status: "DISABLE", Remark: "NAS" } as const;
    const record = fake.add({ RR: "home", Value: "192.0.2.1", ...kept });
    await publishing.publish([A()]);
    expect(record).toMatchObject({ Value: CURRENT.publicIp, ...kept });
  });

  test("changes what was published before on every line", async () => {
    const { fake, publishing } = await openAlidns();
    fake.add({ RR: "home", Value: PREVIOUS.publicIp });
    fake.add({ RR: "home", Value: PREVIOUS.publicIp, Line: "telecom" });
    fake.add({ RR: "home", Value: "192.0.2.9", Line: "unicom" });
    await publishing.publish([A()]);
    expect(fake.records.map(({ Value, Line }) => [Line, Value])).toEqual([
      ["default", CURRENT.publicIp],
      ["telecom", CURRENT.publicIp],
      ["unicom", "192.0.2.9"],
    ]);
  });

  test("names the zone itself @", async () => {
    const { fake, publishing } = await openAlidns();
    const { results } = await publishing.publish([{ name: "example.com", type: "A" }]);
    expect(results[0]?.result).toBe("updated");
    expect(fake.records).toMatchObject([{ RR: "@", Value: CURRENT.publicIp, TTL: 600 }]);
  });

  test("a refusal because the value is there already counts once it has been read", async () => {
    const { fake, publishing } = await openAlidns();
    const record = fake.add({ RR: "home", Value: "192.0.2.1" });
    const duplicate = { status: 400, body: { Code: "DomainRecordDuplicate", Message: "" } };
    fake.server.failNext(undefined, duplicate);
    expect((await errorOf(publishing))?.errorClass).toBe("not_taken");
    fake.server.failNext(undefined, duplicate);
    fake.server.answer = after(1, fake.server, () => (record.Value = CURRENT.publicIp));
    expect((await publishing.publish([A()])).results[0]?.result).toBe("updated");
  });

  test.each([
    ["Throttling.User", 400, "transient"],
    ["ServiceUnavailable", 503, "transient"],
    ["NoPermission", 403, "permanent"],
  ])("%s with %i is %s", async (Code, status, kind) => {
    const { fake, publishing } = await openAlidns();
    fake.server.failNext({ status, body: { Code, Message: "", RequestId: "1" } });
    expect(await errorOf(publishing)).toMatchObject({ kind, errorClass: Code });
  });
});

describe("DNSPod", () => {
  test("keeps TTL, line, state, weight and remark, which a change would set back", async () => {
    const { fake, publishing } = await openDnspod();
    const line = { Line: "联通", LineId: "10=1" };
    const kept = { ...line, TTL: 120, Status: "DISABLE", Weight: 20, Remark: "NAS" };
    const record = fake.add({ Name: "home", Value: "192.0.2.1", ...kept });
    await publishing.publish([A()]);
    expect(record).toMatchObject({ Value: CURRENT.publicIp, Name: "home", ...kept });
  });

  test("an empty list that comes as an error is an empty list", async () => {
    const { fake, publishing } = await openDnspod();
    fake.isStrict = true;
    expect((await publishing.publish([A()])).results[0]?.result).toBe("updated");
    expect(fake.records).toMatchObject([{ Name: "home", Value: CURRENT.publicIp, LineId: "0" }]);
  });

  test("the priority of a service stands in a field of its own", async () => {
    const { fake, publishing } = await openDnspod();
    const record: DomainRecord = { name: "home.example.com", type: "HTTPS", priority: 3 };
    await publishing.publish([record]);
    expect(fake.records).toMatchObject([{ MX: 3, Value: `. port=${CURRENT.publicPort}` }]);
    expect((await publishing.publish([record])).results[0]?.result).toBe("current");
  });

  test.each([
    ["RequestLimitExceeded", "transient"],
    ["InternalError.DbError", "transient"],
    ["AuthFailure.SecretIdNotFound", "permanent"],
    ["InvalidParameter.RecordValueInvalid", "permanent"],
  ])("%s, which comes with 200, is %s", async (Code, kind) => {
    const { fake, publishing } = await openDnspod();
    const Response = { Error: { Code, Message: "" }, RequestId: "1" };
    fake.server.failNext({ status: 200, body: { Response } });
    expect(await errorOf(publishing)).toMatchObject({ kind, errorClass: Code });
  });
});

describe("deSEC", () => {
  test("several records are one write, new ones with the shortest TTL", async () => {
    const { fake, publishing } = await openDesec();
    const { results } = await publishing.publish([A("a"), { name: "example.com", type: "TXT" }]);
    expect(results.map(({ result }) => result)).toEqual(["updated", "updated"]);
    expect(fake.server.writes).toHaveLength(1);
    expect(fake.sets).toEqual([
      { subname: "a", type: "A", ttl: 3600, records: [CURRENT.publicIp] },
      { subname: "", type: "TXT", ttl: 3600, records: ['"203.0.113.9:50234"'] },
    ]);
  });

  test("a TTL below the shortest refuses the whole, and says why", async () => {
    const { fake, publishing } = await openDesec();
    const { results } = await publishing.publish([{ ...A("a"), ttl: 60 }, A("b")]);
    expect(results.map(({ error }) => error?.errorClass)).toEqual(["http_400", "http_400"]);
    expect(results[0]?.error?.message).toContain("greater than or equal to 3600");
    expect(fake.sets).toEqual([]);
  });

  test("is left alone for as long as it asks for", async () => {
    const { fake, publishing } = await openDesec();
    const body = { detail: "Request was throttled." };
    fake.server.failNext({ status: 429, headers: { "retry-after": "300" }, body });
    expect(await errorOf(publishing)).toMatchObject({ kind: "transient", retryAfterMs: 300_000 });
  });
});

describe("DynDNS2", () => {
  test("is called once for a value, and again for the next", async () => {
    const { fake, publishing } = await openDyndns2();
    expect((await publishing.publish([A()])).results).toMatchObject([
      { result: "updated", before: null, after: [CURRENT.publicIp] },
    ]);
    expect((await publishing.publish([A()])).results).toMatchObject([
      { result: "current", before: [CURRENT.publicIp] },
    ]);
    expect(fake.updates).toHaveLength(1);
    expect(fake.updates[0]?.message.headers["user-agent"]).toMatch(/^Waypost\//);
    await publishing.publish([A()], { address: PREVIOUS });
    expect(fake.addresses.get("home.example.com A")).toBe(PREVIOUS.publicIp);
  });

  test("each family is an update of its own, IP4P too", async () => {
    const { fake, publishing } = await openDyndns2();
    const six: DomainRecord = { name: "six.example.com", type: "AAAA", ip4p: true };
    await publishing.publish([A(), six]);
    await publishing.publish([{ name: "home.example.com", type: "AAAA" }], { address: IPV6 });
    expect(Object.fromEntries(fake.addresses)).toEqual({
      "home.example.com A": CURRENT.publicIp,
      "home.example.com AAAA": IPV6.publicIp,
      "six.example.com AAAA": "2001::c43a:cb00:7109",
    });
  });

  test("holds addresses only", async () => {
    const { fake, publishing } = await openDyndns2();
    const error = await errorOf(publishing, [{ name: "home.example.com", type: "TXT" }]);
    expect(error).toMatchObject({ kind: "permanent", errorClass: "type_not_supported" });
    expect(fake.server.received).toEqual([]);
  });

  test.each([
    ["badauth", "permanent", 1, undefined],
    ["!donator", "permanent", 1, undefined],
    ["notfqdn", "permanent", 2, undefined],
    ["nohost", "permanent", 2, undefined],
    ["numhost", "permanent", 2, undefined],
    ["abuse", "permanent", 1, undefined],
    ["badagent", "permanent", 1, undefined],
    ["dnserr", "transient", 1, 1_800_000],
    ["911", "transient", 1, 1_800_000],
  ])("%s with 200 is %s, after %i calls for two hosts", async (word, kind, calls, retryAfterMs) => {
    const { fake, publishing } = await openDyndns2();
    fake.word = `${word}\n`;
    const error = await errorOf(publishing, [A(), A("six")]);
    expect(error).toMatchObject({ kind, errorClass: word, httpStatus: 200 });
    expect(error?.retryAfterMs).toBe(retryAfterMs);
    expect(fake.updates).toHaveLength(calls);
    expect(publishing.memory.size).toBe(0);
  });

  test("a wrong password is known by its status, too, and is on no record", async () => {
    const { publishing } = await openDyndns2({ password: "not-the-password" });
    const { results, stages } = await publishing.publish([A()]);
    expect(results[0]?.error).toMatchObject({ kind: "permanent", errorClass: "badauth" });
    expect(stages[0]?.request_headers["authorization"]).toBe("[redacted]");
  });

  test("another address than ours is no success, and a page of something else is none", async () => {
    const { fake, publishing } = await openDyndns2();
    fake.word = "good 192.0.2.77";
    expect((await errorOf(publishing))?.errorClass).toBe("another_address");
    fake.word = "<html>good 203.0.113.9";
    expect((await errorOf(publishing))?.errorClass).toBe("http_200");
    fake.word = `good 2001:db8::1,${CURRENT.publicIp}`;
    expect(await errorOf(publishing)).toBeUndefined();
  });

  test("its test asks for no update", async () => {
    const { fake, publishing } = await openDyndns2();
    expect(await publishing.test()).toMatchObject({ ok: true, details: { http_status: 200 } });
    expect(fake.updates).toEqual([]);
  });
});

describe("Duck DNS", () => {
  test("is told addresses of both families and a text, each once", async () => {
    const { fake, publishing } = await openDuckdns();
    const records = [duck("A"), duck("AAAA", { ip4p: true }), duck("TXT")];
    await publishing.publish(records);
    await publishing.publish(records);
    expect(Object.fromEntries(fake.values)).toEqual({
      "home A": CURRENT.publicIp,
      "home AAAA": "2001::c43a:cb00:7109",
      "home TXT": `${CURRENT.publicIp}:${CURRENT.publicPort}`,
    });
    expect(fake.updates).toHaveLength(3);
  });

  test("KO with 200 is a failure for good, and the token is on no record", async () => {
    const { fake, publishing } = await openDuckdns({ token: "another-token-0123456789" });
    const { results, stages } = await publishing.publish([duck("A"), duck("TXT")]);
    expect(results.map(({ error }) => error?.errorClass)).toEqual(["KO", "KO"]);
    expect(results[0]?.error?.kind).toBe("permanent");
    expect(fake.updates).toHaveLength(1);
    expect(JSON.stringify(stages)).not.toContain("another-token-0123456789");
  });

  test("what is neither OK nor KO is no success", async () => {
    const { fake, publishing } = await openDuckdns();
    fake.server.failNext("web page");
    expect((await errorOf(publishing, [duck("A")]))?.errorClass).toBe("http_200");
    fake.server.failNext({ status: 502, body: "OK" });
    expect(await errorOf(publishing, [duck("A")])).toMatchObject({ kind: "transient" });
  });

  test.each(["home.example.com", "duckdns.org", "a.home.duckdns.org"])(
    "%s is none of its names",
    async (name) => {
      const { fake, publishing } = await openDuckdns();
      expect(await errorOf(publishing, [{ name, type: "A" }])).toMatchObject({
        kind: "permanent",
        errorClass: "outside_zone",
      });
      expect(fake.server.received).toEqual([]);
    },
  );
});

/** Runs something before the answer to the request after `passed` others. */
function after(passed: number, server: ProviderServer, work: () => void): ProviderServer["answer"] {
  const { answer } = server;
  let count = 0;
  return (request) => {
    if (count++ === passed) work();
    return answer(request);
  };
}
