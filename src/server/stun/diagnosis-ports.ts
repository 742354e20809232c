import type { BindingOutcome, BindingQuestion } from "./binding.ts";
import type { Endpoint } from "./endpoint.ts";

/** A local UDP port of a diagnosis. */
export interface DatagramPort {
  /** What is bound, once open. */
  readonly local: Endpoint;
  /** Answers to our requests that did not come from where they should, so far. */
  readonly misplacedAnswers: number;
  /** @throws HoleError */
  open(): Promise<void>;
  /** @throws the reason of `signal` */
  ask(question: BindingQuestion, signal: AbortSignal): Promise<BindingOutcome>;
  /** Sends bytes that are no STUN; nobody is told when they cannot be sent. */
  send(bytes: Buffer, to: Endpoint): void;
  /** Resolves with true when bytes like these have come, since the port was opened or now. */
  hears(bytes: Buffer, withinMs: number, signal: AbortSignal): Promise<boolean>;
  close(): Promise<void>;
}

/** A local TCP port of a diagnosis, which connects and listens. */
export interface StreamPort {
  readonly local: Endpoint;
  /** @throws HoleError */
  open(): Promise<void>;
  /** The connection stays, so that the router keeps the mapping. @throws the reason of `signal` */
  ask(server: Endpoint, signal: AbortSignal): Promise<BindingOutcome>;
  /**
   * Connects to `to` from another port: whether we arrive at this one, at somebody else, or nowhere.
   * @throws the reason of `signal`
   */
  reach(to: Endpoint, withinMs: number, signal: AbortSignal): Promise<"us" | "other" | "nobody">;
  close(): Promise<void>;
}

/** Where a diagnosis gets its ports from. */
export interface DiagnosisPorts {
  /** @param localAddress the source address to pin; null = whichever the system chooses, IPv4 */
  datagram(localAddress: string | null): DatagramPort;
  stream(localAddress: string | null): StreamPort;
  /** Whether a socket could be bound to the address here. */
  isOwnAddress(address: string): boolean;
}
