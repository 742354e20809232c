import { once } from "node:events";
import { createServer, type Server } from "node:http";
import type { AddressInfo, Socket } from "node:net";

/** A web server on loopback that a hole can hold its mapping with. */
export class KeepAliveHost {
  readonly requests: { method: string; url: string; host: string; port: number }[] = [];
  readonly connections: Socket[] = [];
  /** Whether requests are answered. */
  answers = true;
  /** Connections that ended with a reset. */
  resets = 0;
  readonly #server: Server = createServer();

  static async start(): Promise<KeepAliveHost> {
    const host = new KeepAliveHost();
    host.#server.keepAliveTimeout = 60_000;
    host.#server.on("connection", (socket) => {
      host.connections.push(socket);
      socket.on("error", () => host.resets++);
    });
    host.#server.on("request", (request, response) => {
      const { method = "", url = "", headers, socket } = request;
      host.requests.push({ method, url, host: headers.host ?? "", port: socket.remotePort ?? 0 });
      if (host.answers) response.end();
    });
    host.#server.listen(0, "127.0.0.1");
    await once(host.#server, "listening");
    return host;
  }

  get hostPort(): { host: string; port: number } {
    return { host: "127.0.0.1", port: (this.#server.address() as AddressInfo).port };
  }

  /** How many connections are open now. */
  get open(): number {
    return this.connections.filter((socket) => !socket.destroyed).length;
  }

  /** Ends the connections in order and takes no more. */
  async stop(): Promise<void> {
    const closed = once(this.#server, "close");
    this.#server.close();
    this.#server.closeAllConnections();
    await closed;
  }
}
