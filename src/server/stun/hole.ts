import type { HostPort } from "../lib/host-port.ts";
import type { Endpoint } from "./endpoint.ts";
import type { Observation } from "./observation.ts";

export interface HoleEvents {
  /** The hole cannot go on by itself. Nothing is closed yet: its owner decides. May come again. */
  lost(reason: string): void;
  /** What holds the mapping was replaced (TCP), so that the mapping may be another: worth a probe. */
  renewed?(): void;
  /** Nothing holds the mapping at the moment (TCP); the hole goes on trying. */
  unheld?(reason: string): void;
}

/** Where traffic goes that arrives at the public address. */
export interface ForwardTarget extends HostPort {
  /** Announce the client's address by the PROXY protocol, version 2; TCP only. */
  proxyProtocol: boolean;
}

/** What was relayed since the hole was opened. */
export interface Traffic {
  /** Connections or sessions that are open now. */
  open: number;
  /** Connections or sessions so far. */
  total: number;
  /** Turned away because of a limit, or because the target could not be reached. */
  refused: number;
  /** Bytes from the clients to the target, and back. */
  bytesIn: number;
  bytesOut: number;
}

/** One local port that keeps one mapping for all of its life. */
export interface Hole {
  readonly transport: "udp" | "tcp";
  /** What is bound; the unspecified address when no source address is pinned. Valid once open. */
  readonly local: Endpoint;
  readonly traffic: Traffic;
  /** @throws HoleError */
  open(): Promise<void>;
  /**
   * One binding transaction through the hole. What servers and networks do is in the observation.
   * @throws the reason of `signal`
   */
  probe(server: Endpoint, signal: AbortSignal): Promise<Observation>;
  /** Relays to `target` from now on; null ends relaying. What flowed to the former target is cut. */
  forward(target: ForwardTarget | null): void;
  /** Leaves no socket behind. Safe twice, and while opening. */
  close(): Promise<void>;
}

export type HoleErrorCode =
  | "port_in_use"
  | "address_not_ours"
  | "not_permitted"
  | "not_supported"
  | "failed";

/** Why a hole cannot be opened. The message is a sentence for people. */
export class HoleError extends Error {
  readonly code: HoleErrorCode;

  constructor(code: HoleErrorCode, message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = "HoleError";
    this.code = code;
  }
}
