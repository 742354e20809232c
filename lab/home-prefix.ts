import { IPV6, STUN_SERVERS, WEB_HOSTS } from "./address-plan.ts";
import type { Namespace } from "./namespace.ts";
import { firewallRules } from "./traffic-rules.ts";

interface Machines {
  home: Namespace;
  router: Namespace;
  internet: Namespace;
}

/** IPv6 without a NAT: a prefix that is routed to the home, behind a firewall that keeps state. */
export class HomePrefix {
  readonly #machines: Machines;
  #current = 0;

  private constructor(machines: Machines) {
    this.#machines = machines;
  }

  /** Gives every machine IPv6, the links of which stand already. */
  static async open(machines: Machines): Promise<HomePrefix> {
    const { home, router, internet } = machines;
    for (const each of [home, router, internet]) await each.enableIpv6();
    await router.run("nft", ["--file", "-"], firewallRules);
    await router.set({ "ipv6/conf/all/forwarding": 1 });
    await router.configure([
      `addr add ${IPV6.gateway}/64 dev lan nodad`,
      `addr add ${IPV6.router}/64 dev wan nodad`,
      `route add ${IPV6.internet} dev wan`,
    ]);
    const hosts = [
      IPV6.stranger,
      ...STUN_SERVERS.flatMap((server) => server.ipv6),
      ...WEB_HOSTS.map((host) => host.ipv6),
    ];
    await internet.configure([
      ...hosts.map((address) => `addr add ${address}/128 dev net nodad`),
      ...IPV6.prefixes.map(
        (prefix) => `route add ${prefix}/64 via ${IPV6.router} dev net src ${IPV6.stranger}`,
      ),
    ]);
    await home.configure([`route add default via ${IPV6.gateway} dev lan`]);
    const prefix = new HomePrefix(machines);
    await prefix.#change("add");
    return prefix;
  }

  /** Of the home host. */
  get host(): string {
    return `${this.#prefix}${IPV6.host}`;
  }

  /** A second one of the home host. */
  get secondary(): string {
    return `${this.#prefix}${IPV6.secondary}`;
  }

  /**
   * The home has the next prefix from now on, and nothing of the one before.
   * @returns the time (epoch ms) since which it is so
   */
  async renumber(): Promise<number> {
    await this.#change("del");
    this.#current = (this.#current + 1) % IPV6.prefixes.length;
    await this.#change("add");
    return Date.now();
  }

  get #prefix(): string {
    return IPV6.prefixes[this.#current] as string;
  }

  async #change(verb: "add" | "del"): Promise<void> {
    const { home, router } = this.#machines;
    // Of two addresses that would do, the system takes the one that came last.
    await home.configure(
      [this.secondary, this.host].map((address) => `addr ${verb} ${address}/64 dev lan nodad`),
    );
    await router.configure([`route ${verb} ${this.#prefix}/64 dev lan`]);
  }
}
