import { setTimeout as pause } from "node:timers/promises";
import { afterAll, beforeAll, expect, it } from "vitest";
import { describeInLaboratory } from "../support/laboratory.ts";
import { publicEndpoint, type RuleAtHome } from "../support/rule-at-home.ts";
import { ServiceAtHome } from "../support/service-at-home.ts";

const LOOK_EVERY_MS = 500;

/** Probing each second for so long, while nothing happens to the NAT. */
export function testQuietProbing(seconds: number): void {
  describeInLaboratory("A rule that probes each second", {}, (lab) => {
    let service: ServiceAtHome;
    beforeAll(async () => {
      service = await ServiceAtHome.start(lab());
    });
    afterAll(() => service?.close());

    const create = async (): Promise<RuleAtHome[]> => {
      const closing = ["web3.test:80", "web1.test:80"];
      return [
        await service.createRule({ transport: "udp" }),
        await service.createRule({ transport: "udp", local_port: 4_500 }),
        await service.createRule({ transport: "tcp" }),
        await service.createRule({ transport: "tcp", local_port: 4_500, keepalive_hosts: closing }),
      ];
    };

    it(
      `for ${seconds} seconds keeps its port and its mapping, and changes nothing`,
      async () => {
        const rules = await create();
        const before = await Promise.all(rules.map((rule) => rule.becomes("open")));
        const startedAt = new Date();
        while (Date.now() < startedAt.getTime() + seconds * 1_000) {
          const now = await Promise.all(rules.map((rule) => rule.state()));
          const lasting = ({
            status,
            local_port,
            public_ip,
            public_port,
          }: (typeof now)[number]) => [status, local_port, public_ip, public_port];
          expect(now.map(lasting)).toEqual(before.map(lasting));
          await pause(LOOK_EVERY_MS);
        }
        for (const [index, rule] of rules.entries()) {
          const mapped = publicEndpoint(before[index] as (typeof before)[number]);
          expect(await rule.mappings()).toEqual([mapped]);
          const changes = await rule.changes();
          expect(changes.map((each) => [each.changed, publicEndpoint(each)])).toEqual([
            [[], mapped],
          ]);
          const observations = await rule.observations(startedAt.toISOString());
          expect(observations.filter(({ error }) => error !== null)).toEqual([]);
          for (const each of observations) expect(publicEndpoint(each)).toEqual(mapped);
          expect(observations.length).toBeGreaterThanOrEqual(seconds * 0.9 - 1);
          expect(observations.length).toBeLessThanOrEqual(seconds * 1.1 + 3);
        }
        expect(service.said).not.toMatch(/"level":"(warn|error|fatal)"/);
      },
      (seconds + 60) * 1_000,
    );
  });
}
