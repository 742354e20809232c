import { connect, isIPv6, type Server, type Socket } from "node:net";
import { setImmediate } from "node:timers/promises";
import { heardLater } from "./connecting.ts";
import type { Endpoint } from "./endpoint.ts";
import { listenAlone, newListener, type TcpPort, type TcpPortParts } from "./tcp-port.ts";

/** How many turns of the loop a probe waits for a quiet one. */
const MOST_TRIES = 50;

/**
 * The way without `net.BoundSocket`: a connection cannot be bound while the listener is open, so the
 * listener makes room for a moment. Connections that arrive in that moment are refused.
 */
export class ReboundPort implements TcpPort {
  readonly #parts: TcpPortParts;
  #local: Endpoint;
  #server: Server | undefined;
  #isClosed = false;
  #accepted = 0;
  /** Connecting takes turns. */
  #turn: Promise<unknown> = Promise.resolve();

  constructor(parts: TcpPortParts) {
    this.#parts = parts;
    this.#local = parts.local;
  }

  get local(): Endpoint {
    return this.#local;
  }

  async open(): Promise<void> {
    this.#isClosed = false;
    this.#local = await this.#listen();
  }

  async connect(to: Endpoint): Promise<Socket> {
    const turn = this.#turn.then(() => this.#connect(to));
    this.#turn = turn.catch(() => {});
    return turn;
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    this.#server?.close();
    this.#server = undefined;
    await this.#turn;
  }

  async #connect(to: Endpoint): Promise<Socket> {
    await this.#quietMoment();
    if (this.#isClosed) throw new Error("The port is closed");
    this.#server?.close();
    this.#server = undefined;
    const { address, port } = this.#local;
    const socket = connect({
      host: to.address,
      port: to.port,
      localAddress: address,
      localPort: port,
      family: isIPv6(to.address) ? 6 : 4,
      autoSelectFamily: false,
    });
    socket.on("error", heardLater);
    try {
      // Both bind in a later tick, and the connection was first.
      await this.#listen();
    } catch (error) {
      this.#parts.onLost(error);
    }
    return socket;
  }

  /** Right after the system was asked what has come, and nothing had: what waits would be refused. */
  async #quietMoment(): Promise<void> {
    for (let tries = 0, accepted = -1; tries < MOST_TRIES && accepted !== this.#accepted; tries++) {
      accepted = this.#accepted;
      await setImmediate();
    }
  }

  async #listen(): Promise<Endpoint> {
    const server = newListener((socket) => {
      this.#accepted++;
      this.#parts.onConnection(socket);
    });
    const local = await listenAlone(server, this.#local);
    server.on("error", (error) => this.#parts.onLost(error));
    if (this.#isClosed) server.close();
    else this.#server = server;
    return local;
  }
}
