import { createSocket, type Socket as Datagrams } from "node:dgram";
import { once } from "node:events";
import { createServer as createWebServer, type Server as WebServer } from "node:http";
import { createServer, type AddressInfo, type Server } from "node:net";
import type { Endpoint } from "../../src/server/stun/endpoint.ts";
import { decodeMessage, encodeMessage } from "../../src/server/stun/message.ts";
import { noise } from "./ebb.ts";

/** Of the block that RFC 5737 keeps for examples. */
const ADDRESSES = ["203.0.113.7", "203.0.113.42", "203.0.113.180", "203.0.113.201"] as const;
/** Two witnesses that agree. */
const HOSTS = ["127.0.0.1", "127.0.0.2"] as const;
const MOST_TRIES = 20;

/**
 * Two STUN servers on loopback that answer as if this host were behind a router with a public
 * address, and a web server for the connections that hold a mapping. No packet leaves the machine.
 */
export class PretendedRouter {
  #address = 0;
  readonly #epochs = new Map<number, number>();
  readonly #closers: (() => void)[] = [];
  readonly servers: string[] = [];
  readonly keepAliveHosts: string[] = [];

  static async start(): Promise<PretendedRouter> {
    const router = new PretendedRouter();
    for (const host of HOSTS) router.servers.push(await router.#serve(host));
    for (const host of HOSTS) router.keepAliveHosts.push(await router.#holdOpen(host));
    return router;
  }

  get address(): string {
    return ADDRESSES[this.#address % ADDRESSES.length] as string;
  }

  /** What servers see of a local port. */
  mappingOf(localPort: number): Endpoint {
    const epoch = this.#epochs.get(localPort) ?? 0;
    return { address: this.address, port: 20_000 + Math.floor(noise(localPort, epoch) * 40_000) };
  }

  /** The provider gives the router another address. */
  moveAddress(): void {
    this.#address++;
  }

  /** The router gives a local port another public one. */
  movePort(localPort: number): void {
    this.#epochs.set(localPort, (this.#epochs.get(localPort) ?? 0) + 1);
  }

  stop(): void {
    for (const close of this.#closers) close();
  }

  #answer(bytes: Buffer, localPort: number): Buffer | undefined {
    const request = decodeMessage(bytes);
    if (request?.kind !== "request") return undefined;
    return encodeMessage({
      kind: "success",
      transactionId: request.transactionId,
      attributes: { xorMapped: this.mappingOf(localPort), software: "Waypost demo" },
      fingerprint: true,
    });
  }

  /** UDP and TCP on one port. */
  async #serve(host: string): Promise<string> {
    for (let tries = 0; tries < MOST_TRIES; tries++) {
      const tcp = this.#listenTcp(host);
      await once(tcp, "listening");
      const { port } = tcp.address() as AddressInfo;
      const udp = await this.#listenUdp(host, port).catch(() => undefined);
      if (udp) return `${host}:${port}`;
      tcp.close();
    }
    throw new Error("No port is free for TCP and UDP");
  }

  #listenTcp(host: string): Server {
    const server = createServer((socket) => {
      socket.on("error", () => {});
      socket.on("data", (bytes) => {
        const answer = this.#answer(bytes, socket.remotePort ?? 0);
        if (answer) socket.write(answer);
      });
    }).listen(0, host);
    this.#closers.push(() => server.close());
    return server;
  }

  async #listenUdp(host: string, port: number): Promise<Datagrams> {
    const socket = createSocket("udp4");
    socket.on("message", (bytes, from) => {
      const answer = this.#answer(bytes, from.port);
      if (answer) socket.send(answer, from.port, from.address);
    });
    socket.bind(port, host);
    await once(socket, "listening");
    this.#closers.push(() => socket.close());
    return socket;
  }

  async #holdOpen(host: string): Promise<string> {
    const server: WebServer = createWebServer((_request, response) => response.end());
    server.keepAliveTimeout = 600_000;
    server.listen(0, host);
    await once(server, "listening");
    this.#closers.push(() => {
      server.close();
      server.closeAllConnections();
    });
    return `${host}:${(server.address() as AddressInfo).port}`;
  }
}
