import type { ChildProcess } from "node:child_process";
import { once } from "node:events";
import type { Lab } from "../../../lab/lab.ts";

const NEAR = "198.18.7.1";
const FAR = "198.18.7.2";
/** Datagrams of some kilobytes, in fragments, until it is ended. */
const SEND = `while :; do printf '%*s' $((RANDOM % 3000 + 1)) x >/dev/udp/${FAR}/9 || :; done`;

/** A link of the home host on which nothing passes but what the test sends. */
export class MeteredLink {
  static readonly interfaceName = "metered";
  readonly #lab: Lab;
  #sender: ChildProcess | undefined;

  private constructor(lab: Lab) {
    this.#lab = lab;
  }

  static async lay(lab: Lab): Promise<MeteredLink> {
    const { home, internet } = lab;
    const name = MeteredLink.interfaceName;
    await home.run("ip", [
      "link",
      "add",
      name,
      "type",
      "veth",
      "peer",
      "name",
      "far",
      "netns",
      internet.name,
    ]);
    await home.run("ip", ["address", "add", `${NEAR}/30`, "dev", name]);
    await internet.run("ip", ["address", "add", `${FAR}/30`, "dev", "far"]);
    await home.run("ip", ["link", "set", name, "up"]);
    await internet.run("ip", ["link", "set", "far", "up"]);
    const [near, far] = [await addressOf(home, name), await addressOf(internet, "far")];
    // Nobody has to ask where the other one is.
    await home.run("ip", ["neigh", "replace", FAR, "lladdr", far, "dev", name, "nud", "permanent"]);
    await internet.run("ip", [
      "neigh",
      "replace",
      NEAR,
      "lladdr",
      near,
      "dev",
      "far",
      "nud",
      "permanent",
    ]);
    return new MeteredLink(lab);
  }

  /** Sends until `stop`; the other end answers some of it. */
  start(): void {
    this.#sender = this.#lab.home.spawn("bash", ["-c", SEND], { stdio: "ignore" });
  }

  async stop(): Promise<void> {
    const sender = this.#sender;
    this.#sender = undefined;
    if (!sender) return;
    const ended = once(sender, "exit");
    sender.kill("SIGKILL");
    await ended;
  }

  /** What the kernel has counted, both directions together. */
  async bytes(): Promise<number> {
    const folder = `/sys/class/net/${MeteredLink.interfaceName}/statistics`;
    const text = await this.#lab.home.run("cat", [`${folder}/rx_bytes`, `${folder}/tx_bytes`]);
    return text
      .trim()
      .split("\n")
      .reduce((sum, line) => sum + Number(line), 0);
  }
}

async function addressOf(where: Lab["home"], link: string): Promise<string> {
  return (await where.run("cat", [`/sys/class/net/${link}/address`])).trim();
}
