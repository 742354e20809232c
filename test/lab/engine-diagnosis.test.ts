import { afterAll, beforeAll, expect, it } from "vitest";
import type { StunDiagnosis } from "../../src/shared/api/stun-diagnosis.ts";
import { describeInLaboratory } from "../support/laboratory.ts";
import { ServiceAtHome } from "../support/service-at-home.ts";

describeInLaboratory("A diagnosis by the service at home", {}, (lab) => {
  let service: ServiceAtHome;
  beforeAll(async () => {
    service = await ServiceAtHome.start(lab());
  });
  afterAll(() => service?.close());

  const diagnose = (transport: "udp" | "tcp") =>
    service.ask<StunDiagnosis>("POST", "/api/stun/diagnose", { transport });

  it.each([
    ["full_cone", "endpoint_independent", "endpoint_independent"],
    ["port_restricted", "endpoint_independent", "address_and_port_dependent"],
    ["symmetric", "address_and_port_dependent", "address_and_port_dependent"],
  ] as const)("calls a NAT that is %s by what it does", async (kind, mapping, filtering) => {
    await lab().nat.become(kind);
    const [udp, tcp] = await Promise.all([diagnose("udp"), diagnose("tcp")]);
    const public_ip = lab().nat.publicAddress;
    expect(udp).toMatchObject({ transport: "udp", mapping, filtering, public_ip });
    expect(tcp).toMatchObject({ transport: "tcp", mapping, filtering: "unknown", public_ip });
    for (const { servers } of [udp, tcp]) {
      expect(servers.map((each) => [each.server, each.error])).toEqual([
        ["stun1.test:3478", null],
        ["stun2.test:3478", null],
      ]);
    }
  });
});
