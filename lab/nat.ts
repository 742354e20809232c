import type { Endpoint, Transport } from "./endpoint.ts";
import type { Namespace } from "./namespace.ts";
import {
  changedBehaviour,
  DEFAULT_BEHAVIOUR,
  type NatBehaviour,
  type NatKind,
} from "./nat-behaviour.ts";
import { forgetMappings, rememberedMappings } from "./nat-memory.ts";
import { addressRules, closeRules, natRules, openRules, type NatState } from "./nat-rules.ts";
import { PortSupply } from "./port-supply.ts";
import { blockRules, cutRules, lossRules, trafficRules } from "./traffic-rules.ts";

export interface Mapping {
  transport: Transport;
  inside: Endpoint;
  public: Endpoint;
}

/**
 * A router with a NAT of the kernel, between the links `lan` and `wan` of a namespace. A switch
 * takes effect on live flows at once: nothing passes while it happens, some 10 ms.
 * Each resolves to the time (epoch ms) since which it is in force.
 */
export class Nat {
  readonly namespace: Namespace;
  readonly #pool: readonly string[];
  readonly #supply = new PortSupply();
  #state: NatState;

  /** @param pool the public addresses that it may use, all of which lead to it */
  constructor(namespace: Namespace, pool: readonly string[]) {
    this.namespace = namespace;
    this.#pool = pool;
    this.#state = {
      behaviour: DEFAULT_BEHAVIOUR,
      publicAddress: addressAfter(pool, undefined),
      ports: this.#supply.next(),
    };
  }

  get publicAddress(): string {
    return this.#state.publicAddress;
  }

  get behaviour(): NatBehaviour {
    return this.#state.behaviour;
  }

  /** Once, before everything else. */
  async open(behaviour: NatKind | Partial<NatBehaviour>): Promise<void> {
    await this.#load(trafficRules);
    await this.namespace.set({ "ipv4/ip_forward": 1 });
    await this.become(behaviour);
  }

  /** Behaves otherwise from now on. All mappings are new, at other ports. */
  async become(behaviour: NatKind | Partial<NatBehaviour>): Promise<number> {
    const changed = changedBehaviour(this.behaviour, behaviour);
    await this.namespace.set({
      "netfilter/nf_conntrack_udp_timeout": changed.udpTimeoutSeconds,
      "netfilter/nf_conntrack_udp_timeout_stream": changed.udpTimeoutSeconds,
      "netfilter/nf_conntrack_tcp_timeout_established": changed.tcpTimeoutSeconds,
      // What the kernel still remembers of a flow would keep its mapped port from another one.
      "netfilter/nf_conntrack_tcp_timeout_time_wait": changed.tcpClosingSeconds,
    });
    return this.#remap({ behaviour: changed });
  }

  /** Has the next public address, or that one, and the same mapped ports. */
  async switchAddress(address = addressAfter(this.#pool, this.publicAddress)): Promise<number> {
    if (!this.#pool.includes(address)) {
      throw new Error(`${address} is none of ${this.#pool.join(", ")}.`);
    }
    this.#state = { ...this.#state, publicAddress: address };
    return this.#replace(addressRules(this.#state));
  }

  /** Maps everything to other ports of the same address. */
  switchPorts(): Promise<number> {
    if (this.behaviour.keepsPorts) throw new Error("A NAT that keeps ports has no others.");
    return this.#remap({});
  }

  switchAddressAndPorts(): Promise<number> {
    if (this.behaviour.keepsPorts) throw new Error("A NAT that keeps ports has no others.");
    return this.#remap({ publicAddress: addressAfter(this.#pool, this.publicAddress) });
  }

  /** Forgets the mappings of inside endpoints, as when they were idle for too long. */
  async forget(transport: Transport, ...insides: Endpoint[]): Promise<number> {
    await this.#load(closeRules);
    await forgetMappings(this.namespace, transport, insides);
    return this.#load(openRules);
  }

  /** What it maps at present. */
  async mappings(): Promise<Mapping[]> {
    const { publicAddress: address, ports, behaviour } = this.#state;
    return (await rememberedMappings(this.namespace)).map(({ transport, name, inside }) => {
      const port = behaviour.keepsPorts ? name : (ports[name - 1] ?? 0);
      return { transport, inside, public: { address, port } };
    });
  }

  /** Loses every packet from now on, and says nothing. */
  cut(): Promise<number> {
    return this.#load(cutRules(true));
  }

  restore(): Promise<number> {
    return this.#load(cutRules(false));
  }

  /** Loses every packet from or to an address. */
  block(address: string): Promise<number> {
    return this.#load(blockRules(address, true));
  }

  unblock(address: string): Promise<number> {
    return this.#load(blockRules(address, false));
  }

  /** Loses that share of the packets, by chance, in each direction; 0 ends it. */
  lose(percent: number): Promise<number> {
    return this.#load(lossRules(percent));
  }

  /**
   * Makes each round trip over its link to the internet longer; 0 ends it.
   * Throws where the kernel cannot: it needs the module `sch_netem`.
   */
  async delay(milliseconds: number): Promise<number> {
    const discipline = ["root", "netem", "delay", `${milliseconds}ms`];
    const change =
      milliseconds > 0 ? ["replace", "dev", "wan", ...discipline] : ["del", "dev", "wan", "root"];
    await this.namespace.run("tc", ["qdisc", ...change]);
    return Date.now();
  }

  /** Other ports for everything; `change` besides. */
  #remap(change: Partial<NatState>): Promise<number> {
    this.#state = { ...this.#state, ...change, ports: this.#supply.next() };
    return this.#replace(natRules(this.#state));
  }

  async #replace(rules: string): Promise<number> {
    await this.#load(rules + closeRules);
    await this.namespace.run("conntrack", ["--flush"]);
    return this.#load(openRules);
  }

  async #load(rules: string): Promise<number> {
    await this.namespace.run("nft", ["--file", "-"], rules);
    return Date.now();
  }
}

function addressAfter(pool: readonly string[], address: string | undefined): string {
  const next = pool[(pool.indexOf(address ?? "") + 1) % pool.length];
  if (next === undefined) throw new Error("A NAT needs an address.");
  return next;
}
