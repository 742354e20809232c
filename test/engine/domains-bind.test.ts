import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, afterEach, beforeAll, describe, expect, test } from "vitest";
import { tsigAlgorithms, type DomainRecord } from "../../src/shared/api/domains.ts";
import { providerOf } from "../../src/server/domains/account-configs.ts";
import { DnsTransport, type DnsPatience } from "../../src/server/domains/dns-transport.ts";
import type { RecordChange } from "../../src/server/domains/record-plan.ts";
import type { Fields } from "../../src/server/lib/sealed-fields.ts";
import { BindServer, powerlessKey, updateKey } from "../support/bind-server.ts";
import { queryDns } from "../support/dns-query.ts";
import { blockOf, stopOf } from "../support/documents.ts";
import { CURRENT, DomainPublishing } from "../support/domain-publishing.ts";
import { FakeNameServer } from "../support/fake-name-server.ts";
import { openOutgoing } from "../support/outgoing.ts";
import { walk } from "../support/walked-document.ts";

const HOUR_MS = 3_600_000;
/** So that nobody waits for a server that keeps silent. */
const hurried: DnsPatience = { resolvingMs: 500, datagramMs: [20, 20], streamMs: 300 };

const long = "x".repeat(200);
const seeds = [
  { name: "home.example.com", type: "A", ttl: 60, value: "192.0.2.1" },
  { name: "race.example.com", type: "A", ttl: 60, value: "192.0.2.1" },
  { name: "sub.example.com", type: "NS", ttl: 60, value: "ns.elsewhere.example." },
  { name: "alias.example.com", type: "CNAME", ttl: 60, value: "home.example.com." },
  ...Array.from({ length: 4 }, (_, index) => ({
    name: "big.example.com",
    type: "TXT",
    ttl: 60,
    value: `"${index} ${long}"`,
  })),
];
const A = (name: string): DomainRecord => ({ name: `${name}.example.com`, type: "A" });

describe("RFC 2136 with BIND 9", () => {
  let bind: BindServer;
  const opened: DomainPublishing[] = [];
  beforeAll(async () => {
    bind = await BindServer.start({ records: seeds });
  });
  afterEach(async () => {
    for (const each of opened.splice(0)) await each.close();
  });
  afterAll(() => bind.stop());

  const configOf = (change: Fields = {}, port = bind.port) => ({
    server: `127.0.0.1:${port}`,
    zone: "example.com",
    key_name: updateKey.name,
    key_secret: updateKey.secret,
    ...change,
  });
  const publishing = (change: Fields = {}, port = bind.port, patience?: DnsPatience) => {
    const made = new DomainPublishing("rfc2136", configOf(change, port), patience);
    opened.push(made);
    return made;
  };
  const failureOf = async (change: Fields, given: { now?: () => number } = {}) => {
    const { results } = await publishing(change).publish([A("home")], given);
    const error = results[0]?.error;
    return { code: error?.errorClass, kind: error?.kind, message: error?.message };
  };

  test("several records are one update, on record with its response code and no secret", async () => {
    const records: DomainRecord[] = [
      A("two"),
      { name: "_x._tcp.example.com", type: "SRV", target: "two.example.com" },
    ];
    const { stages } = await publishing().publish(records);
    expect(
      stages.map(({ stage, method, response_body }) => [stage, method, response_body]),
    ).toEqual([
      ["read", "QUERY", "NXDOMAIN"],
      ["read", "QUERY", "NXDOMAIN"],
      ["write", "UPDATE", "NOERROR"],
      ["verify", "QUERY", "NOERROR"],
      ["verify", "QUERY", "NOERROR"],
    ]);
    expect(stages[2]).toMatchObject({
      url: `dns://127.0.0.1:${bind.port}/example.com`,
      request_headers: { tsig: "waypost-test hmac-sha256" },
      request_body: "two.example.com A, _x._tcp.example.com SRV",
      status: null,
    });
    expect(JSON.stringify(stages)).not.toContain(updateKey.secret);
  });

  test("the update is bound to what was read: a change in between is not lost", async () => {
    const { http } = openOutgoing();
    const exchange = http.exchange([], new AbortController().signal);
    const dns = new DnsTransport(http.egress);
    const context = { exchange, dns, now: () => Date.now() };
    const zone = providerOf("rfc2136").open(configOf(), context);
    const name = "race.example.com";
    const held = (await zone.read?.("read", name, "A")) ?? [];
    const change = (address: string): RecordChange => ({
      name,
      type: "A",
      held,
      edits: held.map((from) => ({
        kind: "replace",
        from,
        data: { type: "A", address },
        ttl: undefined,
      })),
    });
    const beside: RecordChange = {
      name: "beside.example.com",
      type: "A",
      held: [],
      edits: [{ kind: "add", data: { type: "A", address: "192.0.2.9" }, ttl: 60 }],
    };
    await zone.write([change("192.0.2.2")]);
    const late = zone.write([beside, change("192.0.2.3")]);
    await expect(late).rejects.toMatchObject({ kind: "transient", errorClass: "NXRRSET" });
    expect(await queryDns(bind.port, name, "A")).toMatchObject([{ value: "192.0.2.2" }]);
    // Nothing of the refused update has happened.
    expect(await queryDns(bind.port, "beside.example.com", "A")).toEqual([]);
    await http.stop();
  });

  test("the test of an account shows whether the key may update, and writes nothing", async () => {
    const before = await publishing().test();
    expect(before).toMatchObject({ ok: true, details: { zone: "example.com" } });
    expect(await publishing().test()).toEqual(before);
    const powerless = { key_name: powerlessKey.name, key_secret: powerlessKey.secret };
    await expect(publishing(powerless).test()).rejects.toMatchObject({ errorClass: "REFUSED" });
  });

  test.each<[string, Fields, string, RegExp]>([
    ["a wrong secret", { key_secret: powerlessKey.secret }, "BADSIG", /secret of the key/],
    ["an unknown key", { key_name: "nobody" }, "BADKEY", /no key with this name/],
    ["another algorithm", { key_algorithm: "hmac-sha512" }, "BADKEY", /algorithm/],
    [
      "a key that may not",
      { key_name: powerlessKey.name, key_secret: powerlessKey.secret },
      "REFUSED",
      /refuses this key/,
    ],
  ])("%s is refused for good", async (_what, change, code, message) => {
    const failure = await failureOf(change);
    expect(failure).toMatchObject({ code, kind: "permanent" });
    expect(failure.message).toMatch(message);
    expect(await queryDns(bind.port, "home.example.com", "A")).toEqual([
      { ttl: 60, value: "192.0.2.1" },
    ]);
  });

  test("a clock that is off is said, with how far", async () => {
    const failure = await failureOf({}, { now: () => Date.now() - HOUR_MS });
    expect(failure).toMatchObject({ code: "BADTIME", kind: "transient" });
    expect(failure.message).toMatch(/too far apart, 3(?:600|599|601) s/);
  });

  test("a zone that the server does not hold is said", async () => {
    const elsewhere = publishing({ zone: "example.net" });
    const { results } = await elsewhere.publish([{ name: "a.example.net", type: "A" }]);
    expect(results[0]?.error).toMatchObject({ kind: "permanent", errorClass: "REFUSED" });
    await expect(elsewhere.test()).rejects.toMatchObject({ errorClass: "REFUSED" });
  });

  test("a server with several addresses is asked where there is a way", async () => {
    const names = { "ns.example": ["::1", "127.0.0.1"] };
    const config = configOf({ server: `ns.example:${bind.port}` });
    const made = new DomainPublishing("rfc2136", config, undefined, names);
    opened.push(made);
    expect((await made.publish([A("ways")])).results[0]?.result).toBe("updated");
  });

  test("a name whose zone is elsewhere is left alone", async () => {
    const { results } = await publishing().publish([A("home.sub")]);
    expect(results[0]?.error).toMatchObject({
      kind: "permanent",
      errorClass: "not_authoritative",
    });
  });

  test("an alias is left alone", async () => {
    const { results } = await publishing().publish([A("alias")]);
    expect(results[0]?.error?.errorClass).toBe("is_alias");
  });

  test("answers that do not fit into a datagram come over TCP, and long updates go there", async () => {
    const template = "{{public_ip}} ".repeat(100);
    const record: DomainRecord = { name: "long.example.com", type: "TXT", template };
    const { results } = await publishing().publish([record]);
    expect(results[0]?.result).toBe("updated");
    expect((await publishing().publish([record])).results[0]?.result).toBe("current");
    const several = await publishing().publish([{ name: "big.example.com", type: "TXT" }]);
    expect(several.results[0]?.error?.errorClass).toBe("several_values");
  });

  test.each(tsigAlgorithms)("%s is understood by both", async (algorithm) => {
    const server = await BindServer.start({ records: seeds, algorithm });
    try {
      const { results } = await publishing({ key_algorithm: algorithm }, server.port).publish([
        A("home"),
      ]);
      expect(results[0]?.result).toBe("updated");
      expect(await queryDns(server.port, "home.example.com", "A")).toMatchObject([
        { value: CURRENT.publicIp },
      ]);
    } finally {
      await server.stop();
    }
  });
});

describe("RFC 2136 as docs/recipes/rfc2136.md sets it up", () => {
  const page = "docs/recipes/rfc2136.md";
  let folder: string;
  let bind: BindServer;
  let publishing: DomainPublishing;
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), "waypost-bind-recipe-"));
    const instead = { "/etc/bind/": `${folder}/` };
    await walk([stopOf(page, "tsig-keygen")], { folder, instead, path: ["/usr/sbin"] });
    const key = await readFile(join(folder, "named.conf.local"), "utf8");
    const zone = blockOf(page, "zone ").text.replace(/file ".*"/, 'file "zone"');
    bind = await BindServer.start({ configuration: `${key}\n${zone}`, records: seeds });
    const account = JSON.parse(blockOf(page, "{\n").text) as { config: Fields };
    publishing = new DomainPublishing("rfc2136", {
      ...account.config,
      server: `127.0.0.1:${bind.port}`,
      key_secret: /secret "(.*)"/.exec(key)?.[1],
    });
  });
  afterAll(async () => {
    await publishing.close();
    await bind.stop();
    await rm(folder, { recursive: true });
  });

  test("the key writes the records that it is granted", async () => {
    const { results } = await publishing.publish([
      A("home"),
      { name: "_minecraft._tcp.example.com", type: "SRV", target: "home.example.com" },
    ]);
    expect(results.map(({ result }) => result)).toEqual(["updated", "updated"]);
    expect(await queryDns(bind.port, "home.example.com", "A")).toMatchObject([
      { value: CURRENT.publicIp },
    ]);
  });

  test("and no others", async () => {
    const { results } = await publishing.publish([A("elsewhere")]);
    expect(results[0]?.error).toMatchObject({ kind: "permanent", errorClass: "REFUSED" });
  });
});

/** The question as an answer with a response code, its signature left out. */
const unsigned = (rcode: number) => (question: Buffer) => {
  const answer = Buffer.from(question.subarray(0, question.length));
  const end = question.indexOf("waypost-test") - 1;
  answer.writeUInt16BE(0x8400 | rcode, 2);
  answer.writeUInt16BE(0, 10);
  return answer.subarray(0, end);
};

const tryAt = async (server: FakeNameServer) => {
  const config = {
    server: `127.0.0.1:${server.port}`,
    zone: "example.com",
    key_name: updateKey.name,
    key_secret: updateKey.secret,
  };
  const publishing = new DomainPublishing("rfc2136", config, hurried);
  try {
    return await publishing.publish([A("home"), A("more")]);
  } finally {
    await publishing.close();
    await server.close();
  }
};

const echo = (question: Buffer) => {
  const answer = Buffer.from(question);
  answer.writeUInt16BE(0x8400, 2);
  return answer;
};

const cut = (question: Buffer) => unsigned(0)(question).subarray(0, 14);

/** To another question. */
const other = (question: Buffer) => {
  const answer = unsigned(5)(question);
  answer.writeUInt16BE((question.readUInt16BE(0) + 1) & 0xffff, 0);
  return answer;
};

describe("RFC 2136 with a server that misbehaves", () => {
  test.each([
    [0, "unsigned_answer", "permanent"],
    [5, "REFUSED", "permanent"],
    [2, "SERVFAIL", "transient"],
  ] as const)("an unsigned answer %i is not believed", async (rcode, errorClass, kind) => {
    const { results, stages } = await tryAt(await FakeNameServer.listen(unsigned(rcode)));
    expect(results.map(({ error }) => error)).toMatchObject([
      { errorClass, kind },
      { errorClass, kind },
    ]);
    expect(results[0]?.error?.message).toContain("without a signature");
    expect(stages).toHaveLength(1);
  });

  test("the request sent back as an answer is a forgery", async () => {
    const { results } = await tryAt(await FakeNameServer.listen(echo));
    expect(results[0]?.error).toMatchObject({ errorClass: "forged_answer", kind: "transient" });
  });

  test("an answer that is no message is no answer to rely on", async () => {
    const { results } = await tryAt(await FakeNameServer.listen(cut));
    expect(results[0]?.error).toMatchObject({ errorClass: "malformed_answer", kind: "transient" });
  });

  test("answers to other questions are passed over, and TCP is tried when none comes", async () => {
    const server = await FakeNameServer.listen(other, unsigned(5));
    const { results } = await tryAt(server);
    expect(results[0]?.error?.errorClass).toBe("REFUSED");
    expect([server.datagrams.length, server.streams.length]).toEqual([2, 1]);
    expect(server.datagrams[1]).toEqual(server.datagrams[0]);
  });

  test("silence is a time-out", async () => {
    const failure = tryAt(await FakeNameServer.listen(() => undefined));
    await expect(failure).rejects.toMatchObject({ name: "ExchangeError", kind: "timeout" });
  });
});
