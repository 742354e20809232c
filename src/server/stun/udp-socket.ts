import { createSocket, type Socket } from "node:dgram";
import { once } from "node:events";
import { isIPv6 } from "node:net";
import type { Endpoint } from "./endpoint.ts";
import { toBindAddress } from "./local-address.ts";
import { toHoleError } from "./system-error.ts";

export interface UdpSocketEvents {
  onMessage(bytes: Buffer, from: Endpoint): void;
  onError(error: Error): void;
}

/** A datagram socket that shares its port with nobody. */
export class UdpSocket {
  readonly isIpv6: boolean;
  readonly #events: UdpSocketEvents;
  #socket: Socket | undefined;
  #local: Endpoint;

  /**
   * @param localAddress null = whichever the system chooses, IPv4
   * @param localPort 0 = the system picks one
   */
  constructor(localAddress: string | null, localPort: number, events: UdpSocketEvents) {
    this.#local = { address: toBindAddress(localAddress), port: localPort };
    this.isIpv6 = isIPv6(this.#local.address);
    this.#events = events;
  }

  get isOpen(): boolean {
    return this.#socket !== undefined;
  }

  get local(): Endpoint {
    return this.#local;
  }

  /** May be closed meanwhile. @throws HoleError */
  async open(): Promise<void> {
    if (this.#socket) throw new Error("The socket is open");
    const socket = createSocket({ type: this.isIpv6 ? "udp6" : "udp4", lookup: asItIs });
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
    socket.on("message", (bytes, from) => this.#events.onMessage(bytes, from));
    socket.on("error", (error) => this.#events.onError(error));
  }

  /** Rejects with what the system says; resolves when it has taken the packet. */
  send(bytes: Buffer, { address, port }: Endpoint): Promise<void> {
    const sent = Promise.withResolvers<void>();
    if (!this.#socket) return Promise.reject(new Error("The socket is not open"));
    this.#socket.send(bytes, port, address, (error) => {
      if (error) sent.reject(error);
      else sent.resolve();
    });
    return sent.promise;
  }

  /** Sends and does not ask what became of it, at the least cost. */
  post(bytes: Buffer, { address, port }: Endpoint): void {
    // Who sends from port 0 expects no answer (RFC 768).
    if (port !== 0) this.#socket?.send(bytes, port, address);
  }

  async close(): Promise<void> {
    const socket = this.#socket;
    this.#socket = undefined;
    if (!socket) return;
    const closed = once(socket, "close");
    socket.close();
    await closed;
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
