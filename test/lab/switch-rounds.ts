import { setTimeout as pause } from "node:timers/promises";
import { afterAll, beforeAll, expect, it } from "vitest";
import { describeInLaboratory } from "../support/laboratory.ts";
import type { RuleAtHome } from "../support/rule-at-home.ts";
import { ServiceAtHome } from "../support/service-at-home.ts";
import { changesOnce, NAT_SWITCHES } from "./nat-switch.ts";

/** More in ten minutes make a rule unstable. */
const SWITCHES_OF_A_RULE = 4;

/** Switches the NAT so many times under so many rules of each transport, and prints how long changes took. */
export function testManySwitches(switches: number, rulesEach: number): void {
  describeInLaboratory(`${switches} switches of the NAT under live rules`, {}, (lab) => {
    let service: ServiceAtHome;
    beforeAll(async () => {
      service = await ServiceAtHome.start(lab());
    });
    afterAll(() => service?.close());

    const openRules = async (transport: "udp" | "tcp"): Promise<RuleAtHome[]> => {
      const rules: RuleAtHome[] = [];
      for (let n = 0; n < rulesEach; n++) rules.push(await service.createRule({ transport }));
      await Promise.all(rules.map((rule) => rule.becomes("open")));
      return rules;
    };

    it("are as many changes of each rule, each in time", async () => {
      const times = { udp: [] as number[], tcp: [] as number[] };
      let rules: RuleAtHome[] = [];
      for (let round = 0; round < switches; round++) {
        if (round % SWITCHES_OF_A_RULE === 0) {
          await Promise.all(rules.map((rule) => rule.remove()));
          rules = [...(await openRules("udp")), ...(await openRules("tcp"))];
        }
        const natSwitch = NAT_SWITCHES[round % NAT_SWITCHES.length];
        if (!natSwitch) throw new Error("There are ways to switch a NAT.");
        // The round before ended with a probe: this one begins anywhere between two of them.
        await pause(Math.random() * (rules[0]?.intervalMs ?? 0));
        const took = await changesOnce(lab(), rules, natSwitch);
        for (const [index, ms] of took.entries()) times[index < rulesEach ? "udp" : "tcp"].push(ms);
      }
      for (const [transport, all] of Object.entries(times)) {
        expect(all).toHaveLength(switches * rulesEach);
        const sorted = all.toSorted((a, b) => a - b);
        const at = (share: number) => sorted[Math.ceil(share * sorted.length) - 1];
        console.info(
          `From the switch to the stored change over ${transport}, ${all.length} of them:`,
          `p50 ${at(0.5)} ms, p99 ${at(0.99)} ms, at most ${at(1)} ms`,
        );
      }
    });
  });
}
