import type { ChildProcess } from "node:child_process";
import { once } from "node:events";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { HOME } from "./address-plan.ts";
import type { Namespace } from "./namespace.ts";

const HTTP_PORT = 5000;

const tables = `
table inet upnp {
  chain forwarded { }
  chain forward { type filter hook forward priority filter + 10; policy accept; jump forwarded; }
  chain inward { }
  chain prerouting { type nat hook prerouting priority dstnat - 5; policy accept; jump inward; }
  chain outward { }
  chain postrouting { type nat hook postrouting priority srcnat - 5; policy accept; jump outward; }
}
`;

/** Debian's miniupnpd on the home router, which forwards ports when the home asks for it. */
export class PortMappingDaemon {
  readonly #process: ChildProcess;

  private constructor(process: ChildProcess) {
    this.#process = process;
  }

  /**
   * @param folder for its configuration
   * @param externalIp what it says of the router's outer address
   */
  static async start(
    router: Namespace,
    folder: string,
    externalIp: string,
  ): Promise<PortMappingDaemon> {
    await router.run("nft", ["-f", "-"], tables);
    // Answers to multicast are sent to the group's members.
    await router.run("ip", ["route", "add", "239.0.0.0/8", "dev", "lan"]);
    const file = join(folder, "miniupnpd.conf");
    await writeFile(file, toConfiguration(folder, externalIp));
    const process = router.spawn("miniupnpd", ["-d", "-f", file], {
      stdio: ["ignore", "ignore", "pipe"],
    });
    const started = Promise.withResolvers<void>();
    let said = "";
    process.stderr?.on("data", (bytes: Buffer) => {
      said += bytes.toString();
      if (said.includes("Listening for NAT-PMP")) started.resolve();
    });
    process.once("exit", () => started.reject(new Error(`miniupnpd has ended:\n${said}`)));
    await started.promise;
    return new PortMappingDaemon(process);
  }

  async stop(): Promise<void> {
    if (this.#process.exitCode !== null || this.#process.signalCode !== null) return;
    this.#process.kill();
    await once(this.#process, "exit");
  }
}

function toConfiguration(folder: string, externalIp: string): string {
  return [
    "ext_ifname=wan",
    `ext_ip=${externalIp}`,
    "listening_ip=lan",
    `port=${HTTP_PORT}`,
    "enable_natpmp=yes",

    "enable_upnp=yes",
    "secure_mode=yes",
    "uuid=5f1c5a9e-7d0e-4c53-9a0d-6f1c1f3f4d11",
    `lease_file=${join(folder, "upnp.leases")}`,
    "upnp_table_name=upnp",
    "upnp_nat_table_name=upnp",
    "upnp_forward_chain=forwarded",
    "upnp_nat_chain=inward",
    "upnp_nat_postrouting_chain=outward",
    `allow 1024-65535 ${HOME.prefix} 1024-65535`,
    "deny 0-65535 0.0.0.0/0 0-65535",
    "",
  ].join("\n");
}
