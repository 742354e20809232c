import { expect, test } from "vitest";
import { readOptions } from "../../../src/agent/options.ts";
import { readSettings } from "../../../src/agent/settings.ts";

const enough = {
  WAYPOST_URL: "https://waypost.example/",
  WAYPOST_EMAIL: "owner@example.org",
  WAYPOST_NODE: "relay-1",
  WAYPOST_REPORT_TOKEN: "token",
};

function read(parameters: string[], environment: Record<string, string> = {}) {
  const all = { ...enough, ...environment };
  return readSettings(readOptions(parameters, all), all);
}

test("an address, a node and its token are enough", () => {
  expect(read([], { STATE_DIRECTORY: "/var/lib/waypost-agent" })).toEqual({
    url: "https://waypost.example",
    identity: { email: "owner@example.org", nodeName: "relay-1", token: "token" },
    source: "auto",
    interfaceName: "",
    ports: new Set([11_010, 11_011, 11_012]),
    traffic: "both",
    intervalMs: 60_000,
    stateDir: "/var/lib/waypost-agent",
    overlayCli: "easytier-cli",
    overlayPortal: "127.0.0.1:15888",
    counterBits: "auto",
    folders: { proc: "/proc", sys: "/sys" },
  });
});

test("a flag stands before the environment", () => {
  const environment = { WAYPOST_TRAFFIC: "in", WAYPOST_COUNTER_BITS: "32" };
  expect(read(["--traffic", "out"], environment)).toMatchObject({
    traffic: "out",
    counterBits: 32,
  });
  expect(read([], environment)).toMatchObject({ traffic: "in" });
});

test.each([
  [["--url", "ftp://a.example"], "--url (WAYPOST_URL) must be http://"],
  [["--url", "http://a.example/?x=1"], "--url (WAYPOST_URL) must be http://"],
  [["--url", "http://me@a.example/"], "--url (WAYPOST_URL) must be http://"],
  [["--ports", "80,x"], "--ports (WAYPOST_PORTS) must be ports"],
  [["--ports", "80,,81"], "--ports (WAYPOST_PORTS) must be ports"],
  [["--interval", "0"], "--interval (WAYPOST_INTERVAL_SECONDS) must be a number of seconds"],
  [["--interval", "1e3"], "--interval (WAYPOST_INTERVAL_SECONDS) must be a number of seconds"],
  [["--source", "tea"], "--source (WAYPOST_SOURCE) must be auto or overlay or interface"],
  [["--traffic", "toString"], "--traffic (WAYPOST_TRAFFIC) must be both or in or out"],
  [["--counter-bits", "16"], "--counter-bits (WAYPOST_COUNTER_BITS) must be"],
  [["--token-file", "/nowhere"], "--token-file (WAYPOST_REPORT_TOKEN_FILE) cannot be read: ENOENT"],
  [["--token-file", "/dev/null"], "--token-file (WAYPOST_REPORT_TOKEN_FILE) names an empty file"],
  [["--once", "--print"], "--once and --print cannot be given together"],
  [["--token", "secret"], "Unknown option '--token'"],
])("what cannot be used is named: %j", (parameters, sentence) => {
  expect(() => read(parameters)).toThrow(sentence);
});

test.each([
  ["WAYPOST_URL", "--url (WAYPOST_URL) is missing"],
  ["WAYPOST_EMAIL", "--email (WAYPOST_EMAIL) is missing"],
  ["WAYPOST_NODE", "--node (WAYPOST_NODE) is missing"],
  ["WAYPOST_REPORT_TOKEN", "WAYPOST_REPORT_TOKEN or WAYPOST_REPORT_TOKEN_FILE is missing"],
])("what is missing is named: %s", (name, sentence) => {
  expect(() => read([], { [name]: " " })).toThrow(sentence);
});
