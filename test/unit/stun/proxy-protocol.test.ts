import { expect, test } from "vitest";
import { proxyHeader } from "../../../src/server/stun/proxy-protocol.ts";

/** Written by hand after the specification, §2.2. */
const SIGNATURE = "0d0a0d0a000d0a515549540a";

test("an IPv4 client is announced", () => {
  const header = proxyHeader(
    { address: "198.51.100.7", port: 50_123 },
    { address: "192.0.2.1", port: 443 },
  );
  expect(header.toString("hex")).toBe(`${SIGNATURE}2111000cc6336407c0000201c3cb01bb`);
});

test("an IPv6 client is announced", () => {
  const header = proxyHeader(
    { address: "2001:db8::7", port: 1 },
    { address: "2001:db8:0:1::2", port: 65_535 },
  );
  const source = "20010db8000000000000000000000007";
  const destination = "20010db8000000010000000000000002";
  expect(header.toString("hex")).toBe(`${SIGNATURE}21210024${source}${destination}0001ffff`);
});
