import { isIP, isIPv6, type Socket } from "node:net";
import { setTimeout as pause } from "node:timers/promises";
import { TimeUp, within } from "../../probe/deadline.ts";
import { DialError, type Resolver } from "../../probe/sockets.ts";
import type { Chance } from "../lib/chance.ts";
import { connected } from "./connecting.ts";
import { formatHostPort, type HostPort } from "../lib/host-port.ts";
import type { Endpoint } from "./endpoint.ts";
import { KeepAliveConnection } from "./keep-alive-connection.ts";
import { KeepAliveHosts } from "./keep-alive-hosts.ts";
import { describeSystemError, errorCodeOf } from "./system-error.ts";

export interface KeepAliveTimings {
  /** Between two requests; each is up to a fifth earlier or later. */
  intervalMs: number;
  /** For the name, for each connection, and for each answer. */
  timeoutMs: number;
  /** Between two connections when the first did not stand for long; doubles up to the longest. */
  firstPauseMs: number;
  longestPauseMs: number;
}

const defaultKeepAliveTimings: KeepAliveTimings = {
  intervalMs: 25_000,
  timeoutMs: 5_000,
  firstPauseMs: 1_000,
  longestPauseMs: 60_000,
};

export interface KeepAliveParts {
  hosts: readonly HostPort[];
  isIpv6: boolean;
  /** From the port whose mapping is held. */
  connect(to: Endpoint): Promise<Socket>;
  resolver: Resolver;
  chance: Chance;
  timings?: Partial<KeepAliveTimings>;
  /** Another connection took over. */
  onRenewed(): void;
  /** No host could be had; the reason is a sentence. */
  onUnheld(reason: string): void;
}

const JITTER = 0.2;
const MOST_ADDRESSES = 3;

/**
 * Holds the mapping of a port by an HTTP connection on which something is asked now and then. When
 * it ends the next host takes over. It is never reset: routers forget the mapping then.
 */
export class KeepAlive {
  readonly #parts: KeepAliveParts;
  readonly #timings: KeepAliveTimings;
  readonly #hosts: KeepAliveHosts;
  #stop: AbortController | undefined;
  #running: Promise<void> | undefined;
  #connecting = Promise.withResolvers<void>();
  #heldBy: HostPort | null = null;
  #takeOvers = 0;

  constructor(parts: KeepAliveParts) {
    this.#parts = parts;
    this.#timings = { ...defaultKeepAliveTimings, ...parts.timings };
    this.#hosts = new KeepAliveHosts(parts.hosts);
  }

  /** The host whose connection holds the mapping now. */
  get heldBy(): HostPort | null {
    return this.#heldBy;
  }

  start(): void {
    if (this.#running) throw new Error("The keep-alive runs");
    this.#stop = new AbortController();
    this.#connecting = Promise.withResolvers();
    this.#running = this.#run(this.#stop.signal);
  }

  /** Resolves once the mapping is held, or when no host can be had at the moment. */
  settled(): Promise<void> {
    return this.#connecting.promise;
  }

  async close(): Promise<void> {
    this.#stop?.abort(new Error("The keep-alive was closed"));
    await this.#running;
    this.#running = undefined;
  }

  async #run(signal: AbortSignal): Promise<void> {
    const { firstPauseMs, longestPauseMs } = this.#timings;
    let pauseMs = firstPauseMs;
    while (!signal.aborted) {
      try {
        const stoodMs = await this.#holdByAny(signal);
        if (stoodMs >= longestPauseMs) pauseMs = firstPauseMs;
        if (stoodMs < pauseMs) {
          this.#connecting.resolve();
          await pause(this.#jittered(pauseMs - stoodMs), undefined, { signal });
          pauseMs = Math.min(pauseMs * 2, longestPauseMs);
        }
        this.#connecting = Promise.withResolvers();
      } catch (error) {
        if (!signal.aborted) throw error;
      }
    }
    this.#connecting.resolve();
  }

  /** Milliseconds the connection stood that came about; 0 when none did. */
  async #holdByAny(signal: AbortSignal): Promise<number> {
    const reasons: string[] = [];
    for (const host of this.#hosts.inOrder()) {
      try {
        const connection = await this.#open(host, signal);
        return await this.#hold(connection, host, signal);
      } catch (error) {
        signal.throwIfAborted();
        this.#hosts.failed(host);
        reasons.push(`${formatHostPort(host)}: ${describe(error)}`);
      }
    }
    if (reasons.length > 0) {
      this.#parts.onUnheld(`No keep-alive host can be had (${reasons.join("; ")})`);
    }
    return 0;
  }

  /** A connection on which one answer came. */
  async #open(host: HostPort, signal: AbortSignal): Promise<KeepAliveConnection> {
    const { timeoutMs } = this.#timings;
    let failure: unknown = new Error("the name has no address of the right family");
    for (const address of await this.#resolve(host, signal)) {
      try {
        const socket = await this.#connect({ address, port: host.port }, signal);
        const connection = new KeepAliveConnection(socket, host);
        await connection.ask(timeoutMs, signal).catch((error: unknown) => {
          connection.close();
          throw error;
        });
        return connection;
      } catch (error) {
        signal.throwIfAborted();
        failure = error;
      }
    }
    throw failure;
  }

  async #resolve({ host }: HostPort, signal: AbortSignal): Promise<string[]> {
    const { resolver, isIpv6 } = this.#parts;
    const { timeoutMs } = this.#timings;
    const addresses = isIP(host)
      ? [host]
      : await within(timeoutMs, signal, (inTime) => resolver.resolve(host, inTime));
    return addresses.filter((address) => isIPv6(address) === isIpv6).slice(0, MOST_ADDRESSES);
  }

  #connect(to: Endpoint, signal: AbortSignal): Promise<Socket> {
    return within(this.#timings.timeoutMs, signal, async (inTime) => {
      const socket = await this.#parts.connect(to);
      await connected(socket, inTime);
      return socket;
    });
  }

  /** Resolves when it has ended or answers no more, with how long it stood. */
  async #hold(
    connection: KeepAliveConnection,
    host: HostPort,
    signal: AbortSignal,
  ): Promise<number> {
    const startedAt = performance.now();
    this.#heldBy = host;
    this.#connecting.resolve();
    if (this.#takeOvers++ > 0) this.#parts.onRenewed();
    try {
      await this.#askAgainAndAgain(connection, signal);
    } finally {
      this.#heldBy = null;
      connection.close();
    }
    const stoodMs = performance.now() - startedAt;
    this.#hosts.ended(host, stoodMs);
    return stoodMs;
  }

  async #askAgainAndAgain(connection: KeepAliveConnection, signal: AbortSignal): Promise<void> {
    const { intervalMs, timeoutMs } = this.#timings;
    for (;;) {
      const hasEnded = await endsWithin(this.#jittered(intervalMs), connection.ended, signal);
      if (hasEnded) return;
      try {
        await connection.ask(timeoutMs, signal);
      } catch {
        signal.throwIfAborted();
        return;
      }
    }
  }

  #jittered(ms: number): number {
    return ms * (1 + JITTER * (2 * this.#parts.chance() - 1));
  }
}

async function endsWithin(
  ms: number,
  ended: Promise<unknown>,
  signal: AbortSignal,
): Promise<boolean> {
  try {
    await within(ms, signal, () => ended);
    return true;
  } catch (error) {
    if (error instanceof TimeUp) return false;
    throw error;
  }
}

function describe(error: unknown): string {
  if (error instanceof TimeUp) return "no answer came in time";
  if (error instanceof DialError) return error.message;
  return error instanceof Error && errorCodeOf(error) === undefined
    ? error.message
    : describeSystemError(error);
}
