import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { describeInLaboratory } from "../support/laboratory.ts";
import { publicEndpoint, type RuleAtHome } from "../support/rule-at-home.ts";
import { ServiceAtHome } from "../support/service-at-home.ts";
import type { MappingChange, RuleState } from "../../src/shared/api/stun.ts";

const ports = (states: readonly RuleState[]) => states.map(({ local_port }) => local_port);

describeInLaboratory("A service that is started again", {}, (lab) => {
  let service: ServiceAtHome;
  let rules: RuleAtHome[];
  beforeAll(async () => {
    service = await ServiceAtHome.start(lab());
    rules = [
      await service.createRule({ transport: "udp" }),
      await service.createRule({ transport: "tcp" }),
      await service.createRule({ transport: "udp", local_port: 4_500, settle_seconds: 1 }),
      await service.createRule({ transport: "tcp", local_port: 4_500, settle_seconds: 1 }),
    ];
    await Promise.all(rules.map((rule) => rule.becomes("open")));
  });
  afterAll(() => service?.close());

  const changes = () => Promise.all(rules.map((rule) => rule.changes()));
  /** What it was, what it is once probes have shown what there is. */
  const runAgain = async (end: () => Promise<unknown>) => {
    const states = await Promise.all(rules.map((rule) => rule.becomes("open")));
    const before = await changes();
    await end();
    await service.run();
    await Promise.all(rules.map((rule) => rule.isProbedAgain(3, 30_000)));
    const opened = await Promise.all(rules.map((rule) => rule.becomes("open")));
    expect(ports(opened)).toEqual(ports(states));
    return { before, after: await changes() };
  };
  const expectOneMore = async (
    { before, after }: { before: MappingChange[][]; after: MappingChange[][] },
    changed: string[],
  ) => {
    for (const [index, [newest, ...earlier]] of after.entries()) {
      expect(earlier).toEqual(before[index]);
      expect(newest?.changed).toEqual(changed);
      const seen = await rules[index]?.mappings();
      expect(seen).toEqual([publicEndpoint(newest as MappingChange)]);
    }
  };

  describe("on the same mapping", () => {
    it("knows no change after kill -9", async () => {
      const { before, after } = await runAgain(() => service.kill());
      expect(after).toEqual(before);
    });

    it("knows no change after a stop in order", async () => {
      const { before, after } = await runAgain(async () => {
        expect(await service.terminate()).toBe(0);
      });
      expect(after).toEqual(before);
    });
  });

  it("on another mapping knows exactly one change", async () => {
    const outcome = await runAgain(async () => {
      await service.kill();
      await lab().nat.switchAddressAndPorts();
    });
    await expectOneMore(outcome, ["ip", "port"]);
    expect.hasAssertions();
  });

  it("knows exactly one change when it was killed in the middle of it", async () => {
    const outcome = await runAgain(async () => {
      await lab().nat.switchAddress();
      // Those that settle are not done; the others may be.
      await rules[2]?.becomes("suspect");
      await service.kill();
    });
    await expectOneMore(outcome, ["ip"]);
    expect.hasAssertions();
  });
});
