import { lookup } from "node:dns/promises";
import { isIP } from "node:net";
import type { HostPort } from "../lib/host-port.ts";
import type { Endpoint } from "./endpoint.ts";

/** The first address of a name, asked of the system. */
export type Lookup = (host: string) => Promise<{ address: string }>;

/** A name is asked for again after these times; strangers' packets must not make it more often. */
const KEPT_MS = 30_000;
const FAILURE_KEPT_MS = 2_000;

/** Where relayed traffic goes: an address, or a name that is looked up now and then. */
export class TargetAddress {
  readonly #target: HostPort;
  readonly #lookup: Lookup;
  #found: Promise<Endpoint> | undefined;
  #keptUntil = 0;

  constructor(target: HostPort, find: Lookup = lookup) {
    this.#target = target;
    this.#lookup = find;
  }

  /** @throws what the system says when the name has no address */
  async find(): Promise<Endpoint> {
    const { host, port } = this.#target;
    if (isIP(host) !== 0) return { address: host, port };
    if (!this.#found || performance.now() > this.#keptUntil) {
      this.#keptUntil = performance.now() + KEPT_MS;
      this.#found = this.#ask();
    }
    return this.#found;
  }

  async #ask(): Promise<Endpoint> {
    try {
      const { address } = await this.#lookup(this.#target.host);
      return { address, port: this.#target.port };
    } catch (error) {
      this.#keptUntil = performance.now() + FAILURE_KEPT_MS;
      throw error;
    }
  }
}
