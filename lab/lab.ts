import { mkdir } from "node:fs/promises";
import { join } from "node:path";
import { CARRIER, INTERNET, STUN_SERVERS, WEB_HOSTS } from "./address-plan.ts";
import { openDoorway, openWayOut, type Doorway } from "./doorway.ts";
import { HomePrefix } from "./home-prefix.ts";
import { HostNames } from "./host-names.ts";
import { newLaboratoryName } from "./identity.ts";
import { folderOf, Keeper, sweepDeadLaboratories } from "./keeper.ts";
import { Namespace } from "./namespace.ts";
import { Nat } from "./nat.ts";
import type { NatBehaviour, NatKind } from "./nat-behaviour.ts";
import { Peer } from "./peer.ts";
import { whyNoLaboratory } from "./requirements.ts";
import { StunServer } from "./stun-server.ts";
import { joinCarrier, joinHome, joinInternet } from "./topology.ts";
import { WebHost } from "./web-host.ts";

export interface LabOptions {
  /** The home router's NAT; a full cone unless it says otherwise. */
  nat?: NatKind | Partial<NatBehaviour>;
  /** A second NAT, between the home router and the internet. */
  carrier?: NatKind | Partial<NatBehaviour>;
  /** IPv6 besides, with a prefix of the home's own; not behind a carrier's NAT. */
  ipv6?: boolean;
}

/** What stands before anything runs in it. */
interface Ground {
  folder: string;
  keeper: Keeper;
  names: HostNames;
  home: Namespace;
  internet: Namespace;
  router: Nat;
  carrier: Nat | undefined;
  ipv6: HomePrefix | undefined;
}

/**
 * A home behind a NAT, and an internet with STUN servers and web hosts, in network namespaces of
 * this machine, whose own network stays as it is.
 */
export class Lab {
  /** The host behind the NAT. */
  readonly home: Namespace;
  readonly internet: Namespace;
  /** The NAT of the home router. */
  readonly router: Nat;
  /** The NAT with the public address: the carrier's if there is one, else the router's. */
  readonly nat: Nat;
  readonly names: HostNames;
  /** The home's IPv6 prefix, where there is IPv6. */
  readonly ipv6: HomePrefix | undefined;
  /** Somebody on the internet, to dial in. */
  readonly stranger: Peer;
  readonly stunServers: readonly [StunServer, StunServer];
  /** Two that hold connections open, and one that ends them with its first answer. */
  readonly webHosts: readonly [WebHost, WebHost, WebHost];
  readonly #folder: string;
  readonly #keeper: Keeper;

  private constructor(ground: Ground, stranger: Peer) {
    const { internet, folder } = ground;
    this.home = ground.home;
    this.internet = internet;
    this.router = ground.router;
    this.nat = ground.carrier ?? ground.router;
    this.names = ground.names;
    this.ipv6 = ground.ipv6;
    this.stranger = stranger;
    const hasIpv6 = ground.ipv6 !== undefined;
    const [first, second] = STUN_SERVERS;
    this.stunServers = [
      new StunServer(first, { namespace: internet, folder, hasIpv6, neighbour: stranger }),
      new StunServer(second, { namespace: internet, folder, hasIpv6, neighbour: stranger }),
    ];
    const [one, two, three] = WEB_HOSTS;
    this.webHosts = [
      new WebHost(one, internet, hasIpv6),
      new WebHost(two, internet, hasIpv6),
      new WebHost(three, internet, hasIpv6),
    ];
    this.#folder = folder;
    this.#keeper = ground.keeper;
  }

  /**
   * Builds one of its own; any number can stand side by side. `destroy` clears it away, and so does
   * the end of this process, whatever its cause. Throws when none can be built here.
   */
  static async create(options: LabOptions = {}): Promise<Lab> {
    const reason = whyNoLaboratory();
    if (reason) throw new Error(reason);
    await sweepDeadLaboratories();
    const laboratory = newLaboratoryName();
    const folder = folderOf(laboratory);
    const machines = ["home", "router", "carrier", "internet"].map(
      (each) => `${laboratory}-${each}`,
    );
    const keeper = new Keeper(folder, machines);
    try {
      await mkdir(folder, { mode: 0o700 });
      const ground = await build({ folder, keeper, machines, options });
      const lab = new Lab(ground, await Peer.start(ground.internet));
      const hosts = [...lab.stunServers, ...lab.webHosts];
      await Promise.all(hosts.map((host) => host.start()));
      return lab;
    } catch (error) {
      await keeper.clear();
      throw error;
    }
  }

  /** A way from this machine to a port on the home host's loopback address. */
  openDoorway(port: number): Promise<Doorway> {
    return openDoorway(this.home, port, this.#folder);
  }

  /** A way from a port on the home host's loopback address to the same port on this machine's. */
  openWayOut(port: number): Promise<{ close(): Promise<void> }> {
    return openWayOut(this.home, port, this.#folder);
  }

  /** Ends everything that runs in it and removes it; safe twice. */
  destroy(): Promise<void> {
    return this.#keeper.clear();
  }
}

async function build(plan: {
  folder: string;
  keeper: Keeper;
  machines: readonly string[];
  options: LabOptions;
}): Promise<Ground> {
  const { folder, keeper, machines, options } = plan;
  const names = new HostNames(join(folder, "hosts"));
  const withIpv6 = (ipv4: string, ipv6: string) => (options.ipv6 ? [ipv4, ipv6] : [ipv4]);
  for (const { name, addresses, ipv6 } of STUN_SERVERS) {
    await names.set(name, withIpv6(addresses[0], ipv6[0]));
  }
  for (const { name, address, ipv6 } of WEB_HOSTS) await names.set(name, withIpv6(address, ipv6));
  const [home, middle, outer, internet] = machines.map(
    (name) => new Namespace(name, names.file),
  ) as [Namespace, Namespace, Namespace, Namespace];
  await Promise.all([home, middle, internet].map((each) => each.create()));
  await joinHome(home, middle);
  if (!options.carrier) {
    const router = new Nat(middle, INTERNET.pool);
    await joinInternet(middle, internet);
    await router.open(options.nat ?? {});
    const ipv6 = options.ipv6
      ? await HomePrefix.open({ home, router: middle, internet })
      : undefined;
    return { folder, keeper, names, home, internet, router, carrier: undefined, ipv6 };
  }
  if (options.ipv6) throw new Error("There is no IPv6 behind a carrier's NAT.");
  await outer.create();
  await joinCarrier(middle, outer);
  await joinInternet(outer, internet);
  const router = new Nat(middle, CARRIER.pool);
  const carrier = new Nat(outer, INTERNET.pool);
  await router.open(options.nat ?? {});
  await carrier.open(options.carrier);
  return { folder, keeper, names, home, internet, router, carrier, ipv6: undefined };
}
