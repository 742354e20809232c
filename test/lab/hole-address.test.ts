import { afterAll, beforeAll, expect, it } from "vitest";
import { HOME, WEB_HOSTS } from "../../lab/address-plan.ts";
import type { Transport } from "../../lab/endpoint.ts";
import { RemoteProgram } from "../../lab/remote-program.ts";
import type { Observation } from "../../src/server/stun/observation.ts";
import { describeInLaboratory } from "../support/laboratory.ts";

const program = new URL("../support/pinned-holes.ts", import.meta.url);

describeInLaboratory("A hole that is pinned to an address", {}, (lab) => {
  let holes: RemoteProgram;

  beforeAll(async () => {
    holes = await RemoteProgram.start(lab().home, program, [HOME.secondary, WEB_HOSTS[0].address]);
  });

  afterAll(async () => {
    await holes.kill();
  });

  const probe = (transport: Transport): Promise<Observation> =>
    holes.ask("probe", { transport, server: lab().stunServers[0].endpoint });
  const address = async (verb: "add" | "del") => {
    const prefix = HOME.prefix.split("/")[1];
    const target = `${HOME.secondary}/${prefix}`;
    await lab().home.run("ip", ["address", verb, target, "dev", "lan"]);
  };

  it.each(["udp", "tcp"] as const)(
    "over %s says when the host loses it, and goes on when it is back",
    async (transport) => {
      const before = await probe(transport);
      expect(before.mapped?.address).toBe(lab().nat.publicAddress);
      await address("del");
      const without = await probe(transport);
      expect(without.mapped).toBeNull();
      expect(without.error).toMatch(/^(Nothing can be sent to|\S+ cannot be asked:)/);
      expect(await holes.ask("news", {})).toContain(
        `${HOME.secondary} is no longer an address of this host`,
      );
      await address("add");
      await expect.poll(() => probe(transport).then(({ mapped }) => mapped)).toEqual(before.mapped);
    },
  );
});
