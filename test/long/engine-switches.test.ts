import { afterAll, beforeAll, expect, it } from "vitest";
import { changesOnce } from "../lab/nat-switch.ts";
import { testManySwitches } from "../lab/switch-rounds.ts";
import { describeInLaboratory } from "../support/laboratory.ts";
import type { RuleAtHome } from "../support/rule-at-home.ts";
import { ServiceAtHome } from "../support/service-at-home.ts";

testManySwitches(20, 5);

describeInLaboratory("A switch of the NAT while an earlier one settles", {}, (lab) => {
  let service: ServiceAtHome;
  let slow: RuleAtHome[];
  beforeAll(async () => {
    service = await ServiceAtHome.start(lab());
    slow = [
      await service.createRule({ transport: "udp", settle_seconds: 4 }),
      await service.createRule({ transport: "tcp", settle_seconds: 4 }),
    ];
    await Promise.all(slow.map((rule) => rule.becomes("open")));
  });
  afterAll(() => service?.close());

  it("is none when it leads back", async () => {
    const before = await Promise.all(slow.map((rule) => rule.changes()));
    const address = lab().nat.publicAddress;
    await lab().nat.switchAddress();
    await Promise.all(slow.map((rule) => rule.becomes("suspect")));
    await lab().nat.switchAddress(address);
    await Promise.all(slow.map((rule) => rule.becomes("open")));
    await Promise.all(slow.map((rule) => rule.isProbedAgain(6)));
    expect(await Promise.all(slow.map((rule) => rule.changes()))).toEqual(before);
  });

  it("is one with it when it leads elsewhere", async () => {
    await lab().nat.switchAddress();
    await Promise.all(slow.map((rule) => rule.becomes("suspect")));
    await changesOnce(lab(), slow, { name: "switchPorts", changed: ["ip", "port"] });
    expect.hasAssertions();
  });
});
