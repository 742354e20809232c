import { afterAll, beforeAll, expect, it } from "vitest";
import type { HomePrefix } from "../../lab/home-prefix.ts";
import type { Namespace } from "../../lab/namespace.ts";
import { describeInLaboratory } from "../support/laboratory.ts";
import type { RuleAtHome } from "../support/rule-at-home.ts";
import { ServiceAtHome } from "../support/service-at-home.ts";

const TRANSPORTS = ["udp", "tcp"] as const;
/** A change takes an interval, two seconds and what a request of the test takes. */
const IN_TIME_MS = 5_000;

const close = (rules: RuleAtHome[]) => Promise.all(rules.map((rule) => rule.remove()));

describeInLaboratory("A rule over IPv6", { ipv6: true }, (lab) => {
  let service: ServiceAtHome;
  beforeAll(async () => {
    service = await ServiceAtHome.start(lab());
  });
  afterAll(() => service?.close());

  const prefix = (): HomePrefix => {
    const { ipv6 } = lab();
    if (!ipv6) throw new Error("There is IPv6.");
    return ipv6;
  };
  const open = async (local_address: string): Promise<RuleAtHome[]> => {
    const rules = await Promise.all(
      TRANSPORTS.map((transport) => service.createRule({ transport, local_address })),
    );
    await Promise.all(rules.map((rule) => rule.becomes("open")));
    return rules;
  };

  it.each(TRANSPORTS)(
    "over %s sees its own address and port, as nothing translates",
    async (transport) => {
      const rule = await service.createRule({ transport, local_address: "::" });
      const { public_ip, public_port, local_port, server } = await rule.becomes("open");
      expect([public_ip, public_port]).toEqual([prefix().host, local_port]);
      expect(server).toMatch(/^\[2001:db8:f::[12]1\]:3478$/);
      const [first] = await rule.changes();
      expect(first?.confirmed_by).toHaveLength(2);
      await rule.remove();
    },
  );

  it("keeps to the address that it names", async () => {
    const rules = await open(prefix().secondary);
    for (const rule of rules) {
      await rule.isProbedAgain(2);
      expect(await rule.state()).toMatchObject({
        status: "open",
        public_ip: prefix().secondary,
        local_address: prefix().secondary,
      });
    }
    await close(rules);
  });

  it("is one change of its address when the home gets another prefix", async () => {
    const rules = await open("::");
    const before = prefix().host;
    const ports = await Promise.all(rules.map(async (rule) => (await rule.state()).public_port));
    await prefix().renumber();
    expect(prefix().host).not.toBe(before);
    for (const [index, rule] of rules.entries()) {
      await expect.poll(() => rule.changes(), { timeout: IN_TIME_MS }).toHaveLength(2);
      await rule.isProbedAgain(3);
      const [change, ...first] = await rule.changes();
      expect(first).toHaveLength(1);
      expect(change).toMatchObject({
        changed: ["ip"],
        previous_ip: before,
        public_ip: prefix().host,
        public_port: ports[index],
      });
      expect((await rule.becomes("open")).public_ip).toBe(prefix().host);
    }
    await close(rules);
  });

  it("that names an address which goes with the prefix says so, and changes nothing", async () => {
    const rules = await open(prefix().secondary);
    const gone = prefix().secondary;
    await prefix().renumber();
    for (const rule of rules) {
      const { last_error } = await rule.becomes("error", 20_000);
      expect(last_error).toContain(gone);
      expect(await rule.changes()).toHaveLength(1);
    }
    await close(rules);
  });

  it("is reached by nobody who was not spoken to: there is a firewall", async () => {
    const rules = await open("::");
    const [, tcp] = rules;
    const { public_ip, public_port } = await (tcp as RuleAtHome).state();
    const dial = (from: Namespace) =>
      from.run("socat", [
        "-u",
        "/dev/null",
        `TCP6:[${public_ip}]:${public_port},connect-timeout=1`,
      ]);
    await expect(dial(lab().internet)).rejects.toThrow("timed out");
    // Behind the firewall it answers: nothing is relayed, so it resets what comes.
    const inside = await dial(lab().router.namespace).catch(String);
    expect(inside).not.toContain("timed out");
    await close(rules);
  });
});
