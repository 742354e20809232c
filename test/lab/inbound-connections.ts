import { afterAll, beforeAll, expect, it } from "vitest";
import { HOME } from "../../lab/address-plan.ts";
import type { Transport } from "../../lab/endpoint.ts";
import { Peer } from "../../lab/peer.ts";
import { describeInLaboratory } from "../support/laboratory.ts";
import { publicEndpoint, type RuleAtHome } from "../support/rule-at-home.ts";
import { ServiceAtHome } from "../support/service-at-home.ts";

const AT_ONCE = 20;
const STAYING = 5;
const PATIENCE_MS = 10_000;

/** Nothing that came or went disturbed the probes. */
const wasProbedInPeace = async (rule: RuleAtHome) => {
  const observations = await rule.isProbedAgain(2);
  const all = await rule.observations();
  expect(all.length).toBeGreaterThan(observations.length);
  expect(all.filter(({ error }) => error !== null)).toEqual([]);
  expect(await rule.changes()).toHaveLength(1);
  expect((await rule.state()).status).toBe("open");
};

/** Strangers come through holes that are probed each second, so many of them over each transport. */
export function testInbound(count: number): void {
  describeInLaboratory("A target at home", {}, (lab) => {
    let service: ServiceAtHome;
    let target: Peer;
    beforeAll(async () => {
      service = await ServiceAtHome.start(lab());
      target = await Peer.start(lab().home);
    });
    afterAll(() => service?.close());

    const openHole = async (transport: Transport): Promise<RuleAtHome> => {
      const forward = { host: HOME.host, port: await target.open(transport) };
      return service.createRule({ transport, forward_to: forward });
    };

    it.each(["tcp", "udp"] as const)(
      `is reached by ${count} strangers over %s, and none is refused`,
      async (transport) => {
        const rule = await openHole(transport);
        const mapped = publicEndpoint(await rule.becomes("open"));
        const { stranger } = lab();
        const outcomes: string[] = [];
        for (let sent = 0; sent < count; sent += AT_ONCE) {
          const batch = Array.from({ length: Math.min(AT_ONCE, count - sent) }, async () => {
            const options = { timeoutMs: PATIENCE_MS };
            const reply = await stranger.send(transport, mapped, "hello", options);
            return reply.text?.replace(/from .*/, "from home") ?? reply.error ?? "nothing";
          });
          // One round more, besides those that come by time.
          const probe = rule.probe();
          outcomes.push(...(await Promise.all(batch)));
          expect(publicEndpoint(await probe)).toEqual(mapped);
        }
        expect(outcomes.filter((each) => each !== "hello from home")).toEqual([]);
        expect(outcomes).toHaveLength(count);
        await wasProbedInPeace(rule);
      },
      120_000,
    );

    it("keeps TCP connections while others come and go, and probes go on", async () => {
      const rule = await openHole("tcp");
      const mapped = publicEndpoint(await rule.becomes("open"));
      const options = { timeoutMs: PATIENCE_MS };
      const { stranger } = lab();
      const calls = await Promise.all(
        Array.from({ length: STAYING }, () => stranger.call(mapped, options)),
      );
      for (let round = 0; round < 3; round++) {
        for (const call of calls) {
          expect((await call.say("still here", PATIENCE_MS)).text).toMatch(/^still here from /);
        }
        const { text } = await stranger.send("tcp", mapped, "hello", options);
        expect(text).toMatch(/^hello from /);
        await rule.isProbedAgain(1);
      }
      for (const call of calls) await call.hangUp();
      await wasProbedInPeace(rule);
    });

    it("answers UDP from the very endpoint that was written to", async () => {
      const rule = await openHole("udp");
      const { address, port } = publicEndpoint(await rule.becomes("open"));
      // A connected socket hears nobody else.
      const socat = ["-t", "2", "-", `UDP4:${address}:${port}`];
      expect(await lab().internet.run("socat", socat, "hello")).toMatch(/^hello from /);
      await wasProbedInPeace(rule);
    });
  });
}
