import { fileURLToPath } from "node:url";
import { beforeAll, describe, expect, it } from "vitest";
import { NAT_KINDS, type NatBehaviour, type NatKind } from "../../lab/nat-behaviour.ts";
import type { StunDiagnosis } from "../../src/shared/api/stun-diagnosis.ts";
import { describeInLaboratory } from "../support/laboratory.ts";
import type { Lab } from "../../lab/lab.ts";

const program = fileURLToPath(new URL("../../src/server/cli.ts", import.meta.url));
const SERVERS = ["stun1.test:3478", "stun2.test:3478"];

/** What `waypost stun` says on the home host. */
async function diagnose(
  lab: Lab,
  transport: "udp" | "tcp",
  servers: readonly string[] = SERVERS,
  more: readonly string[] = [],
): Promise<StunDiagnosis> {
  const named = servers.flatMap((server) => ["--server", server]);
  const parameters = [program, "stun", "--json", "--transport", transport, ...named, ...more];
  const child = lab.home.spawn(process.execPath, parameters, {
    stdio: ["ignore", "pipe", "inherit"],
  });
  let out = "";
  for await (const chunk of child.stdout ?? []) out += String(chunk);
  return JSON.parse(out) as StunDiagnosis;
}

const FULL = "endpoint_independent";
const BY_ADDRESS = "address_dependent";
const BY_ENDPOINT = "address_and_port_dependent";

const expected: Record<NatKind, { mapping: string; filtering: string; advice: string }> = {
  full_cone: { mapping: FULL, filtering: FULL, advice: "Everybody is let in" },
  address_restricted: { mapping: FULL, filtering: BY_ADDRESS, advice: "visitors are turned away" },
  port_restricted: { mapping: FULL, filtering: BY_ENDPOINT, advice: "visitors are turned away" },
  symmetric: { mapping: BY_ENDPOINT, filtering: BY_ENDPOINT, advice: "A UDP rule cannot work" },
};

describeInLaboratory("A diagnosis", {}, (lab) => {
  const become = (change: NatKind | Partial<NatBehaviour>) =>
    lab().nat.become(typeof change === "string" ? change : { ...change });

  describe.each(NAT_KINDS)("behind a NAT that is %s", (kind) => {
    let udp: StunDiagnosis;
    let tcp: StunDiagnosis;
    beforeAll(async () => {
      await lab().nat.become({ hairpin: false });
      await become(kind);
      [udp, tcp] = await Promise.all([diagnose(lab(), "udp"), diagnose(lab(), "tcp")]);
    });

    it("tells UDP as what it is", () => {
      const { mapping, filtering, advice } = expected[kind];
      expect(udp).toMatchObject({ transport: "udp", mapping, filtering });
      expect(udp.advice.join(" ")).toContain(advice);
      expect(udp.public_ip).toBe(lab().nat.publicAddress);
    });

    it("tells the mapping of TCP by TCP", () => {
      expect(tcp).toMatchObject({
        transport: "tcp",
        mapping: expected[kind].mapping,
        filtering: "unknown",
        public_ip: lab().nat.publicAddress,
      });
    });

    it("finds no way back from inside, or cannot tell", () => {
      expect(udp.hairpin).toBe(kind === "symmetric" ? null : false);
      expect(tcp.hairpin).not.toBe(true);
    });

    it("has a line per server", () => {
      for (const { servers } of [udp, tcp]) {
        expect(servers.map(({ server, error }) => [server, error])).toEqual(
          SERVERS.map((server) => [server, null]),
        );
        for (const { rtt_ms } of servers) expect(rtt_ms).toBeGreaterThanOrEqual(0);
      }
    });
  });

  it("tells a mapping that depends on the address alone", async () => {
    await become({ mapping: BY_ADDRESS, filtering: BY_ENDPOINT });
    const found = await Promise.all([diagnose(lab(), "udp"), diagnose(lab(), "tcp")]);
    expect(found.map(({ mapping }) => mapping)).toEqual([BY_ADDRESS, BY_ADDRESS]);
  });

  it("finds the way back from inside", async () => {
    await become("full_cone");
    await become({ hairpin: true });
    const found = await Promise.all([diagnose(lab(), "udp"), diagnose(lab(), "tcp")]);
    expect(found.map(({ hairpin }) => hairpin)).toEqual([true, true]);
    expect(found[0]).toMatchObject({ mapping: FULL, filtering: FULL });
  });

  it("finds it over UDP behind a filter, too", async () => {
    await become("port_restricted");
    await become({ hairpin: true });
    const found = await diagnose(lab(), "udp");
    expect(found).toMatchObject({ mapping: FULL, filtering: BY_ENDPOINT, hairpin: true });
  });

  it("goes on when a server is gone, and names it", async () => {
    await become("symmetric");
    const [gone] = lab().stunServers;
    await gone.kill();
    const found = await diagnose(lab(), "udp");
    await gone.start();
    expect(found).toMatchObject({ mapping: BY_ENDPOINT, filtering: BY_ENDPOINT });
    expect(found.servers.map(({ error }) => error === null)).toEqual([false, true]);
  });

  it("does not believe one server that lies", async () => {
    await become("full_cone");
    const [liar] = lab().stunServers;
    const lie = { address: "203.0.113.200", port: 4242 };
    await liar.lie(lie);
    const servers = [...SERVERS, "203.0.113.22:3478"];
    const found = await diagnose(lab(), "udp", servers);
    await liar.start();
    expect(found).toMatchObject({ mapping: FULL, public_ip: lab().nat.publicAddress });
    expect(found.advice.join(" ")).toContain(`says ${lie.address}:${lie.port}, unlike the others`);
  });

  it("can be made from another address of the host", async () => {
    await become("full_cone");
    const options = ["--local-address", "192.168.77.20"];
    expect(await diagnose(lab(), "udp", SERVERS, options)).toMatchObject({ mapping: FULL });
  });

  it("says that UDP is blocked when only TCP gets out", async () => {
    await lab().router.namespace.run("nft", [
      "insert",
      "rule",
      "ip",
      "traffic",
      "forward",
      "meta",
      "l4proto",
      "udp",
      "drop",
    ]);
    const found = await diagnose(lab(), "udp");
    expect(found).toMatchObject({ mapping: "unknown", public_ip: null });
    expect(found.advice.join(" ")).toContain("something on the way blocks UDP");
  });
});
