import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { parseRanges, TargetPolicy } from "../../../src/probe/target-policy.ts";

const publicOnly = new TargetPolicy("public", []);

/** The first and the last address of each range, and what they are. */
const special: [first: string, last: string, kind: string][] = [
  ["0.0.0.0", "0.255.255.255", "Unspecified"],
  ["10.0.0.0", "10.255.255.255", "Private"],
  ["100.64.0.0", "100.127.255.255", "Carrier-grade NAT"],
  ["127.0.0.0", "127.255.255.255", "Loopback"],
  ["168.63.129.16", "168.63.129.16", "Cloud platform"],
  ["169.254.0.0", "169.254.255.255", "Link-local"],
  ["172.16.0.0", "172.31.255.255", "Private"],
  ["192.0.0.0", "192.0.0.255", "Reserved"],
  ["192.0.2.0", "192.0.2.255", "Documentation"],
  ["192.88.99.0", "192.88.99.255", "Reserved"],
  ["192.168.0.0", "192.168.255.255", "Private"],
  ["198.18.0.0", "198.19.255.255", "Benchmarking"],
  ["198.51.100.0", "198.51.100.255", "Documentation"],
  ["203.0.113.0", "203.0.113.255", "Documentation"],
  ["224.0.0.0", "239.255.255.255", "Multicast"],
  ["240.0.0.0", "255.255.255.254", "Reserved"],
  ["255.255.255.255", "255.255.255.255", "Broadcast"],
  ["::", "::", "Unspecified"],
  ["::1", "::1", "Loopback"],
  ["::2", "::ffff:ffff", "Reserved"],
  ["64:ff9b:1::", "64:ff9b:1:ffff:ffff:ffff:ffff:ffff", "Private translation"],
  ["100::", "100::ffff:ffff:ffff:ffff", "Discard"],
  ["2001::", "2001:1ff:ffff:ffff:ffff:ffff:ffff:ffff", "Reserved"],
  ["2001:db8::", "2001:db8:ffff:ffff:ffff:ffff:ffff:ffff", "Documentation"],
  ["3fff::", "3fff:fff:ffff:ffff:ffff:ffff:ffff:ffff", "Documentation"],
  ["5f00::", "5f00:ffff:ffff:ffff:ffff:ffff:ffff:ffff", "Segment routing"],
  ["fc00::", "fdff:ffff:ffff:ffff:ffff:ffff:ffff:ffff", "Private"],
  ["fe80::", "febf:ffff:ffff:ffff:ffff:ffff:ffff:ffff", "Link-local"],
  ["fec0::", "feff:ffff:ffff:ffff:ffff:ffff:ffff:ffff", "Private"],
  ["ff00::", "ffff:ffff:ffff:ffff:ffff:ffff:ffff:ffff", "Multicast"],
  ["4000::", "5eff:ffff:ffff:ffff:ffff:ffff:ffff:ffff", "Reserved"],
  ["e000::", "fbff:ffff:ffff:ffff:ffff:ffff:ffff:ffff", "Reserved"],
];

/** Next to the ranges, on the outside. */
// oxfmt-ignore
const open = [
  "1.0.0.0", "9.255.255.255", "11.0.0.0", "100.63.255.255", "100.128.0.0", "126.255.255.255",
  "128.0.0.0", "168.63.129.15", "168.63.129.17", "169.253.255.255", "169.255.0.0",
  "172.15.255.255", "172.32.0.0", "191.255.255.255", "192.0.1.0", "192.0.3.0", "192.88.98.255",
  "192.88.100.0", "192.167.255.255", "192.169.0.0", "198.17.255.255", "198.20.0.0",
  "198.51.99.255", "198.51.101.0", "203.0.112.255", "203.0.114.0", "223.255.255.255",
  "2000::", "2001:200::", "2001:db7:ffff:ffff::", "2001:db9::", "2606:4700::1111", "3ffe:ffff::",
  "3fff:1000::",
];

describe("the policy for public targets", () => {
  test.each(special)("refuses %s to %s as %s", (first, last, kind) => {
    for (const address of [first, last]) {
      expect(publicOnly.objection(address)).toBe(`${kind} addresses are not checked`);
    }
  });

  test.each(open)("lets %s through", (address) => {
    expect(publicOnly.objection(address)).toBeUndefined();
  });

  test("judges an IPv6 address that leads to an IPv4 address by that one", () => {
    const octet = fc.nat(255);
    fc.assert(
      fc.property(fc.tuple(octet, octet, octet, octet), (octets) => {
        const judged = publicOnly.objection(octets.join("."));
        const hex = octets.map((each) => each.toString(16).padStart(2, "0"));
        const [high, low] = [hex.slice(0, 2).join(""), hex.slice(2).join("")];
        const carriers = [
          `::ffff:${octets.join(".")}`,
          `0:0:0:0:0:FFFF:${high}:${low}`,
          `64:ff9b::${high}:${low}`,
          `2002:${high}:${low}::1`,
        ];
        for (const carrier of carriers) expect(publicOnly.objection(carrier)).toBe(judged);
      }),
      { numRuns: 2000, examples: [[[127, 0, 0, 1]], [[8, 8, 8, 8]], [[10, 1, 2, 3]]] },
    );
  });

  test("refuses an address with a zone by its range", () => {
    expect(publicOnly.objection("fe80::1%eth0")).toBe("Link-local addresses are not checked");
  });
});

describe("any policy", () => {
  // oxfmt-ignore
  const notAddresses = [
    "", "localhost", "example.org", "127.1", "2130706433", "0x7f.0.0.1", "0177.0.0.1", "127.0.0.01",
    "127.0.0.1.", "127.0.0.1:80", "[::1]", "1.2.3", "1.2.3.4.5", " 1.2.3.4", "::g", "1.2.3.256",
  ];

  test.each(notAddresses)("refuses %j, which is no address in its one spelling", (text) => {
    for (const mode of ["public", "any"] as const) {
      const policy = new TargetPolicy(mode, parseRanges("0.0.0.0/0,::/0") ?? []);
      expect(policy.objection(text)).toBe("Only IP addresses are checked");
    }
  });

  test("that allows everything refuses no address", () => {
    const policy = new TargetPolicy("any", []);
    for (const address of special.flatMap(([first, last]) => [first, last])) {
      expect(policy.objection(address)).toBeUndefined();
    }
  });
});

describe("an allow-list", () => {
  const policy = new TargetPolicy(
    "public",
    parseRanges("10.1.0.0/16, 192.168.7.7,fd00:1::/32") ?? [],
  );

  test.each([
    "10.1.0.0",
    "10.1.255.255",
    "192.168.7.7",
    "fd00:1::5",
    "::ffff:10.1.2.3",
    "64:ff9b::a01:203",
    "8.8.8.8",
  ])("opens %s", (address) => {
    expect(policy.objection(address)).toBeUndefined();
  });

  test.each([
    "10.0.255.255",
    "10.2.0.0",
    "192.168.7.8",
    "fd00:2::",
    "::ffff:10.2.0.1",
    "127.0.0.1",
  ])("leaves %s closed", (address) => {
    expect(policy.objection(address)).toMatch(/are not checked$/);
  });

  test("may be empty", () => {
    expect(parseRanges("")).toEqual([]);
    expect(parseRanges("  ")).toEqual([]);
  });

  // oxfmt-ignore
  test.each([
    ",", "10.0.0.0/8,", "10.0.0.0/33", "::/129", "10.0.0.0/", "10.0.0.0/-1", "10.0.0.0/8/8", "10/8",
    "0x0a.0.0.0/8", "10.0.0.0/1e1", "example.org", "10.0.0.1 10.0.0.2", "fe80::1%eth0", "::/ 0",
  ])("is wrong when it holds %j", (list) => {
    expect(parseRanges(list)).toBeUndefined();
  });
});
