import { expect, test } from "vitest";
import { createLogger } from "../../../src/server/lib/logger.ts";
import type { Hole } from "../../../src/server/stun/hole.ts";
import type { MappingProtocol, MappingWish } from "../../../src/server/stun/port-grant.ts";
import { PortMappedHole } from "../../../src/server/stun/port-mapped-hole.ts";
import type { Surroundings } from "../../../src/server/stun/surroundings.ts";

const atHome: Surroundings = {
  exit: { interfaceName: "eth0", address: "192.168.1.10", isTunnel: false },
  gateway: "192.168.1.1",
  isBridged: false,
};

/** A hole without a socket, at port 5001. */
function holeThat(did: string[]): Hole {
  return {
    transport: "udp",
    local: { address: "0.0.0.0", port: 5001 },
    traffic: { open: 0, total: 0, refused: 0, bytesIn: 0, bytesOut: 0 },
    open: async () => void did.push("open"),
    probe: async () => ({ at: 0, server: "s", mapped: null, rttMs: null, error: "probed" }),
    forward: (target) => void did.push(`forward to ${target?.host}`),
    close: async () => void did.push("close"),
  };
}

function build(surroundings: Promise<Surroundings>) {
  const did: string[] = [];
  const wishes: MappingWish[] = [];
  const protocol: MappingProtocol = {
    name: "pcp",
    map: async (wish) => {
      wishes.push(wish);
      return { ...wish, externalIp: null };
    },
  };
  const asked: string[] = [];
  const hole = new PortMappedHole({
    hole: holeThat(did),
    localAddress: null,
    surroundingsOf: () => surroundings,
    protocolsOf: (router, localAddress) => {
      asked.push(`${localAddress} asks ${router}`);
      return [protocol];
    },
    logger: createLogger("silent"),
  });
  return { hole, did, wishes, asked };
}

test("the router forwards the port of a hole while it is open", async () => {
  const { hole, did, wishes, asked } = build(Promise.resolve(atHome));
  await hole.open();
  await expect.poll(() => wishes).toHaveLength(1);
  expect(asked).toEqual(["192.168.1.10 asks 192.168.1.1"]);
  expect(wishes[0]).toMatchObject({ transport: "udp", internalPort: 5001, lifetimeSeconds: 1200 });
  await hole.close();
  expect(wishes[1]).toMatchObject({ internalPort: 5001, lifetimeSeconds: 0 });
  expect(did).toEqual(["open", "close"]);
});

test("all else is the hole's own", async () => {
  const { hole, did } = build(Promise.resolve(atHome));
  hole.forward({ host: "192.168.1.20", port: 80, proxyProtocol: false });
  const observation = await hole.probe({ address: "s", port: 1 }, new AbortController().signal);
  expect(observation.error).toBe("probed");
  expect([hole.transport, hole.local.port, hole.traffic.total]).toEqual(["udp", 5001, 0]);
  expect(did).toEqual(["forward to 192.168.1.20"]);
});

test.each<[string, Partial<Surroundings>]>([
  ["a VPN", { exit: { interfaceName: "tun0", address: "10.8.0.2", isTunnel: true } }],
  ["no router", { gateway: null }],
  ["no way out", { exit: null }],
])("nobody is asked where there is %s", async (_what, change) => {
  const { hole, did, asked } = build(Promise.resolve({ ...atHome, ...change }));
  await hole.open();
  await hole.close();
  expect([did, asked]).toEqual([["open", "close"], []]);
});

test("nobody is asked any more when the hole was closed before the router was found", async () => {
  const found = Promise.withResolvers<Surroundings>();
  const { hole, asked } = build(found.promise);
  await hole.open();
  await hole.close();
  found.resolve(atHome);
  await found.promise;
  expect(asked).toEqual([]);
});

test("a hole that cannot be opened is not mapped", async () => {
  const { hole, asked } = build(Promise.resolve(atHome));
  const failing = new PortMappedHole({
    hole: { ...holeThat([]), open: () => Promise.reject(new Error("in use")) },
    localAddress: null,
    surroundingsOf: async () => atHome,
    logger: createLogger("silent"),
  });
  await expect(failing.open()).rejects.toThrow("in use");
  await hole.close();
  expect(asked).toEqual([]);
});
