import { beforeAll, beforeEach, describe, expect, it } from "vitest";
import { HOME, INTERNET } from "../../lab/address-plan.ts";
import type { Endpoint } from "../../lab/endpoint.ts";
import { Peer } from "../../lab/peer.ts";
import { describeInLaboratory } from "../support/laboratory.ts";
import { HomePort } from "../support/laboratory-home.ts";

/** How long nothing is waited for. */
const BRIEFLY_MS = 250;

describeInLaboratory("A switch of the NAT", {}, (lab) => {
  let home: Peer;
  let server: Endpoint;
  let otherServer: Endpoint;

  beforeAll(async () => {
    home = await Peer.start(lab().home);
    [server, otherServer] = lab().stunServers.map((each) => each.endpoint) as [Endpoint, Endpoint];
  });

  describe.each(["udp", "tcp"] as const)("on live %s", (transport) => {
    let hole: HomePort;
    let before: Endpoint;

    beforeEach(async () => {
      hole = await HomePort.open(lab(), home, transport);
      before = (await hole.mapped(server)) as Endpoint;
    });

    it("changes nothing as long as there is none", async () => {
      expect(await hole.mapped(server)).toEqual(before);
      expect(await hole.mapped(otherServer)).toEqual(before);
      expect(await hole.isReachedAt(before)).toBe(true);
    });

    it("to another address keeps the port", async () => {
      const at = await lab().nat.switchAddress();
      expect(Math.abs(Date.now() - at)).toBeLessThan(5_000);
      const after = await hole.mapped(server);
      expect(after).toEqual({ address: lab().nat.publicAddress, port: before.port });
      expect(after?.address).not.toBe(before.address);
      expect(await hole.mapped(otherServer)).toEqual(after);
      expect(await hole.isReachedAt(after as Endpoint)).toBe(true);
      expect(await hole.isReachedAt(before, BRIEFLY_MS)).toBe(false);
    });

    it("to other ports keeps the address", async () => {
      await lab().nat.switchPorts();
      const after = await hole.mapped(server);
      expect(after?.address).toBe(before.address);
      expect(after?.port).not.toBe(before.port);
      expect(await hole.mapped(otherServer)).toEqual(after);
      expect(await hole.isReachedAt(after as Endpoint)).toBe(true);
      expect(await hole.isReachedAt(before, BRIEFLY_MS)).toBe(false);
    });

    it("to both changes both", async () => {
      await lab().nat.switchAddressAndPorts();
      const after = await hole.mapped(server);
      expect(after?.address).not.toBe(before.address);
      expect(after?.port).not.toBe(before.port);
      expect(await hole.mapped(otherServer)).toEqual(after);
    });

    it("that forgets one inside port leaves the others", async () => {
      const neighbour = await HomePort.open(lab(), home, transport);
      const theirs = await neighbour.mapped(server);
      await lab().nat.forget(transport, { address: HOME.host, port: hole.port });
      expect((await hole.mapped(server))?.port).not.toBe(before.port);
      expect(await neighbour.mapped(server)).toEqual(theirs);
    });

    it("lists the mappings", async () => {
      const inside = { address: HOME.host, port: hole.port };
      expect(await lab().nat.mappings()).toContainEqual({ transport, inside, public: before });
    });

    it("that cuts the line loses everything until it is restored", async () => {
      await lab().nat.cut();
      expect(await hole.mapped(server, BRIEFLY_MS)).toBeNull();
      expect(await hole.isReachedAt(before, BRIEFLY_MS)).toBe(false);
      await lab().nat.restore();
      expect(await hole.mapped(server)).toEqual(before);
    });

    it("that blocks an address blocks no other", async () => {
      await lab().nat.block(server.address);
      expect(await hole.mapped(server, BRIEFLY_MS)).toBeNull();
      expect(await hole.mapped(otherServer)).toEqual(before);
      await lab().nat.unblock(server.address);
      expect(await hole.mapped(server)).toEqual(before);
    });

    it("to a NAT that keeps ports maps to the inside port", async () => {
      await lab().nat.become({ keepsPorts: true });
      const after = await hole.mapped(server);
      expect(after).toEqual({ address: lab().nat.publicAddress, port: hole.port });
      expect(await hole.isReachedAt(after as Endpoint)).toBe(true);
      await lab().nat.become({ keepsPorts: false });
    });

    it("to hairpinning lets the home reach itself", async () => {
      const silence = { timeoutMs: BRIEFLY_MS };
      expect((await home.send(transport, before, "hello", silence)).text).toBeUndefined();
      await lab().nat.become({ hairpin: true });
      const after = (await hole.mapped(server)) as Endpoint;
      const { text } = await home.send(transport, after, "hello", { timeoutMs: 3_000 });
      expect(text).toContain(`hello from ${lab().nat.publicAddress}:`);
      await lab().nat.become({ hairpin: false });
    });

    it("to short lives forgets what is idle", async () => {
      await lab().nat.become({ udpTimeoutSeconds: 1, tcpTimeoutSeconds: 1, tcpClosingSeconds: 1 });
      const first = await hole.mapped(server);
      await expect.poll(() => lab().nat.mappings(), { timeout: 10_000 }).toEqual([]);
      expect((await hole.mapped(server))?.port).not.toBe(first?.port);
      await lab().nat.become({
        udpTimeoutSeconds: 120,
        tcpTimeoutSeconds: 7_440,
        tcpClosingSeconds: 240,
      });
    });
  });

  it("ends a connection that stood, with the first words said on it", async () => {
    const port = await lab().stranger.open("tcp");
    const call = await home.call({ address: INTERNET.stranger, port }, { timeoutMs: 3_000 });
    const { text } = await call.say("hello", 3_000);
    expect(text).toContain(`hello from ${lab().nat.publicAddress}:`);
    await lab().nat.switchPorts();
    expect(await call.say("hello", 3_000)).toEqual({ error: "ECONNRESET" });
  });

  it("that loses packets loses about as many as it was told to", async () => {
    const hole = await HomePort.open(lab(), home, "udp");
    await lab().nat.lose(30);
    const asked = await Promise.all(Array.from({ length: 200 }, () => hole.mapped(server, 1_000)));
    await lab().nat.lose(0);
    // Both ways come through with 0.7², 98 of 200; five standard deviations are 35.
    const answered = asked.filter((each) => each !== null).length;
    expect(answered).toBeGreaterThan(63);
    expect(answered).toBeLessThan(133);
    expect(await hole.mapped(server)).not.toBeNull();
  });

  it("that delays makes round trips longer, where the kernel can", async () => {
    const hole = await HomePort.open(lab(), home, "udp");
    const [outcome] = await Promise.allSettled([lab().nat.delay(200)]);
    const startedAt = performance.now();
    expect(await hole.mapped(server)).not.toBeNull();
    const tookMs = performance.now() - startedAt;
    const canDelay = outcome.status === "fulfilled";
    expect(canDelay ? tookMs >= 200 : String(outcome.reason)).toSatisfy(
      (seen) => seen === true || String(seen).includes("qdisc kind is unknown"),
    );
    await (canDelay ? lab().nat.delay(0) : undefined);
  });

  it("refuses what no NAT can be", async () => {
    await expect(
      lab().nat.become({ mapping: "address_dependent", keepsPorts: true }),
    ).rejects.toThrow("cannot keep ports");
    await expect(lab().nat.switchAddress("192.0.2.1")).rejects.toThrow("is none of");
  });
});
