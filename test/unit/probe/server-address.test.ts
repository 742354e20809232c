import fc from "fast-check";
import { describe, expect, test } from "vitest";
import {
  checkedTransports,
  formatServerAddress,
  isIpAddress,
  parseServerAddress,
} from "../../../src/probe/server-address.ts";

describe("the address of a server", () => {
  test.each([
    ["tcp://192.0.2.1:11010", "tcp", "192.0.2.1", 11010],
    ["ws://node.example.org:80", "ws", "node.example.org", 80],
    ["wss://node.example.org:443/", "wss", "node.example.org", 443],
    ["TCP://Node.Example.ORG.:1", "tcp", "node.example.org", 1],
    ["tcp://[2001:DB8:0:0::0:1]:65535", "tcp", "2001:db8::1", 65535],
    ["tcp://[::FFFF:c000:0201]:1", "tcp", "::ffff:192.0.2.1", 1],
    ["tcp://münchen.example:1", "tcp", "xn--mnchen-3ya.example", 1],
    ["tcp://1-2.example:00080", "tcp", "1-2.example", 80],
    ["tcp://localhost:1", "tcp", "localhost", 1],
    ["tcp://3221225985:1", "tcp", "192.0.2.1", 1],
    ["tcp://0xC0.0.0x2.01:1", "tcp", "192.0.2.1", 1],
    ["tcp://192.513:1", "tcp", "192.0.2.1", 1],
    ["tcp://①⑨②.0.2.1:1", "tcp", "192.0.2.1", 1],
  ])("%s is read", (text, transport, host, port) => {
    expect(parseServerAddress(text)).toEqual({ transport, host, port });
  });

  test.each([
    "",
    "192.0.2.1:11010",
    "//192.0.2.1:11010",
    "udp://192.0.2.1:11010",
    "http://192.0.2.1:11010",
    "tcp:192.0.2.1:11010",
    "tcp://192.0.2.1",
    "tcp://192.0.2.1:",
    "tcp://192.0.2.1:0",
    "tcp://192.0.2.1:65536",
    "tcp://192.0.2.1:1e3",
    "tcp://192.0.2.1:-1",
    "tcp://192.0.2.1:+80",
    "tcp://192.0.2.1:80:80",
    "tcp://:80",
    "tcp://.:80",
    "tcp://[]:80",
    "tcp://[192.0.2.1]:80",
    "tcp://2001:db8::1:80",
    "tcp://[2001:db8::1:80",
    "tcp://[fe80::1%25eth0]:80",
    "tcp://[v1.a]:80",
    "tcp://user@192.0.2.1:80",
    "tcp://user:word@192.0.2.1:80",
    "tcp://192.0.2.1:80@example.org:80",
    "tcp://192.0.2.1:80/path",
    "tcp://192.0.2.1:80//",
    "tcp://192.0.2.1:80?a=b",
    "tcp://192.0.2.1:80#a",
    "tcp://192.0.2.1\\@example.org:80",
    "tcp://%31%39%32.0.2.1:80",
    " tcp://192.0.2.1:80",
    "tcp://192.0.2.1:80 ",
    "tcp://192.0.2.1:80\n",
    "tcp://192.0.\t2.1:80",
    "tcp://192.0.2.1\0:80",
    "tcp://192.0.2.256:80",
    "tcp://1.2.3.4.5:80",
    "tcp://a.b.1:80",
    "tcp://-a.example:80",
    "tcp://a-.example:80",
    "tcp://a..example:80",
    "tcp://a_b.example:80",
    "tcp://*.example:80",
    `tcp://${"a".repeat(64)}.example:80`,
    `tcp://${"a.".repeat(127)}example:80`,
    `tcp://${"a".repeat(2000)}:80`,
  ])("%j is none", (text) => {
    expect(parseServerAddress(text)).toBeUndefined();
  });

  test("has one spelling, which is read as the same address", () => {
    const host = fc.oneof(
      fc.domain(),
      fc.ipV4(),
      fc.ipV4Extended(),
      fc.ipV6().map((ip) => `[${ip}]`),
    );
    const port = fc.integer({ min: 1, max: 65_535 });
    fc.assert(
      fc.property(fc.constantFrom(...checkedTransports), host, port, (transport, name, number) => {
        const address = parseServerAddress(`${transport}://${name}:${number}`);
        if (address === undefined) return;
        expect(parseServerAddress(formatServerAddress(address))).toEqual(address);
        expect(address.host).toMatch(/^[a-z\d.:-]+$/);
      }),
      { numRuns: 2000 },
    );
  });

  test("is never anything else than a name of letters or an address in its one spelling", () => {
    fc.assert(
      fc.property(fc.string({ unit: "binary", maxLength: 30 }), (text) => {
        const { host } = parseServerAddress(`tcp://${text}:80`) ?? { host: "a" };
        expect(host).toMatch(/^[a-z\d.:-]+$/);
        expect(isIpAddress(host)).toBe(
          !/[a-z]/.test(host.split(".").at(-1) ?? "") || host.includes(":"),
        );
      }),
      { numRuns: 5000 },
    );
  });
});
