import { TimeUp, within } from "./deadline.ts";
import { isIpAddress, type ServerAddress } from "./server-address.ts";
import { DialError, type Connection, type Resolver, type Sockets } from "./sockets.ts";
import type { TargetPolicy } from "./target-policy.ts";

/** How much of the time a name may take to be resolved. */
const RESOLVING_SHARE = 0.6;
/** An address that drops packets must not hide another that answers; more tries would be a scan. */
const MOST_TRIES = 2;

/** Where a server may be dialled, or a sentence why not. */
export type Located = { addresses: [first: string, ...rest: string[]] } | { error: string };

/** An open connection, or a sentence why there is none. */
export type Dialled = { connection: Connection; latencyMs: number } | { error: string };

export interface DialerParts {
  sockets: Sockets;
  resolver: Resolver;
  /** Milliseconds of a monotonic clock. */
  now: () => number;
  /** For the resolving and the tries together. */
  timeoutMs: number;
}

/** Opens connections to servers, but only where the target policy allows. */
export class Dialer {
  readonly #parts: DialerParts;

  constructor(parts: DialerParts) {
    this.#parts = parts;
  }

  /**
   * Resolves the host once. One address that the policy refuses makes the whole name refused, so
   * that nothing depends on which of them is dialled.
   * @throws the reason of `signal`
   */
  async locate(
    { host }: ServerAddress,
    policy: TargetPolicy,
    signal?: AbortSignal,
  ): Promise<Located> {
    const resolved = isIpAddress(host) ? [host] : await this.#resolve(host, signal);
    if (typeof resolved === "string") return { error: resolved };
    const [first, ...rest] = resolved;
    if (first === undefined) return { error: "The name has no address" };
    for (const address of resolved) {
      const error = policy.objection(address);
      if (error !== undefined) return { error };
    }
    return { addresses: [first, ...rest] };
  }

  /** @throws the reason of `signal` */
  async dial(server: ServerAddress, policy: TargetPolicy, signal?: AbortSignal): Promise<Dialled> {
    const { now, timeoutMs } = this.#parts;
    const endsAt = now() + timeoutMs;
    const located = await this.locate(server, policy, signal);
    if ("error" in located) return located;
    const tries = candidates(located.addresses);
    let failed: Dialled | undefined;
    for (const [index, address] of tries.entries()) {
      const shareMs = (endsAt - now()) / (tries.length - index);
      const dialled = await this.#try(address, server.port, shareMs, signal);
      if ("connection" in dialled) return dialled;
      failed ??= dialled;
    }
    return failed ?? { error: this.#timedOut() };
  }

  /** The addresses of a name, or a sentence why they could not be found. */
  async #resolve(name: string, signal: AbortSignal | undefined): Promise<string[] | string> {
    const limitMs = this.#parts.timeoutMs * RESOLVING_SHARE;
    try {
      return await within(limitMs, signal, (inTime) => this.#parts.resolver.resolve(name, inTime));
    } catch (error) {
      if (error instanceof TimeUp) return "The name could not be resolved in time";
      if (error instanceof DialError) return error.message;
      throw error;
    }
  }

  async #try(
    address: string,
    port: number,
    limitMs: number,
    signal: AbortSignal | undefined,
  ): Promise<Dialled> {
    try {
      return await within(limitMs, signal, (inTime) => this.#connect(address, port, inTime));
    } catch (error) {
      if (error instanceof TimeUp) return { error: this.#timedOut() };
      if (error instanceof DialError) return { error: error.message };
      throw error;
    }
  }

  async #connect(address: string, port: number, signal: AbortSignal): Promise<Dialled> {
    const { now, sockets } = this.#parts;
    const startedAt = now();
    const connection = await sockets.connect(address, port, signal);
    if (signal.aborted) connection.close();
    return { connection, latencyMs: Math.max(0, Math.round(now() - startedAt)) };
  }

  #timedOut(): string {
    return `Timed out after ${this.#parts.timeoutMs / 1000} s`;
  }
}

/** The best address and, if there is one, the best of the other family, else the second best. */
function candidates([first, ...rest]: [first: string, ...rest: string[]]): string[] {
  const other = rest.find((address) => isIpv6(address) !== isIpv6(first));
  return [first, ...(other === undefined ? rest : [other])].slice(0, MOST_TRIES);
}

function isIpv6(address: string): boolean {
  return address.includes(":");
}
