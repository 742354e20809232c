import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import type { Grant, MappingProtocol, MappingWish } from "../../../src/server/stun/port-grant.ts";
import { PortMapping, type PortMappingParts } from "../../../src/server/stun/port-mapping.ts";

/** A protocol that grants what it is told to, and remembers who asked. */
class Scripted implements MappingProtocol {
  readonly name;
  readonly wishes: MappingWish[] = [];
  grant: Partial<Grant> | null;

  constructor(name: MappingProtocol["name"], grant: Partial<Grant> | null) {
    this.name = name;
    this.grant = grant;
  }

  async map(wish: MappingWish, signal: AbortSignal): Promise<Grant | undefined> {
    signal.throwIfAborted();
    this.wishes.push(wish);
    const { externalPort, lifetimeSeconds } = wish;
    return this.grant
      ? { externalPort, externalIp: "203.0.113.77", lifetimeSeconds, ...this.grant }
      : undefined;
  }
}

const HALF_MS = 600_000;
let running: PortMapping[] = [];

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(async () => {
  await Promise.all(running.map((each) => each.stop()));
  running = [];
  vi.useRealTimers();
});

function onDefect(error: unknown): never {
  throw error;
}

async function start(
  protocols: MappingProtocol[],
  parts: Partial<PortMappingParts> = {},
): Promise<PortMapping> {
  const mapping = new PortMapping({ transport: "udp", port: 5001, protocols, onDefect, ...parts });
  running.push(mapping);
  mapping.start();
  await vi.advanceTimersByTimeAsync(0);
  return mapping;
}

describe("a port that the router forwards", () => {
  test("is asked for by one protocol after the other until one grants it", async () => {
    const [first, second, third] = [
      new Scripted("pcp", null),
      new Scripted("nat_pmp", { externalPort: 6000 }),
      new Scripted("upnp", {}),
    ];
    const mapping = await start([first, second, third]);
    expect(mapping.state).toEqual({
      status: "mapped",
      by: "nat_pmp",
      externalIp: "203.0.113.77",
      externalPort: 6000,
    });
    expect([first.wishes.length, second.wishes.length, third.wishes.length]).toEqual([1, 1, 0]);
    expect(second.wishes[0]).toEqual({
      transport: "udp",
      internalPort: 5001,
      externalPort: 5001,
      lifetimeSeconds: 1200,
    });
  });

  test("is renewed at half of its life, by what has worked, with the port that was given", async () => {
    const [pcp, upnp] = [new Scripted("pcp", null), new Scripted("upnp", { externalPort: 6000 })];
    await start([pcp, upnp]);
    await vi.advanceTimersByTimeAsync(HALF_MS - 1);
    expect(upnp.wishes).toHaveLength(1);
    await vi.advanceTimersByTimeAsync(1);
    expect(upnp.wishes.map((each) => each.externalPort)).toEqual([5001, 6000]);
    expect(pcp.wishes).toHaveLength(1);
  });

  test("is renewed sooner when the router grants less", async () => {
    const pcp = new Scripted("pcp", { lifetimeSeconds: 120 });
    await start([pcp]);
    await vi.advanceTimersByTimeAsync(60_000);
    expect(pcp.wishes).toHaveLength(2);
  });

  test("is asked for by another protocol when the router has changed", async () => {
    const [pcp, upnp] = [new Scripted("pcp", {}), new Scripted("upnp", {})];
    const mapping = await start([pcp, upnp]);
    pcp.grant = null;
    await vi.advanceTimersByTimeAsync(HALF_MS);
    expect(mapping.state).toMatchObject({ status: "mapped", by: "upnp" });
  });

  test("is taken back at the end, once, and nothing follows", async () => {
    const pcp = new Scripted("pcp", { externalPort: 6000 });
    const mapping = await start([pcp]);
    await mapping.stop();
    await mapping.stop();
    expect(pcp.wishes.slice(1)).toEqual([
      { transport: "udp", internalPort: 5001, externalPort: 6000, lifetimeSeconds: 0 },
    ]);
    expect(mapping.state).toEqual({ status: "ended" });
    expect(vi.getTimerCount()).toBe(0);
  });

  test("is taken back also when the end comes while it is being renewed", async () => {
    const pcp = new Scripted("pcp", {});
    const mapping = await start([pcp]);
    const map = pcp.map.bind(pcp);
    pcp.map = async (wish, signal) => {
      if (wish.lifetimeSeconds === 0) return map(wish, signal);
      const ended = Promise.withResolvers<undefined>();
      signal.addEventListener("abort", () => ended.reject(signal.reason as Error));
      return ended.promise;
    };
    await vi.advanceTimersByTimeAsync(HALF_MS);
    await mapping.stop();
    expect(pcp.wishes.at(-1)?.lifetimeSeconds).toBe(0);
  });
});

describe("a router that does not forward", () => {
  test("is asked again after ten minutes", async () => {
    const pcp = new Scripted("pcp", null);
    const states: string[] = [];
    const mapping = await start([pcp], { onChanged: ({ status }) => states.push(status) });
    expect(mapping.state).toEqual({ status: "refused" });
    pcp.grant = {};
    await vi.advanceTimersByTimeAsync(600_000);
    expect(states).toEqual(["refused", "mapped"]);
  });

  test("is not asked to take anything back", async () => {
    const pcp = new Scripted("pcp", null);
    const mapping = await start([pcp]);
    await mapping.stop();
    expect(pcp.wishes).toHaveLength(1);
  });

  test("does not hide a defect of ours", async () => {
    const defects: unknown[] = [];
    const pcp = new Scripted("pcp", {});
    pcp.map = () => Promise.reject(new TypeError("a defect"));
    await start([pcp], { onDefect: (error) => defects.push(error) });
    expect(defects).toEqual([new TypeError("a defect")]);
  });
});
