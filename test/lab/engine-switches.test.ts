import { afterAll, beforeAll, expect, it } from "vitest";
import { describeInLaboratory } from "../support/laboratory.ts";
import type { RuleAtHome } from "../support/rule-at-home.ts";
import { ServiceAtHome } from "../support/service-at-home.ts";
import { changesOnce, NAT_SWITCHES } from "./nat-switch.ts";

describeInLaboratory("A switch of the NAT under live rules", {}, (lab) => {
  let service: ServiceAtHome;
  let rules: RuleAtHome[];
  beforeAll(async () => {
    service = await ServiceAtHome.start(lab());
    rules = [
      await service.createRule({ transport: "udp" }),
      await service.createRule({ transport: "tcp" }),
      await service.createRule({ transport: "udp", settle_seconds: 1 }),
      await service.createRule({ transport: "tcp", settle_seconds: 1 }),
    ];
    await Promise.all(rules.map((rule) => rule.becomes("open")));
  });
  afterAll(() => service?.close());

  it.each(NAT_SWITCHES)("by $name is one change, of $changed", async (natSwitch) => {
    const times = await changesOnce(lab(), rules, natSwitch);
    const texts = rules.map(
      ({ transport, settleMs }, index) => `${transport} ${times[index]} (settling ${settleMs})`,
    );
    console.info(`${natSwitch.name} to the stored change, ms: ${texts.join(", ")}`);
    expect.hasAssertions();
  });
});
