import { afterAll, beforeAll, expect, it } from "vitest";
import type { Endpoint } from "../../lab/endpoint.ts";
import type { StunServer } from "../../lab/stun-server.ts";
import { describeInLaboratory } from "../support/laboratory.ts";
import type { RuleAtHome } from "../support/rule-at-home.ts";
import { ServiceAtHome } from "../support/service-at-home.ts";
import { WatchedRules } from "./watched-rules.ts";

const LIE: Endpoint = { address: "192.0.2.66", port: 666 };

const asks = async (rule: RuleAtHome, addresses: readonly string[]) => {
  const { server } = await rule.state();
  return addresses.some((address) => server === `${address}:3478`);
};

describeInLaboratory("A STUN server", {}, (lab) => {
  let service: ServiceAtHome;
  let rules: WatchedRules;
  beforeAll(async () => {
    service = await ServiceAtHome.start(lab());
    rules = await WatchedRules.open(service);
  });
  afterAll(() => service?.close());

  it("that dies leaves the work to another one, and nothing changes", async () => {
    const [dying, other] = lab().stunServers;
    await dying.kill();
    await rules.areAsBefore();
    for (const rule of rules.all) expect(await asks(rule, other.addresses)).toBe(true);
    await dying.start();
    await rules.areAsBefore();
  }, 60_000);

  /** @returns false when a rule has left the server in the moment in which the liar takes its place */
  async function everyoneHears(liar: StunServer): Promise<boolean> {
    const hears = async (rule: RuleAtHome) =>
      (await rule.observations()).some((each) => each.public_ip === LIE.address);
    for (const rule of rules.all) expect(await asks(rule, liar.addresses)).toBe(true);
    await liar.lie(LIE);
    for (const rule of rules.all) {
      const hasHeardOrLeft = async () => (await hears(rule)) || !(await asks(rule, liar.addresses));
      await expect.poll(hasHeardOrLeft, { timeout: 20_000 }).toBe(true);
    }
    return (await Promise.all(rules.all.map(hears))).every(Boolean);
  }

  it("that lies is found out, and nothing changes, not even while it is asked first", async () => {
    const [honest, liar] = lab().stunServers;
    while (!(await everyoneHears(liar))) {
      await liar.start();
      await honest.kill();
      for (const rule of rules.all) {
        await expect.poll(() => asks(rule, liar.addresses), { timeout: 20_000 }).toBe(true);
      }
      await honest.start();
      await rules.areAsBefore(40_000);
    }
    // One word against another.
    for (const rule of rules.all.slice(0, 2)) {
      const { last_error } = await rule.becomes("endpoint_dependent", 25_000);
      expect(last_error).toContain(LIE.address);
      expect(last_error).toContain(lab().nat.publicAddress);
    }
    await rules.haveNotChanged();
    await liar.start();
    await rules.areAsBefore(40_000);
  }, 120_000);

  it("that dies together with all others loses holes, which are found again as they were", async () => {
    const { stunServers } = lab();
    await Promise.all(stunServers.map((each) => each.kill()));
    for (const state of await rules.become("lost", 25_000)) {
      expect(state.consecutive_failures).toBeGreaterThanOrEqual(3);
      expect(state.last_error).toBeTruthy();
    }
    await rules.haveNotChanged();
    await Promise.all(stunServers.map((each) => each.start()));
    await rules.areAsBefore();
  }, 60_000);

  it("that lies at two ports is one liar; one that is alone with two ports is believed", async () => {
    const [honest, liar] = lab().stunServers;
    const ports = ["stun2.test:3478", "stun2.test:3479"];
    const outvoted = await service.createRule({
      transport: "udp",
      stun_servers: [...ports, `${honest.name}:3478`],
    });
    const alone = await service.createRule({ transport: "udp", stun_servers: ports });
    for (const rule of [outvoted, alone]) await rule.becomes("open");
    const before = await outvoted.changes();
    const [first] = await alone.changes();
    expect(new Set(first?.confirmed_by.map((each) => each.split(":")[0]))).toHaveLength(1);
    await liar.lie(LIE);
    await outvoted.becomes("endpoint_dependent", 25_000);
    // Nobody contradicts it there.
    await expect.poll(() => alone.changes(), { timeout: 10_000 }).toHaveLength(2);
    expect(await outvoted.changes()).toEqual(before);
    await liar.start();
    await outvoted.becomes("open", 40_000);
    expect(await outvoted.changes()).toEqual(before);
    for (const rule of [outvoted, alone]) await rule.remove();
  }, 90_000);
});
