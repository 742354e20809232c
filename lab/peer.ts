import type { Endpoint, Transport } from "./endpoint.ts";
import type { Namespace } from "./namespace.ts";
import type { Reply } from "./peer-questions.ts";
import { RemoteProgram } from "./remote-program.ts";

const program = new URL("programs/peer.ts", import.meta.url);

/** A TCP connection that stays. */
export interface Call {
  /** Sends words and waits for what comes back. */
  say(text: string, timeoutMs?: number): Promise<Reply>;
  hangUp(): Promise<void>;
}

/** Somebody in a namespace who opens ports, asks STUN servers, and sends to others. */
export class Peer {
  readonly #program: RemoteProgram;

  private constructor(running: RemoteProgram) {
    this.#program = running;
  }

  static async start(namespace: Namespace): Promise<Peer> {
    return new Peer(await RemoteProgram.start(namespace, program));
  }

  /**
   * Opens a UDP socket or a TCP listener, which answers `hello` with `hello from <its sender>`.
   * @returns its port
   */
  open(transport: Transport, port = 0): Promise<number> {
    return this.#program.ask(transport === "udp" ? "openUdp" : "openTcp", { port });
  }

  async close(transport: Transport, port: number): Promise<void> {
    await this.#program.ask(transport === "udp" ? "closeUdp" : "closeTcp", { port });
  }

  /**
   * Asks a STUN server once, from an open port: UDP through its socket, TCP over a connection.
   * @returns the mapped endpoint, null when no proper answer came in time
   */
  query(
    transport: Transport,
    port: number,
    server: Endpoint,
    timeoutMs = 1_000,
  ): Promise<Endpoint | null> {
    const question = transport === "udp" ? "queryUdp" : "queryTcp";
    return this.#program.ask(question, { port, server, timeoutMs });
  }

  /** Sends words, over UDP once and without repeating them, and waits for what comes back. */
  send(
    transport: Transport,
    to: Endpoint,
    text: string,
    options: { from?: Partial<Endpoint>; timeoutMs?: number } = {},
  ): Promise<Reply> {
    const { from = {}, timeoutMs = 1_000 } = options;
    const question = transport === "udp" ? "sendUdp" : "dialTcp";
    return this.#program.ask(question, { to, from, text, timeoutMs });
  }

  /** Opens a TCP connection that stays. Throws when it does not open in time. */
  async call(
    to: Endpoint,
    options: { from?: Partial<Endpoint>; timeoutMs?: number } = {},
  ): Promise<Call> {
    const { from = {}, timeoutMs = 1_000 } = options;
    const call: number = await this.#program.ask("call", { to, from, timeoutMs });
    return {
      say: (text, patienceMs = 1_000) =>
        this.#program.ask("say", { call, text, timeoutMs: patienceMs }),
      hangUp: async () => {
        await this.#program.ask("hangUp", { call });
      },
    };
  }

  /** Ends its process. */
  leave(): Promise<void> {
    return this.#program.kill();
  }
}
