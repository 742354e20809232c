import { beforeAll, describe, expect, it } from "vitest";
import { HOME } from "../../lab/address-plan.ts";
import type { Endpoint } from "../../lab/endpoint.ts";
import { Peer } from "../../lab/peer.ts";
import { describeInLaboratory } from "../support/laboratory.ts";
import { HomePort } from "../support/laboratory-home.ts";

const BRIEFLY_MS = 250;
const LIE: Endpoint = { address: "192.0.2.66", port: 666 };

describeInLaboratory("The internet", {}, (lab) => {
  let home: Peer;

  beforeAll(async () => {
    home = await Peer.start(lab().home);
  });

  describe.each(["udp", "tcp"] as const)("has STUN servers over %s", (transport) => {
    it("of which one dies, and comes back", async () => {
      const [server, other] = lab().stunServers;
      const hole = await HomePort.open(lab(), home, transport);
      const mapped = await hole.mapped(server.endpoint);
      await server.kill();
      expect(await hole.mapped(server.endpoint, BRIEFLY_MS)).toBeNull();
      expect(await hole.mapped(other.endpoint)).toEqual(mapped);
      await server.start();
      expect(await hole.mapped(server.endpoint)).toEqual(mapped);
    });

    it("of which one lies, at each of its endpoints, until it is started again", async () => {
      const [server, other] = lab().stunServers;
      const hole = await HomePort.open(lab(), home, transport);
      const mapped = await hole.mapped(server.endpoint);
      await server.lie(LIE);
      for (const endpoint of server.endpoints) expect(await hole.mapped(endpoint)).toEqual(LIE);
      expect(await hole.mapped(other.endpoint)).toEqual(mapped);
      await server.start();
      expect(await hole.mapped(server.endpoint)).toEqual(mapped);
    });
  });

  it("has names, which may lead elsewhere from one moment to the next", async () => {
    const resolve = async (name: string) => {
      const lines = (await lab().home.run("getent", ["ahostsv4", name])).split("\n");
      return [...new Set(lines.map((line) => line.split(" ")[0]))].filter(Boolean);
    };
    const [one, two] = lab().stunServers;
    expect(await resolve(one.name)).toEqual([one.endpoint.address]);
    await lab().names.set(one.name, [two.endpoint.address]);
    expect(await resolve(one.name)).toEqual([two.endpoint.address]);
    await lab().names.set(one.name, [one.endpoint.address]);
  });

  it("has web hosts that keep connections, and one that does not", async () => {
    const outcomes = [];
    for (const host of lab().webHosts) {
      const call = await home.call(host.endpoint, { timeoutMs: 3_000 });
      const request = `HEAD / HTTP/1.1\r\nHost: ${host.name}\r\n\r\n`;
      const first = await call.say(request, 3_000);
      const second = await call.say(request, 3_000);
      outcomes.push([first.text?.slice(0, 15), second.text?.slice(0, 15)]);
      await call.hangUp();
    }
    const ok = "HTTP/1.1 200 OK";
    expect(outcomes).toEqual([
      [ok, ok],
      [ok, ok],
      [ok, undefined],
    ]);
  });

  it("has web hosts that cut connections when they are told to, die, and come back", async () => {
    const [host] = lab().webHosts;
    await host.start(50);
    const call = await home.call(host.endpoint, { timeoutMs: 3_000 });
    const closed = () => call.say("", BRIEFLY_MS);
    await expect.poll(closed, { timeout: 5_000 }).toEqual({ error: "closed" });
    await host.kill();
    await expect(home.call(host.endpoint)).rejects.toThrow("ECONNREFUSED");
    await host.start(null);
    await (await home.call(host.endpoint, { timeoutMs: 3_000 })).hangUp();
  });

  it("reaches a thousand TCP connections to a hole, while it is probed", async () => {
    const [server] = lab().stunServers;
    const hole = await HomePort.open(lab(), home, "tcp");
    const mapped = (await hole.mapped(server.endpoint)) as Endpoint;
    const probed: (Endpoint | null)[] = [];
    const probing = (async () => {
      for (let round = 0; round < 10; round++) probed.push(await hole.mapped(server.endpoint));
    })();
    const reached: boolean[] = [];
    for (let batch = 0; batch < 20; batch++) {
      const calls = Array.from({ length: 50 }, () => hole.isReachedAt(mapped, 10_000));
      reached.push(...(await Promise.all(calls)));
    }
    await probing;
    expect(reached.filter(Boolean)).toHaveLength(1_000);
    expect(probed).toEqual(probed.map(() => mapped));
  });

  it("is reached from either address of the home", async () => {
    const port = await lab().stranger.open("udp");
    const to = { address: "203.0.113.99", port };
    for (const address of [HOME.host, HOME.secondary]) {
      const { text } = await home.send("udp", to, "hello", { from: { address }, timeoutMs: 3_000 });
      expect(text).toContain(`hello from ${lab().nat.publicAddress}:`);
    }
  });

  it("is not reached from this machine, but a doorway leads to the home", async () => {
    const program =
      "require('http').createServer((q, r) => r.end('at home')).listen(8080, '127.0.0.1')";
    lab().home.spawn(process.execPath, ["-e", program], { stdio: "ignore" });
    const doorway = await lab().openDoorway(8_080);
    const visit = async () => (await fetch(doorway.origin)).text();
    await expect.poll(() => visit().catch(String), { timeout: 5_000 }).toBe("at home");
    await doorway.close();
    await expect(visit()).rejects.toThrow("fetch failed");
  });
});

describeInLaboratory(
  "A home behind two NATs",
  { nat: "full_cone", carrier: { filtering: "endpoint_independent" } },
  (lab) => {
    let home: Peer;

    beforeAll(async () => {
      home = await Peer.start(lab().home);
    });

    it.each(["udp", "tcp"] as const)("is reached through both over %s", async (transport) => {
      const hole = await HomePort.open(lab(), home, transport);
      const [server, other] = lab().stunServers;
      const mapped = (await hole.mapped(server.endpoint)) as Endpoint;
      expect(mapped.address).toBe(lab().nat.publicAddress);
      expect(await hole.mapped(other.endpoint)).toEqual(mapped);
      expect(await hole.isReachedAt(mapped)).toBe(true);
      const inner = (await lab().router.mappings()).find((each) => each.inside.port === hole.port);
      const outer = (await lab().nat.mappings()).find((each) => each.public.port === mapped.port);
      expect(outer?.inside).toEqual(inner?.public);
      expect(inner?.public.address).toBe("100.64.0.10");
    });

    it("sees a switch of either", async () => {
      const hole = await HomePort.open(lab(), home, "udp");
      const [server] = lab().stunServers;
      const first = await hole.mapped(server.endpoint);
      await lab().nat.switchAddress();
      const second = await hole.mapped(server.endpoint);
      expect(second).toEqual({ address: lab().nat.publicAddress, port: first?.port });
      await lab().router.switchAddress();
      const third = await hole.mapped(server.endpoint);
      expect(third?.address).toBe(second?.address);
      expect(third?.port).not.toBe(second?.port);
    });
  },
);
