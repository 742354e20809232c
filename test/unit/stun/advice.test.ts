import { describe, expect, test } from "vitest";
import { advise } from "../../../src/server/stun/advice.ts";
import type { AskedServer, Findings } from "../../../src/server/stun/findings.ts";

const PUBLIC = "93.184.216.34";

function asked(address: string, rttMs = 20, mapped: string | null = PUBLIC): AskedServer {
  return {
    named: { host: `${address}.example`, port: 3478 },
    address: { address, port: 3478 },
    mapped: mapped === null ? null : { address: mapped, port: 4000 },
    rttMs: mapped === null ? null : rttMs,
    error: mapped === null ? "silence" : null,
  };
}

const home: Findings = {
  transport: "udp",
  servers: [asked("8.8.8.8"), asked("9.9.9.9")],
  mapping: "endpoint_independent",
  odd: [],
  arePortsCompared: true,
  filtering: "endpoint_independent",
  hairpin: true,
  publicIp: PUBLIC,
  publicIpByOther: PUBLIC,
  surroundings: {
    exit: { interfaceName: "eth0", address: "192.168.1.10", isTunnel: false },
    gateway: "192.168.1.1",
    isBridged: false,
  },
  routerIp: PUBLIC,
};
const around = (change: Partial<NonNullable<Findings["surroundings"]>>) => ({
  surroundings: { gateway: null, exit: null, isBridged: false, ...change },
});
const tunnel = { interfaceName: "tun0", address: "10.8.0.2", isTunnel: true };
const advice = (change: Partial<Findings> = {}) => advise({ ...home, ...change }).join("\n");

describe("advice", () => {
  test("is short where everything is well", () => {
    expect(advise(home)).toEqual([
      "The public port stays the same whoever you speak to, so that a UDP rule can work.",
      "Everybody is let in while the rule holds the port open.",
    ]);
  });

  test.each<[string, Partial<Findings>, string]>([
    [
      "no hole through a symmetric NAT, and what to do",
      { mapping: "address_and_port_dependent", transport: "tcp" },
      "A TCP rule cannot work behind it.",
    ],
    [
      "the way out of a symmetric NAT",
      { mapping: "address_dependent" },
      "ask for an IPv4 address of your own, or use IPv6",
    ],
    [
      "that the port could not be compared",
      { mapping: "address_dependent", arePortsCompared: false },
      "could not be seen",
    ],
    [
      "a filter that turns visitors away",
      { filtering: "address_and_port_dependent" },
      "new visitors are turned away",
    ],
    ["that nobody can try the filter", { filtering: "unknown" }, "None of the servers can try"],
    [
      "that TCP is to be tried from outside",
      { transport: "tcp", filtering: "unknown" },
      "with a phone that is not in your Wi-Fi",
    ],
    ["that there is no NAT", { mapping: "none", filtering: "none" }, "there is no NAT in between"],
    [
      "a firewall where there is no NAT",
      { mapping: "none", filtering: "unknown" },
      "Only a firewall",
    ],
    ["that one server is too few", { mapping: "unknown" }, "Name a second server"],
    ["a missing way back from inside", { hairpin: false }, "at home use the local address"],
    ["a container's network", around({ isBridged: true }), "network_mode: host"],
    [
      "a VPN on the way",
      around({ exit: tunnel }),
      `tun0, which belongs to a VPN or a proxy: ${PUBLIC} is its address`,
    ],
    [
      "a NAT of the provider",
      { routerIp: "100.70.1.2" },
      "100.70.1.2 is an address that several customers share",
    ],
    [
      "a NAT of the provider without a router",
      {
        routerIp: null,
        ...around({ exit: { ...tunnel, isTunnel: false, address: "100.70.1.3" } }),
      },
      "100.70.1.3 is an address",
    ],
    [
      "a router behind a router",
      { routerIp: "192.168.0.2" },
      "outer address, 192.168.0.2, is a private one",
    ],
    [
      "something between the router and the servers",
      { routerIp: "93.184.216.35" },
      "there is something between them",
    ],
    [
      "two ways out",
      { servers: [asked("8.8.8.8"), asked("9.9.9.9", 20, "1.2.3.4")] },
      `${PUBLIC}, 1.2.3.4`,
    ],
    [
      "a way of its own for UDP",
      { publicIpByOther: "1.2.3.4" },
      `UDP leaves with the address ${PUBLIC} and TCP with 1.2.3.4`,
    ],
    [
      "a way of its own for TCP",
      { transport: "tcp", publicIpByOther: "1.2.3.4" },
      `UDP leaves with the address 1.2.3.4 and TCP with ${PUBLIC}`,
    ],
    [
      "answers faster than light",
      { servers: [asked("8.8.8.8", 0.2), asked("9.9.9.9", 0.3)] },
      "seems to answer in their place",
    ],
    [
      "an address that a proxy made up",
      { servers: [asked("198.18.0.5"), asked("9.9.9.9")] },
      "198.18.0.5, an address that proxy programs make up",
    ],
    [
      "the server that differs",
      {
        odd: [{ server: { address: "9.9.9.9", port: 3478 }, mapped: { address: PUBLIC, port: 7 } }],
      },
      `9.9.9.9:3478 says ${PUBLIC}:7, unlike the others`,
    ],
  ])("names %s", (_what, change, sentence) => {
    expect(advice(change)).toContain(sentence);
    expect(advice()).not.toContain(sentence);
  });

  test("does not take one near server, or private ones, for a proxy", () => {
    const near = [asked("8.8.8.8", 0.2), asked("9.9.9.9", 20)];
    const nearby = [asked("192.168.1.2", 0.2), asked("10.0.0.3", 0.2)];
    for (const servers of [near, nearby, near.slice(0, 1)]) {
      expect(advice({ servers })).not.toContain("in their place");
    }
  });

  test("does not take the address of a VPN for that of a provider", () => {
    const exit = { ...tunnel, address: "100.100.1.1" };
    expect(advice({ routerIp: null, ...around({ exit }) })).not.toContain("Your provider");
  });

  describe("where nobody answered", () => {
    const silent: Partial<Findings> = {
      servers: [asked("8.8.8.8", 0, null)],
      publicIp: null,
      mapping: "unknown",
      filtering: "unknown",
      hairpin: null,
    };

    test.each<[string, Partial<Findings>, string]>([
      ["UDP is blocked", {}, "something on the way blocks UDP"],
      [
        "the servers speak UDP only",
        { transport: "tcp" },
        "Name STUN servers that answer over TCP.",
      ],
      ["nothing gets out", { publicIpByOther: null }, "Check that this machine is online"],
    ])("says that %s", (_what, change, sentence) => {
      expect(advice({ ...silent, ...change })).toContain(sentence);
    });

    test("says nothing about mappings", () => {
      expect(advice(silent)).not.toContain("public port");
    });

    test("says which names lead nowhere", () => {
      const lost = { ...asked("8.8.8.8", 0, null), address: undefined };
      expect(advice({ ...silent, servers: [lost] })).toContain("found for 8.8.8.8.example:3478.");
    });
  });

  test("is made of sentences", () => {
    const all = [advise(home), advise({ ...home, hairpin: false, routerIp: "10.0.0.1" })].flat();
    for (const sentence of all) expect(sentence).toMatch(/^[A-Z0-9].*\.$/);
  });
});
