import { createSocket, type Socket } from "node:dgram";
import { once } from "node:events";
import { isIPv6 } from "node:net";
import type { Clock } from "../lib/clock.ts";
import {
  BindingTransactions,
  type BindingOutcome,
  type BindingQuestion,
  type RetransmissionPlan,
  type StrayAnswers,
} from "./binding.ts";
import { formatEndpoint, type Endpoint } from "./endpoint.ts";
import type { ForwardTarget, Hole, HoleEvents, Traffic } from "./hole.ts";
import { isLocalAddress, toBindAddress } from "./local-address.ts";
import { toObservation, type Observation } from "./observation.ts";
import { UdpRelay, type UdpRelayLimits } from "./relay-udp.ts";
import { describeSystemError, toHoleError } from "./system-error.ts";
import { TargetAddress, type Lookup } from "./target-address.ts";

export interface UdpHoleOptions {
  /** The source address to pin; null = whichever the system chooses, IPv4. */
  localAddress: string | null;
  /** 0 = the system picks one. */
  localPort: number;
  clock: Clock;
  events: HoleEvents;
  plan?: RetransmissionPlan;
  limits?: Partial<UdpRelayLimits>;
  lookup?: Lookup;
}

/**
 * One exclusive datagram socket for the life of the rule: requests, keep-alive and relayed traffic
 * share its mapping.
 */
export class UdpHole implements Hole {
  readonly transport = "udp";
  readonly traffic: Traffic = { open: 0, total: 0, refused: 0, bytesIn: 0, bytesOut: 0 };
  readonly #options: UdpHoleOptions;
  readonly #transactions: BindingTransactions;
  readonly #isIpv6: boolean;
  #socket: Socket | undefined;
  #relay: UdpRelay | undefined;
  #local: Endpoint;

  constructor(options: UdpHoleOptions) {
    this.#options = options;
    this.#local = { address: toBindAddress(options.localAddress), port: options.localPort };
    this.#isIpv6 = isIPv6(this.#local.address);
    this.#transactions = new BindingTransactions({
      send: (bytes, to) => this.#send(bytes, to),
      ...(options.plan && { plan: options.plan }),
    });
  }

  get local(): Endpoint {
    return this.#local;
  }

  get strays(): Readonly<StrayAnswers> {
    return this.#transactions.strays;
  }

  async open(): Promise<void> {
    if (this.#socket) throw new Error("The hole is open");
    const socket = createSocket({ type: this.#isIpv6 ? "udp6" : "udp4", lookup: asItIs });
    this.#socket = socket;
    try {
      const bound = Promise.race([once(socket, "listening"), once(socket, "close")]);
      socket.bind({ ...this.#local, exclusive: true });
      await bound;
    } catch (error) {
      await this.close();
      throw toHoleError(error, "UDP", this.#local);
    }
    if (this.#socket !== socket) return;
    this.#local = { address: this.#local.address, port: socket.address().port };
    socket.on("message", (bytes, from) => this.#receive(bytes, from));
    socket.on("error", (error) => this.#lose(`The socket failed: ${describeSystemError(error)}`));
  }

  async probe(server: Endpoint, signal: AbortSignal): Promise<Observation> {
    const outcome = await this.ask({ server }, signal);
    return toObservation(server, outcome, this.#options.clock.now());
  }

  /** As `probe`, for more than the mapping. @throws the reason of `signal` */
  async ask(question: BindingQuestion, signal: AbortSignal): Promise<BindingOutcome> {
    const { server } = question;
    if (!this.#socket) return { error: "The hole is not open" };
    if (isIPv6(server.address) !== this.#isIpv6) {
      return { error: `${formatEndpoint(server)} is of another address family than the hole` };
    }
    const outcome = await this.#transactions.ask(question, signal);
    if ("error" in outcome && this.#socket) this.#checkAddress();
    return outcome;
  }

  forward(target: ForwardTarget | null): void {
    this.#relay?.close();
    const { lookup, limits } = this.#options;
    this.#relay =
      target === null
        ? undefined
        : new UdpRelay({
            target: new TargetAddress(target, lookup),
            reply: (bytes, to) => this.#socket?.send(bytes, to.port, to.address),
            traffic: this.traffic,
            ...(limits && { limits }),
          });
  }

  async close(): Promise<void> {
    const socket = this.#socket;
    this.#socket = undefined;
    this.forward(null);
    this.#transactions.end("The hole was closed");
    if (!socket) return;
    const closed = once(socket, "close");
    socket.close();
    await closed;
  }

  #receive(bytes: Buffer, from: Endpoint): void {
    if (!this.#transactions.handle(bytes, from)) this.#relay?.receive(bytes, from);
  }

  #send(bytes: Buffer, { address, port }: Endpoint): Promise<void> {
    const sent = Promise.withResolvers<void>();
    if (!this.#socket) return Promise.reject(new Error("The hole is not open"));
    this.#socket.send(bytes, port, address, (error) => {
      if (error) sent.reject(error);
      else sent.resolve();
    });
    return sent.promise;
  }

  #checkAddress(): void {
    const { address } = this.#local;
    if (!isLocalAddress(address)) this.#lose(`${address} is no longer an address of this host`);
  }

  #lose(reason: string): void {
    if (this.#socket) this.#options.events.lost(reason);
  }
}

/** Only addresses come here; asking for a name's would cost each datagram a turn of the loop. */
function asItIs(
  address: string,
  _options: unknown,
  done: (error: Error | null, address: string, family: number) => void,
): void {
  done(null, address, isIPv6(address) ? 6 : 4);
}
