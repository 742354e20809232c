import { describe, expect, test } from "vitest";
import { advise } from "../../../src/server/stun/advice.ts";
import type { AskedServer, Findings } from "../../../src/server/stun/findings.ts";
import { advice } from "../../../src/web/locales/zh-CN/said/advice.ts";
import { catalogue } from "../../../src/web/locales/zh-CN/said/catalogue.ts";

const PUBLIC = "93.184.216.34";

function asked(
  address: string | undefined,
  rttMs = 20,
  mapped: string | null = PUBLIC,
): AskedServer {
  return {
    named: { host: `${address}.example`, port: 3478 },
    address: address === undefined ? undefined : { address, port: 3478 },
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
const tunnel = { interfaceName: "tun0", address: "10.8.0.2", isTunnel: true };
const through = { exit: tunnel, gateway: null, isBridged: true };
const silent = { servers: [asked("8.8.8.8", 0, null)], publicIp: null };

/** Between them they bring up every sentence there is. */
const cases: Partial<Findings>[] = [
  { servers: [asked("198.18.0.4"), asked(undefined, 0, null)] },
  { servers: [asked(undefined, 0, null)], publicIp: null },
  { ...silent, publicIpByOther: null },
  silent,
  { ...silent, transport: "tcp" },
  { surroundings: through },
  { surroundings: through, publicIp: null },
  { servers: [asked("8.8.8.8", 0.1), asked("9.9.9.9", 0.1)] },
  { servers: [asked("8.8.8.8"), asked("9.9.9.9", 20, "1.1.1.1")] },
  { publicIpByOther: "1.1.1.1" },
  { routerIp: "100.64.3.4" },
  { routerIp: "192.168.178.20" },
  { routerIp: "1.1.1.1" },
  { mapping: "none", filtering: "none" },
  { mapping: "none", filtering: "unknown" },
  { mapping: "unknown" },
  { transport: "tcp", filtering: "unknown" },
  { filtering: "address_dependent" },
  { filtering: "unknown" },
  { mapping: "address_dependent", arePortsCompared: false, hairpin: false },
  { mapping: "address_and_port_dependent" },
  {
    odd: [
      {
        server: { address: "9.9.9.9", port: 3478 },
        mapped: { address: "1.1.1.1", port: 5 },
      },
    ],
  },
];
const sentences = [...new Set(cases.flatMap((change) => advise({ ...home, ...change })))];

describe("the advice of a diagnosis", () => {
  test.each(sentences)("has Chinese words for: %s", (sentence) => {
    const chinese = catalogue.find(sentence);
    expect(chinese).toMatch(/\p{Script=Han}/u);
    expect(chinese).not.toMatch(/[{}]/);
    // Addresses and names are said, too.
    for (const value of sentence.match(/\d+\.\d+\.\d+\.\d+/g) ?? []) {
      expect(chinese).toContain(value);
    }
  });

  test("is all that there are words for", () => {
    const heard = new Set(sentences.map((sentence) => catalogue.find(sentence)));
    const plain = Object.entries(advice.sentence ?? {}).filter(
      ([english]) => !english.includes("{"),
    );
    expect(plain.filter(([, chinese]) => !heard.has(chinese))).toEqual([]);
    expect(sentences.length).toBeGreaterThanOrEqual(Object.keys(advice.sentence ?? {}).length);
  });
});
