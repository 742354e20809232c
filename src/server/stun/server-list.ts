import { isIPv6 } from "node:net";
import { toHost } from "../lib/address.ts";
import { formatHostPort, type HostPort } from "../lib/host-port.ts";
import { formatEndpoint, type Endpoint } from "./endpoint.ts";
import type { NameCache } from "./name-cache.ts";
import { partiesOf, type PinnedServer } from "./parties.ts";

const FIRST_REST_MS = 60_000;
const LONGEST_REST_MS = 1_800_000;

interface Pinned extends PinnedServer {
  endpoint: Endpoint;
}

interface Silence {
  times: number;
  restsUntil: number;
}

/**
 * The STUN servers of a hole, each held to one address: under some routers another address sees
 * another mapping. Those that do not answer are asked last, for a while.
 */
export class ServerList {
  readonly #hosts: readonly HostPort[];
  readonly #names: Pick<NameCache, "resolve">;
  readonly #silent = new Map<string, Silence>();
  #pinned: Pinned[] = [];
  #parties: ReadonlyMap<string, string> = new Map();
  #complaint: string | undefined;
  #primary: string | undefined;

  constructor(hosts: readonly HostPort[], names: Pick<NameCache, "resolve">) {
    this.#hosts = hosts;
    this.#names = names;
  }

  /** The pinned addresses. */
  get servers(): string[] {
    return this.#pinned.map((each) => each.name);
  }

  /** Servers of the same people have the same. */
  get parties(): ReadonlyMap<string, string> {
    return this.#parties;
  }

  /** Which of the configured ones cannot be asked, where others can, to follow a semicolon. */
  get complaint(): string | undefined {
    return this.#pinned.length === 0 ? undefined : this.#complaint;
  }

  /**
   * Finds the addresses and holds each server to one, another than before where that was silent.
   * Keeps the former ones when there are none now. @returns whether there are any
   */
  async resolve(isIpv6: boolean): Promise<boolean> {
    const found = await Promise.all(this.#hosts.map((each) => this.#pin(each, isIpv6)));
    const pinned = new Map(found.flatMap((each) => (each ? [[each.name, each] as const] : [])));
    const nameless = this.#hosts.filter((_, at) => !found[at]).map(formatHostPort);
    const family = isIpv6 ? "IPv6" : "IPv4";
    this.#complaint =
      nameless.length === 0 ? undefined : `no ${family} address: ${nameless.join(", ")}`;
    if (pinned.size > 0) {
      this.#pinned = [...pinned.values()];
      this.#parties = partiesOf(this.#pinned);
    }
    if (this.#primary === undefined || !this.servers.includes(this.#primary)) {
      this.#primary = this.#pinned[0]?.name;
    }
    return this.#pinned.length > 0;
  }

  get(server: string): Endpoint | undefined {
    return this.#pinned.find((each) => each.name === server)?.endpoint;
  }

  /** Whom to ask, in this order: the one that answered last, unless it is doubted, first. */
  order(now: number, isDoubted: (server: string) => boolean): string[] {
    const rank = ({ name }: Pinned) =>
      (this.#isResting(name, now) ? 4 : 0) +
      (isDoubted(name) ? 2 : 0) +
      (name === this.#primary ? 0 : 1);
    const ranked = this.#pinned.map((each) => ({ name: each.name, rank: rank(each) }));
    return ranked.sort((a, b) => a.rank - b.rank).map((each) => each.name);
  }

  answered(server: string): void {
    this.#silent.delete(server);
  }

  failed(server: string, now: number): void {
    const times = (this.#silent.get(server)?.times ?? 0) + 1;
    const restMs = Math.min(FIRST_REST_MS * 2 ** (times - 1), LONGEST_REST_MS);
    this.#silent.set(server, { times, restsUntil: now + restMs });
  }

  /** It is asked first from now on. */
  prefer(server: string): void {
    this.#primary = server;
  }

  async #pin({ host, port }: HostPort, isIpv6: boolean): Promise<Pinned | undefined> {
    const all = await this.#names.resolve(host);
    const addresses = all
      .filter((each) => isIPv6(each) === isIpv6)
      .map((one) => toHost(one) ?? one);
    const candidates = addresses.map((address) => {
      const endpoint = { address, port };
      return { name: formatEndpoint(endpoint), address, host, addresses, endpoint };
    });
    return candidates.find((each) => !this.#silent.has(each.name)) ?? candidates[0];
  }

  #isResting(server: string, now: number): boolean {
    return (this.#silent.get(server)?.restsUntil ?? 0) > now;
  }
}
