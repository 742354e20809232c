import { BoundSocket, isIPv6, Socket, type Server } from "node:net";
import { heardLater } from "./connecting.ts";
import type { Endpoint } from "./endpoint.ts";
import { toHoleError } from "./system-error.ts";
import { BACKLOG, listenAlone, newListener, type TcpPort, type TcpPortParts } from "./tcp-port.ts";

/**
 * The listener and each connection are bound to the port by themselves (SO_REUSEPORT), so that none
 * disturbs another. Needs Node 24.19 and a system that knows the option.
 */
export class SharedPort implements TcpPort {
  readonly #parts: TcpPortParts;
  #local: Endpoint;
  #server: Server | undefined;

  constructor(parts: TcpPortParts) {
    this.#parts = parts;
    this.#local = parts.local;
  }

  static isSupported(): boolean {
    return typeof BoundSocket === "function";
  }

  get local(): Endpoint {
    return this.#local;
  }

  async open(): Promise<void> {
    await this.#reserve();
    const server = newListener((socket) => this.#parts.onConnection(socket));
    this.#server = server;
    const listening = Promise.withResolvers<void>();
    server.once("error", listening.reject).once("listening", listening.resolve);
    try {
      server.listen(this.#bind(), BACKLOG);
      await listening.promise;
    } catch (error) {
      this.#server = undefined;
      throw toHoleError(error, "TCP", this.#local);
    }
    server.off("error", listening.reject).on("error", (error) => this.#parts.onLost(error));
  }

  async connect(to: Endpoint): Promise<Socket> {
    const socket = new Socket({ handle: this.#bind() });
    socket.on("error", heardLater);
    return socket.connect({ host: to.address, port: to.port, autoSelectFamily: false });
  }

  async close(): Promise<void> {
    // Accepted connections would hold back the event that says the server is closed.
    this.#server?.close();
    this.#server = undefined;
  }

  /** With the option set the system would let two listeners share the port, and both get half. */
  async #reserve(): Promise<void> {
    const probe = newListener((socket) => socket.resetAndDestroy());
    this.#local = await listenAlone(probe, this.#local);
    probe.close();
  }

  #bind(): BoundSocket {
    const { address, port } = this.#local;
    return new BoundSocket({ host: address, port, ipv6Only: isIPv6(address), reusePort: true });
  }
}
