import { expect, test } from "vitest";
import { isOwnListener } from "../../../src/server/stun/own-listener.ts";

const cases: [target: string, listener: string, isOwn: boolean][] = [
  ["127.0.0.1", "127.0.0.1", true],
  ["localhost", "127.0.0.1", true],
  ["0.0.0.0", "127.0.0.1", true],
  ["127.0.0.2", "127.0.0.1", false],
  ["::1", "::1", true],
  ["127.0.0.1", "0.0.0.0", true],
  ["127.9.9.9", "0.0.0.0", true],
  ["localhost", "::", true],
  ["::1", "::", true],
  ["192.0.2.1", "0.0.0.0", false],
  ["nas.lan", "0.0.0.0", false],
  ["192.168.1.2", "192.168.1.2", true],
  ["localhost", "192.168.1.2", false],
  ["192.168.1.3", "192.168.1.2", false],
];

test.for(cases)("%s, while the service listens on %s: %s", ([host, listener, isOwn]) => {
  expect(isOwnListener({ host, port: 80 }, { host: listener, port: 80 })).toBe(isOwn);
  expect(isOwnListener({ host, port: 81 }, { host: listener, port: 80 })).toBe(false);
});
