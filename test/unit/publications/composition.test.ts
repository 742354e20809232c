import { describe, expect, test } from "vitest";
import { compose } from "../../../src/server/publications/composition.ts";

const member = (id: number, url: string, weight = 100) => ({ id, url, weight });
const name = "peers.example.com";

describe("a list as TXT", () => {
  test("is one text with the URLs, separated by spaces", () => {
    const nodes = [member(1, "tcp://203.0.113.7:11010"), member(2, "wss://[2001:db8::7]:443")];
    expect(compose({ name, type: "TXT" }, nodes)).toEqual({
      sets: [{ name, type: "TXT", values: ['"tcp://203.0.113.7:11010 wss://[2001:db8::7]:443"'] }],
      note: null,
    });
  });

  test("ends where clients stop reading, between two URLs, and says so", () => {
    const urls = Array.from({ length: 20 }, (_, at) => `tcp://node-${at}.example.com:11010`);
    const { sets, note } = compose(
      { name, type: "TXT" },
      urls.map((url, at) => member(at + 1, url)),
    );
    const text = sets[0]?.values[0]?.slice(1, -1) ?? "";
    expect(text.length).toBeLessThanOrEqual(255);
    expect(text.length).toBeGreaterThan(255 - 35);
    const named = text.split(" ");
    expect(named.every((url) => urls.includes(url))).toBe(true);
    expect(note).toMatch(new RegExp(`^${named.length} of 20 nodes`));
  });
});

describe("a list as SRV", () => {
  test("has a record set for each transport, and addresses for nodes without a name", () => {
    const nodes = [
      member(1, "tcp://203.0.113.7:11010", 100),
      member(2, "tcp://Relay.example.org:11010", 25),
      member(3, "wss://[2001:db8::7]:443", 50),
    ];
    expect(compose({ name, type: "SRV" }, nodes).sets).toEqual([
      { name: `203-0-113-7.${name}`, type: "A", values: ["203.0.113.7"] },
      { name: `2001-db8-0-0-0-0-0-7.${name}`, type: "AAAA", values: ["2001:db8::7"] },
      {
        name: `_easytier._tcp.${name}`,
        type: "SRV",
        values: [`100 100 11010 203-0-113-7.${name}.`, "25 25 11010 relay.example.org."],
      },
      {
        name: `_easytier._wss.${name}`,
        type: "SRV",
        values: [`50 50 443 2001-db8-0-0-0-0-0-7.${name}.`],
      },
    ]);
  });

  test("names two nodes behind one address once where the port is the same", () => {
    const nodes = [member(1, "tcp://203.0.113.7:1"), member(2, "tcp://203.0.113.7:1", 9)];
    const { sets } = compose({ name, type: "SRV" }, nodes);
    expect(sets.map(({ type, values }) => [type, values.length])).toEqual([
      ["A", 1],
      ["SRV", 1],
    ]);
  });
});

test("without a node there is no record", () => {
  expect(compose({ name, type: "TXT" }, [])).toEqual({ sets: [], note: null });
  expect(compose({ name, type: "SRV" }, [])).toEqual({ sets: [], note: null });
});
