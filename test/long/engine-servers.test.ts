import { afterAll, beforeAll, expect, it } from "vitest";
import { describeInLaboratory } from "../support/laboratory.ts";
import type { RuleAtHome } from "../support/rule-at-home.ts";
import { ServiceAtHome } from "../support/service-at-home.ts";
import { WatchedRules } from "../lab/watched-rules.ts";

const LIE = { address: "192.0.2.66", port: 666 };

describeInLaboratory("The way to STUN servers", {}, (lab) => {
  let service: ServiceAtHome;
  let rules: WatchedRules;
  beforeAll(async () => {
    service = await ServiceAtHome.start(lab());
    rules = await WatchedRules.open(service);
  });
  afterAll(() => service?.close());

  const create = async (servers: string[]): Promise<RuleAtHome[]> => [
    await service.createRule({ transport: "udp", stun_servers: servers }),
    await service.createRule({ transport: "tcp", stun_servers: servers }),
  ];

  it("that is cut loses holes, which are found again as they were", async () => {
    await lab().nat.cut();
    await rules.become("lost", 60_000);
    await rules.haveNotChanged();
    await lab().nat.restore();
    await rules.areAsBefore(60_000);
    expect.hasAssertions();
  });

  it("that loses a fifth of all packets changes nothing", async () => {
    await lab().nat.lose(20);
    await Promise.all(rules.all.map((rule) => rule.isProbedAgain(30, 180_000)));
    await lab().nat.lose(0);
    await rules.areAsBefore(60_000);
    expect.hasAssertions();
  });

  it("that leads to a liar at first tells new rules no mapping until others agree", async () => {
    const [, liar] = lab().stunServers;
    await liar.lie(LIE);
    const ofTwo = await create(["stun2.test:3478", "stun1.test:3478"]);
    const ofThree = await create(["stun2.test:3478", "stun1.test:3478", "203.0.113.12:3478"]);
    for (const rule of ofTwo) await rule.becomes("endpoint_dependent", 25_000);
    for (const rule of ofTwo) expect(await rule.changes()).toEqual([]);
    for (const rule of ofThree) await rule.becomes("open");
    await liar.start();
    for (const rule of [...ofTwo, ...ofThree]) {
      await rule.becomes("open", 40_000);
      const changes = await rule.changes();
      expect(changes.map((each) => each.public_ip)).toEqual([lab().nat.publicAddress]);
    }
    await rules.areAsBefore(40_000);
  });
});
