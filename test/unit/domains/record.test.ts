import { describe, expect, test } from "vitest";
import type { RecordData } from "../../../src/server/domains/record-data.ts";
import { parseText, toText } from "../../../src/server/domains/record-data.ts";
import { recordObjections, wantedData } from "../../../src/server/domains/record.ts";
import type { DomainRecord } from "../../../src/shared/api/domains.ts";

const IPV4 = { publicIp: "203.0.113.9", publicPort: 50_234 };
const IPV6 = { publicIp: "2001:DB8::9", publicPort: 443 };
const render = (template: string, { publicIp, publicPort }: typeof IPV4) =>
  template.replace("{{public_ip}}", publicIp).replace("{{public_port}}", String(publicPort));

function wanted(record: Partial<DomainRecord>, address = IPV4, held?: RecordData): string {
  const whole = { name: "home.example.com", type: "A" as const, ...record };
  const found = wantedData(whole, address, render, held);
  return "skip" in found ? `skipped: ${found.skip}` : toText(found.data);
}

describe("what a record should say", () => {
  test.each<[Partial<DomainRecord>, typeof IPV4, string]>([
    [{ type: "A" }, IPV4, "203.0.113.9"],
    [{ type: "A" }, IPV6, "skipped: An A record holds no IPv6 address"],
    [{ type: "AAAA" }, IPV6, "2001:db8::9"],
    [{ type: "AAAA" }, IPV4, "skipped: An AAAA record holds no IPv4 address"],
    [{ type: "AAAA", ip4p: false }, IPV4, "skipped: An AAAA record holds no IPv4 address"],
    [{ type: "AAAA", ip4p: true }, IPV4, "2001::c43a:cb00:7109"],
    [{ type: "AAAA", ip4p: true }, IPV6, "skipped: IP4P holds no IPv6 address"],
    [{ type: "SRV", target: "Home.Example.com." }, IPV4, "0 0 50234 home.example.com."],
    [{ type: "SRV", target: ".", priority: 1, weight: 2 }, IPV6, "1 2 443 ."],
    [{ type: "HTTPS" }, IPV4, "1 . port=50234"],
    [
      { type: "HTTPS", alpn: "h3", target: "a.example.com" },
      IPV4,
      "1 a.example.com. alpn=h3 port=50234",
    ],
    [{ type: "SVCB", alpn: ["h2", "h3"], priority: 9 }, IPV6, "9 . alpn=h2,h3 port=443"],
    [{ type: "TXT" }, IPV4, '"203.0.113.9:50234"'],
    [{ type: "TXT", template: "port={{public_port}}" }, IPV4, '"port=50234"'],
  ])("%o at %o: %s", (record, address, text) => {
    expect(wanted(record, address)).toBe(text);
  });

  test("takes what is not settled from the value it replaces", () => {
    const srv = parseText("SRV", "5 7 40000 old.example.com.");
    expect(wanted({ type: "SRV", target: "x.example.com" }, IPV4, srv)).toBe(
      "5 7 50234 x.example.com.",
    );
    const https = parseText("HTTPS", "3 cdn.example.com. alpn=h2 port=1 ech=AAEC");
    expect(wanted({ type: "HTTPS" }, IPV4, https)).toBe(
      "3 cdn.example.com. alpn=h2 port=50234 ech=AAEC",
    );
    expect(wanted({ type: "HTTPS", priority: 1, target: ".", alpn: "h3" }, IPV4, https)).toBe(
      "1 . alpn=h3 port=50234 ech=AAEC",
    );
    expect(wanted({ type: "HTTPS" }, IPV4, { type: "unknown", text: "?" })).toBe("1 . port=50234");
  });
});

describe("records are refused", () => {
  test.each<[string, Partial<DomainRecord>, string[]]>([
    ["with a name that is none", { name: "no name" }, ["records.0.name"]],
    ["with IP4P that is no AAAA", { ip4p: true }, ["records.0.ip4p"]],
    ["with a target that has no place", { target: "x.y" }, ["records.0.target"]],
    ["without the target of a SRV", { type: "SRV" }, ["records.0.target"]],
    ["with a target that is no name", { type: "HTTPS", target: "a b" }, ["records.0.target"]],
    ["as the alias form of a service", { type: "SVCB", priority: 0 }, ["records.0.priority"]],
    [
      "with settings of another type",
      { type: "TXT", weight: 1, alpn: "h2", priority: 1 },
      ["records.0.priority", "records.0.weight", "records.0.alpn"],
    ],
  ])("%s", (_what, record, paths) => {
    expect(objections(record)).toEqual(paths);
  });

  test("when two are the same record, however they are spelt", () => {
    expect(objections({ name: "A.example.com." }, {}, { type: "AAAA" })).toEqual([
      "records.1.name",
    ]);
  });

  test("and else not", () => {
    expect(
      objections(
        { name: "*.example.com", ttl: 60 },
        { name: "_x._tcp.example.com", type: "SRV", target: "a.example.com", weight: 1 },
        { type: "HTTPS", target: ".", alpn: ["h2"] },
        { type: "AAAA", ip4p: true },
        { type: "TXT", template: "x" },
      ),
    ).toEqual([]);
  });
});

/** The paths of what is wrong with A records that differ as told. */
function objections(...changes: Partial<DomainRecord>[]): string[] {
  const blank = { name: "a.example.com", type: "A" as const };
  const records = changes.map((change): DomainRecord => Object.assign({}, blank, change));
  return recordObjections(records).map(({ path }) => path);
}
