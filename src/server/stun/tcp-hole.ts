import { isIPv6, type Socket } from "node:net";
import { TimeUp, within } from "../../probe/deadline.ts";
import type { Resolver } from "../../probe/sockets.ts";
import type { Chance } from "../lib/chance.ts";
import type { Clock } from "../lib/clock.ts";
import { askOverStream } from "./binding-stream.ts";
import type { BindingOutcome } from "./binding.ts";
import { connected, cut } from "./connecting.ts";
import type { HostPort } from "../lib/host-port.ts";
import { formatEndpoint, type Endpoint } from "./endpoint.ts";
import type { ForwardTarget, Hole, HoleEvents, Traffic } from "./hole.ts";
import { KeepAlive, type KeepAliveTimings } from "./keep-alive.ts";
import { isLocalAddress, toBindAddress } from "./local-address.ts";
import { toObservation, type Observation } from "./observation.ts";
import { ReboundPort } from "./rebound-port.ts";
import { TcpRelay, type TcpRelayLimits } from "./relay-tcp.ts";
import { SharedPort } from "./shared-port.ts";
import { describeSystemError, errorCodeOf } from "./system-error.ts";
import { TargetAddress, type Lookup } from "./target-address.ts";
import type { TcpPort } from "./tcp-port.ts";

export interface TcpHoleOptions {
  /** The source address to pin; null = whichever the system chooses, IPv4. */
  localAddress: string | null;
  /** 0 = the system picks one. */
  localPort: number;
  /** Web servers, plain HTTP. Without any the mapping lasts as long as the router likes. */
  keepaliveHosts: readonly HostPort[];
  clock: Clock;
  chance: Chance;
  /** For the names of the keep-alive hosts. */
  resolver: Resolver;
  events: HoleEvents;
  probeTimeoutMs?: number;
  keepAlive?: Partial<KeepAliveTimings>;
  limits?: Partial<TcpRelayLimits>;
  lookup?: Lookup;
  /** Whether listener and connections can share the port; absent = whether this Node can. */
  sharesPort?: boolean;
}

const PROBE_TIMEOUT_MS = 5_000;

/**
 * One local port for the life of the rule: a keep-alive connection holds its mapping, short
 * connections from the same port read it, and a listener receives.
 */
export class TcpHole implements Hole {
  readonly transport = "tcp";
  readonly traffic: Traffic = { open: 0, total: 0, refused: 0, bytesIn: 0, bytesOut: 0 };
  readonly #options: TcpHoleOptions;
  readonly #port: TcpPort;
  readonly #keepAlive: KeepAlive;
  readonly #isIpv6: boolean;
  /** One connection to a server at a time: two would have the same addresses and ports. */
  readonly #turns = new Map<string, Promise<unknown>>();
  /** Those this side has opened. */
  readonly #sockets = new Set<Socket>();
  #relay: TcpRelay | undefined;
  #life: AbortController | undefined;
  #opening: Promise<void> | undefined;

  constructor(options: TcpHoleOptions) {
    const { localAddress, localPort, keepaliveHosts: hosts, resolver, chance, events } = options;
    const local = { address: toBindAddress(localAddress), port: localPort };
    const parts = {
      local,
      onConnection: (socket: Socket) => this.#accept(socket),
      onLost: (error: unknown) => this.#loseListener(error),
    };
    this.#options = options;
    this.#isIpv6 = isIPv6(local.address);
    const sharesPort = options.sharesPort ?? SharedPort.isSupported();
    this.#port = sharesPort ? new SharedPort(parts) : new ReboundPort(parts);
    this.#keepAlive = new KeepAlive({
      hosts,
      isIpv6: this.#isIpv6,
      connect: (to) => this.#connect(to),
      resolver,
      chance,
      ...(options.keepAlive && { timings: options.keepAlive }),
      onRenewed: () => events.renewed?.(),
      onUnheld: (reason) => this.#onUnheld(reason),
    });
  }

  get local(): Endpoint {
    return this.#port.local;
  }

  /** The host whose connection holds the mapping now. */
  get heldBy(): HostPort | null {
    return this.#keepAlive.heldBy;
  }

  async open(): Promise<void> {
    if (this.#life) throw new Error("The hole is open");
    const life = new AbortController();
    this.#life = life;
    this.#opening = this.#port.open();
    try {
      await this.#opening;
    } catch (error) {
      if (this.#life === life) this.#life = undefined;
      throw error;
    }
    if (life.signal.aborted) await this.#port.close();
    else if (this.#options.keepaliveHosts.length > 0) this.#keepAlive.start();
  }

  async probe(server: Endpoint, signal: AbortSignal): Promise<Observation> {
    const outcome = await this.ask(server, signal);
    return toObservation(server, outcome, this.#options.clock.now());
  }

  /** As `probe`, for more than the mapping. @throws the reason of `signal` */
  async ask(server: Endpoint, signal: AbortSignal): Promise<BindingOutcome> {
    signal.throwIfAborted();
    const life = this.#life;
    const name = formatEndpoint(server);
    if (!life) return { error: "The hole is not open" };
    if (isIPv6(server.address) !== this.#isIpv6) {
      return { error: `${name} is of another address family than the hole` };
    }
    const { probeTimeoutMs = PROBE_TIMEOUT_MS } = this.#options;
    const before = this.#turns.get(name);
    const either = AbortSignal.any([signal, life.signal]);
    const turn = (async () => {
      await before;
      await this.#untilHeld(probeTimeoutMs, either);
      return within(probeTimeoutMs, either, (inTime) => this.#ask(server, inTime));
    })();
    const settled = turn.then(ignore, ignore);
    this.#turns.set(name, settled);
    try {
      return await turn;
    } catch (error) {
      return this.#explain(error, name, signal, life.signal);
    } finally {
      if (this.#turns.get(name) === settled) this.#turns.delete(name);
    }
  }

  forward(target: ForwardTarget | null): void {
    this.#relay?.close();
    const { lookup, limits } = this.#options;
    this.#relay =
      target === null
        ? undefined
        : new TcpRelay({
            target: new TargetAddress(target, lookup),
            proxyProtocol: target.proxyProtocol,
            traffic: this.traffic,
            ...(limits && { limits }),
          });
  }

  async close(): Promise<void> {
    this.#life?.abort(new Error("The hole was closed"));
    this.#life = undefined;
    this.forward(null);
    await this.#keepAlive.close();
    // What failed to open says so to whoever opened it.
    await this.#opening?.catch(ignore);
    await this.#port.close();
    await Promise.all(this.#turns.values());
    for (const socket of this.#sockets) socket.destroy();
  }

  /** A connection that is reset when it has answered: nothing of it delays the next one. */
  async #ask(server: Endpoint, signal: AbortSignal): Promise<BindingOutcome> {
    const socket = await this.#connect(server);
    try {
      await connected(socket, signal);
      return await askOverStream(socket, server, signal);
    } finally {
      cut(socket);
    }
  }

  async #connect(to: Endpoint): Promise<Socket> {
    const socket = await this.#port.connect(to);
    this.#sockets.add(socket);
    return socket.once("close", () => this.#sockets.delete(socket));
  }

  /** Were a probe to open the mapping, its reset would close it before it is held. */
  async #untilHeld(limitMs: number, signal: AbortSignal): Promise<void> {
    if (this.#options.keepaliveHosts.length === 0) return;
    try {
      await within(limitMs, signal, () => this.#keepAlive.settled());
    } catch (error) {
      if (!(error instanceof TimeUp)) throw error;
    }
  }

  #explain(error: unknown, name: string, signal: AbortSignal, life: AbortSignal): BindingOutcome {
    if (signal.aborted) throw signal.reason;
    if (life.aborted) return { error: "The hole was closed" };
    const isLate = error instanceof TimeUp;
    if (!isLate && errorCodeOf(error) === undefined) throw error;
    this.#checkAddress();
    const reason = isLate ? "no answer came in time" : describeSystemError(error);
    return { error: `${name} cannot be asked: ${reason}` };
  }

  #accept(socket: Socket): void {
    if (this.#relay) return this.#relay.accept(socket);
    this.traffic.refused++;
    socket.on("error", ignore);
    cut(socket);
  }

  #onUnheld(reason: string): void {
    this.#options.events.unheld?.(reason);
    this.#checkAddress();
  }

  #loseListener(error: unknown): void {
    const cause = error instanceof Error && error.message ? error.message : String(error);
    this.#lose(`Nothing listens at TCP ${formatEndpoint(this.local)} any more: ${cause}`);
  }

  #checkAddress(): void {
    const { address } = this.local;
    if (!isLocalAddress(address)) this.#lose(`${address} is no longer an address of this host`);
  }

  #lose(reason: string): void {
    if (this.#life) this.#options.events.lost(reason);
  }
}

function ignore(): void {}
