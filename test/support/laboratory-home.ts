import type { Endpoint, Transport } from "../../lab/endpoint.ts";
import type { Lab } from "../../lab/lab.ts";
import type { Peer } from "../../lab/peer.ts";

const PATIENCE_MS = 3_000;

/** A port that somebody at home holds open, and how the internet sees it. */
export class HomePort {
  readonly transport: Transport;
  readonly port: number;
  readonly #lab: Lab;
  readonly #home: Peer;

  private constructor(lab: Lab, home: Peer, transport: Transport, port: number) {
    this.#lab = lab;
    this.#home = home;
    this.transport = transport;
    this.port = port;
  }

  static async open(lab: Lab, home: Peer, transport: Transport): Promise<HomePort> {
    return new HomePort(lab, home, transport, await home.open(transport));
  }

  /** @returns the endpoint that a STUN server sees, null when it does not answer */
  mapped(server: Endpoint, patienceMs = PATIENCE_MS): Promise<Endpoint | null> {
    return this.#home.query(this.transport, this.port, server, patienceMs);
  }

  /** Whether words of a stranger arrive at that endpoint, and an answer comes back. */
  async isReachedAt(mapped: Endpoint, patienceMs = PATIENCE_MS): Promise<boolean> {
    const options = { timeoutMs: patienceMs };
    const { text } = await this.#lab.stranger.send(this.transport, mapped, "hello", options);
    return text?.startsWith("hello from ") ?? false;
  }
}
