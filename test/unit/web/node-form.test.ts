import { describe, expect, test } from "vitest";
import type { NodeDetails } from "../../../src/shared/api/nodes.ts";
import {
  looksLikeHost,
  readEndpoint,
  writeEndpoint,
} from "../../../src/web/my-nodes/endpoint-text.ts";
import { judgeNode } from "../../../src/web/my-nodes/form-rules.ts";
import {
  emptyNode,
  toFormValues,
  toNewNode,
  toNodeChange,
  type NodeFormValues,
} from "../../../src/web/my-nodes/form-values.ts";
import { judgeValidity } from "../../../src/web/my-nodes/validity.ts";

const sound: NodeFormValues = {
  ...emptyNode(),
  node_name: "relay-1",
  connections: [{ key: "1", type: "TCP", ip: "203.0.113.7", port: 11010 }],
};
const flawsOf = (change: Partial<NodeFormValues>) => judgeNode({ ...sound, ...change });

describe("the form of a node", () => {
  test("takes the least that is needed, and asks for it", () => {
    expect(judgeNode(sound)).toEqual({});
    expect(judgeNode(emptyNode())).toEqual({
      node_name: { flaw: "required" },
      "connections.0.ip": { flaw: "required" },
    });
  });

  test.each<[Partial<NodeFormValues>, object]>([
    [{ node_name: "x".repeat(65) }, { node_name: { flaw: "tooLong", maximum: 64 } }],
    [{ node_name: "a\tb" }, { node_name: { flaw: "controlCharacters" } }],
    [{ tags: "😀".repeat(257) }, { tags: { flaw: "tooLong", maximum: 256 } }],
    [{ max_bandwidth: 1e6 + 1 }, { max_bandwidth: { flaw: "tooLarge", maximum: 1e6 } }],
    [{ reset_cycle: 0 }, { reset_cycle: { flaw: "wholeBetween", minimum: 1, maximum: 366 } }],
    [
      { max_connections: 1.5 },
      { max_connections: { flaw: "wholeBetween", minimum: 0, maximum: 1e7 } },
    ],
    [{ valid_until: "2026-02-30x" }, { valid_until: { flaw: "date" } }],
    [
      { connections: [{ key: "1", type: "TCP", ip: "tcp://a", port: 0 }] },
      {
        "connections.0.ip": { flaw: "host" },
        "connections.0.port": { flaw: "wholeBetween", minimum: 1, maximum: 65_535 },
      },
    ],
  ])("finds what is wrong with %j", (change, flaws) => {
    expect(flawsOf(change)).toEqual(flaws);
  });

  test("takes as many characters as the service does, counted as people count", () => {
    expect(flawsOf({ node_name: "😀".repeat(64) })).toEqual({});
  });

  test("says no limit as zero, and offers the whole line where nothing else is said", () => {
    expect(toNewNode({ ...sound, max_bandwidth: 200 })).toEqual({
      node_name: "relay-1",
      region_type: "domestic",
      region_detail: "",
      connections: [{ type: "TCP", ip: "203.0.113.7", port: 11010 }],
      max_bandwidth: 200,
      tier_bandwidth: 200,
      max_connections: 0,
      max_traffic: 0,
      reset_cycle: 30,
      tags: "",
      valid_until: null,
      allow_relay: 0,
    });
  });

  test("sends only what was changed", () => {
    const stored = { ...toNewNode({ ...sound, max_traffic: 500 }), allow_relay: 1 };
    const before = toFormValues(stored as unknown as NodeDetails);
    expect(toNodeChange(before, before)).toEqual({});
    expect(toNodeChange(before, { ...before, max_traffic: "", valid_until: "2030-01-01" })).toEqual(
      { max_traffic: 0, valid_until: "2030-01-01" },
    );
  });
});

describe("an address", () => {
  test.each([
    ["tcp://203.0.113.7:11010", { type: "TCP", ip: "203.0.113.7", port: 11010 }],
    ["wss://node.example.com/", { type: "WSS", ip: "node.example.com" }],
    ["[2001:db8::1]:443", { ip: "2001:db8::1", port: 443 }],
    ["node.example.com:11010", { ip: "node.example.com", port: 11010 }],
    ["203.0.113.7", undefined],
    ["2001:db8::1", undefined],
    ["two words", undefined],
  ])("%s is taken apart when it is pasted", (text, parts) => {
    expect(readEndpoint(text)).toEqual(parts);
  });

  test("is written so that it can be read again", () => {
    const text = writeEndpoint({ type: "UDP", ip: "2001:db8::1", port: 1 });
    expect(text).toBe("udp://[2001:db8::1]:1");
    expect(readEndpoint(text)).toEqual({ type: "UDP", ip: "2001:db8::1", port: 1 });
  });

  test.each(["203.0.113.7", "2001:db8::1", "node.example.com.", "中文.example", "localhost"])(
    "%s may be a host",
    (text) => expect(looksLikeHost(text)).toBe(true),
  );

  test.each(["a b", "203.0.113.7:80", "[2001:db8::1]", "http://a", "a..b"])(
    "%s is no host",
    (text) => expect(looksLikeHost(text)).toBe(false),
  );
});

describe("validity", () => {
  test("holds through the last day in UTC, and is urgent in its last two weeks", () => {
    expect(judgeValidity(null, Date.parse("2026-01-01T00:00:00Z"))).toBe("forever");
    expect(judgeValidity("2026-01-20", Date.parse("2026-01-06T23:59:59Z"))).toBe("valid");
    expect(judgeValidity("2026-01-20", Date.parse("2026-01-07T00:00:00Z"))).toBe("soon");
    expect(judgeValidity("2026-01-20", Date.parse("2026-01-20T23:59:59.999Z"))).toBe("soon");
    expect(judgeValidity("2026-01-20", Date.parse("2026-01-21T00:00:00Z"))).toBe("past");
  });
});
