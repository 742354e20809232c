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
import { isLocalAddress } from "./local-address.ts";
import { toObservation, type Observation } from "./observation.ts";
import { UdpRelay, type UdpRelayLimits } from "./relay-udp.ts";
import { describeSystemError } from "./system-error.ts";
import { TargetAddress, type Lookup } from "./target-address.ts";
import { UdpSocket } from "./udp-socket.ts";

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
  readonly #socket: UdpSocket;
  #relay: UdpRelay | undefined;

  constructor(options: UdpHoleOptions) {
    this.#options = options;
    this.#socket = new UdpSocket(options.localAddress, options.localPort, {
      onMessage: (bytes, from) => this.#receive(bytes, from),
      onError: (error) => this.#lose(`The socket failed: ${describeSystemError(error)}`),
    });
    this.#transactions = new BindingTransactions({
      send: (bytes, to) => this.#socket.send(bytes, to),
      ...(options.plan && { plan: options.plan }),
    });
  }

  get local(): Endpoint {
    return this.#socket.local;
  }

  get strays(): Readonly<StrayAnswers> {
    return this.#transactions.strays;
  }

  open(): Promise<void> {
    return this.#socket.open();
  }

  async probe(server: Endpoint, signal: AbortSignal): Promise<Observation> {
    const outcome = await this.ask({ server }, signal);
    return toObservation(server, outcome, this.#options.clock.now());
  }

  /** As `probe`, for more than the mapping. @throws the reason of `signal` */
  async ask(question: BindingQuestion, signal: AbortSignal): Promise<BindingOutcome> {
    const { server } = question;
    if (!this.#socket.isOpen) return { error: "The hole is not open" };
    if (isIPv6(server.address) !== this.#socket.isIpv6) {
      return { error: `${formatEndpoint(server)} is of another address family than the hole` };
    }
    const outcome = await this.#transactions.ask(question, signal);
    if ("error" in outcome && this.#socket.isOpen) this.#checkAddress();
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
            reply: (bytes, to) => this.#socket.post(bytes, to),
            traffic: this.traffic,
            ...(limits && { limits }),
          });
  }

  async close(): Promise<void> {
    const closed = this.#socket.close();
    this.forward(null);
    this.#transactions.end("The hole was closed");
    await closed;
  }

  #receive(bytes: Buffer, from: Endpoint): void {
    if (!this.#transactions.handle(bytes, from)) this.#relay?.receive(bytes, from);
  }

  #checkAddress(): void {
    const { address } = this.local;
    if (!isLocalAddress(address)) this.#lose(`${address} is no longer an address of this host`);
  }

  #lose(reason: string): void {
    if (this.#socket.isOpen) this.#options.events.lost(reason);
  }
}
