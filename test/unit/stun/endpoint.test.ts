import { describe, expect, test } from "vitest";
import { formatHostPort, parseHostPort } from "../../../src/server/lib/host-port.ts";
import { formatEndpoint, sameEndpoint } from "../../../src/server/stun/endpoint.ts";

describe("host and port", () => {
  test.each([
    ["stun.example.org:3478", "stun.example.org", 3478],
    ["STUN.Example.org.:19302", "stun.example.org", 19302],
    ["192.0.2.1:1", "192.0.2.1", 1],
    ["[2001:DB8:0:0::1]:65535", "2001:db8::1", 65535],
    ["nas:80", "nas", 80],
  ])("%s is read", (text, host, port) => {
    expect(parseHostPort(text)).toEqual({ host, port });
  });

  test.each([
    "stun.example.org",
    "stun.example.org:",
    "stun.example.org:0",
    "stun.example.org:65536",
    "stun.example.org:+80",
    "stun.example.org:80 ",
    ":80",
    "2001:db8::1:80",
    "2001:db8::1",
    "[192.0.2.1]:80",
    "[stun.example.org]:80",
    "[fe80::1%eth0]:80",
    "192.0.2.256:80",
    "stun:stun.example.org:3478",
    "a b:80",
    "",
  ])("«%s» is none", (text) => {
    expect(parseHostPort(text)).toBeUndefined();
  });

  test("what is written is read again", () => {
    for (const text of ["192.0.2.1:3478", "[2001:db8::1]:3478", "stun.example.org:3478"]) {
      const read = parseHostPort(text);
      expect(read && formatHostPort(read)).toBe(text);
    }
    expect(formatEndpoint({ address: "2001:db8::1", port: 7 })).toBe("[2001:db8::1]:7");
  });
});

test("endpoints are the same when address and port are", () => {
  const endpoint = { address: "192.0.2.1", port: 1 };
  expect(sameEndpoint(endpoint, { ...endpoint })).toBe(true);
  expect(sameEndpoint(endpoint, { ...endpoint, port: 2 })).toBe(false);
  expect(sameEndpoint(endpoint, { ...endpoint, address: "192.0.2.2" })).toBe(false);
});
