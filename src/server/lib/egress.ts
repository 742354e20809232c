import { within, TimeUp } from "../../probe/deadline.ts";
import { isIpAddress } from "../../probe/server-address.ts";
import { DialError, type Resolver } from "../../probe/sockets.ts";
import type { EgressPolicy } from "./egress-policy.ts";
import { ExchangeError } from "./exchange-error.ts";

/** Checked addresses, best first. */
export type CheckedAddresses = readonly [first: string, ...rest: string[]];

export interface EgressParts {
  policy: EgressPolicy;
  resolver: Resolver;
}

/** The way out: finds where a target lies, and whether it may be gone to. */
export class Egress {
  /** Targets that the policy has refused. */
  refused = 0;
  readonly #parts: EgressParts;

  constructor(parts: EgressParts) {
    this.#parts = parts;
  }

  /**
   * Resolves a name once. One address that the policy refuses makes the whole name refused, so that
   * nothing depends on which of them is dialled. Whoever dials takes one of the answer, not the name.
   * @param host a name, an IPv4 address, or an IPv6 address without brackets
   * @throws ExchangeError refused_by_policy, network, timeout; the reason of `signal`
   */
  async locate(
    host: string,
    port: number,
    limitMs: number,
    signal?: AbortSignal,
  ): Promise<CheckedAddresses> {
    const isAddress = isIpAddress(host);
    const [first, ...rest] = isAddress ? [host] : await this.#resolve(host, limitMs, signal);
    if (first === undefined) throw new ExchangeError("network", `${host} has no address`);
    for (const address of [first, ...rest]) {
      const objection = this.#parts.policy.objection(address, port);
      if (objection === undefined) continue;
      this.refused++;
      const by = isAddress ? objection : `${host} leads to ${objection}`;
      throw new ExchangeError("refused_by_policy", `Nothing was sent: ${by}`);
    }
    return [first, ...rest];
  }

  async #resolve(name: string, limitMs: number, signal: AbortSignal | undefined) {
    try {
      return await within(limitMs, signal, (inTime) => this.#parts.resolver.resolve(name, inTime));
    } catch (error) {
      if (error instanceof TimeUp) {
        throw new ExchangeError("timeout", `${name} could not be resolved in time`);
      }
      if (error instanceof DialError) {
        throw new ExchangeError("network", `${name} could not be resolved`, error);
      }
      throw error;
    }
  }
}
