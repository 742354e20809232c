import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { HOME } from "../../lab/address-plan.ts";
import { Peer } from "../../lab/peer.ts";
import { PortMappingDaemon } from "../../lab/port-mapping-daemon.ts";
import { RemoteProgram } from "../../lab/remote-program.ts";
import type { PortMappingState } from "../../src/server/stun/port-mapping.ts";
import type { StunDiagnosis } from "../../src/shared/api/stun-diagnosis.ts";
import { describeInLaboratory } from "../support/laboratory.ts";
import type { MappingQuestion } from "../support/mapping-program.ts";
import { ServiceAtHome } from "../support/service-at-home.ts";

const program = new URL("../support/mapping-program.ts", import.meta.url);
const cli = fileURLToPath(new URL("../../src/server/cli.ts", import.meta.url));
/** Miniupnpd refuses to say a reserved address, as all of the laboratory's are. Nothing is sent there. */
const SAID_IP = "100.128.0.1";

describeInLaboratory("A home router that forwards ports", { nat: "port_restricted" }, (lab) => {
  let folder: string;
  let daemon: PortMappingDaemon;
  let home: Peer;
  let mapper: RemoteProgram;
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), "waypost-port-mapping-"));
    daemon = await PortMappingDaemon.start(lab().router.namespace, folder, SAID_IP);
    home = await Peer.start(lab().home);
    mapper = await RemoteProgram.start(lab().home, program);
  });
  afterAll(async () => {
    await mapper?.kill();
    await daemon?.stop();
    await rm(folder, { recursive: true, force: true });
  });

  const map = (question: Pick<MappingQuestion, "by" | "transport" | "port">) =>
    mapper.ask<PortMappingState>("start", {
      router: HOME.gateway,
      localAddress: HOME.host,
      ...question,
    });
  const dial = async (transport: "udp" | "tcp", port: number, timeoutMs = 3_000) => {
    const to = { address: lab().router.publicAddress, port };
    const { text } = await lab().stranger.send(transport, to, "hello", { timeoutMs });
    return text?.startsWith("hello from ") ?? false;
  };

  describe.each(["pcp", "nat_pmp", "upnp"] as const)("by %s", (by) => {
    it.each(["udp", "tcp"] as const)(
      "lets strangers in as long as it is asked to: %s",
      async (transport) => {
        const port = await home.open(transport);
        expect(await dial(transport, port, 200)).toBe(false);
        const state = await map({ by: [by], transport, port });
        expect(state).toEqual({
          status: "mapped",
          by,
          externalIp: SAID_IP,
          externalPort: port,
        });
        expect(await dial(transport, port)).toBe(true);
        expect(await mapper.ask("stop", {})).toEqual({ status: "ended" });
        expect(await dial(transport, port, 200)).toBe(false);
        await home.close(transport, port);
      },
    );
  });

  it("is asked by the best protocol first", async () => {
    const port = await home.open("udp");
    expect(await map({ by: [], transport: "udp", port })).toMatchObject({ by: "pcp" });
    await mapper.ask("stop", {});
  });

  it("forwards the port of a rule as long as the rule runs, beside what STUN servers see", async () => {
    const target = await home.open("udp");
    const service = await ServiceAtHome.start(lab(), { WAYPOST_PORT_MAPPING: "auto" });
    const rule = await service.createRule({
      transport: "udp",
      forward_to: { host: "127.0.0.1", port: target },
    });
    const { local_port: port, public_port } = await rule.becomes("open");
    expect(public_port).not.toBe(port);
    await expect.poll(() => dial("udp", port ?? 0, 200)).toBe(true);
    expect(await service.terminate()).toBe(0);
    expect(await dial("udp", port ?? 0, 200)).toBe(false);
    const left = await lab().router.namespace.run("nft", [
      "list",
      "chain",
      "inet",
      "upnp",
      "inward",
    ]);
    expect(left).not.toContain("dnat");
    await service.close();
  });

  it("is heard in the diagnosis, and not mixed into it", async () => {
    const server = "stun1.test:3478";
    const parameters = [cli, "stun", "--json", "--server", server];
    const found = JSON.parse(await lab().home.run(process.execPath, parameters)) as StunDiagnosis;
    expect(found.public_ip).toBe(lab().nat.publicAddress);
    expect(found.advice.join(" ")).toContain(
      `Your router has the address ${SAID_IP} and servers see ${lab().nat.publicAddress}`,
    );
  });
});
