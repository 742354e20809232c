import { connect, type Socket } from "node:net";
import { cut } from "./connecting.ts";
import type { Traffic } from "./hole.ts";
import { proxyHeader } from "./proxy-protocol.ts";
import type { TargetAddress } from "./target-address.ts";

export interface TcpRelayLimits {
  connections: number;
  /** For the name and the connection together. */
  connectTimeoutMs: number;
}

const defaultTcpRelayLimits: TcpRelayLimits = {
  connections: 1024,
  connectTimeoutMs: 10_000,
};

export interface TcpRelayParts {
  target: TargetAddress;
  /** Announce the client to the target. */
  proxyProtocol: boolean;
  traffic: Traffic;
  limits?: Partial<TcpRelayLimits>;
}

/** Whether the other side is still there is asked after this time of silence. */
const KEEP_ALIVE_MS = 60_000;

/** Joins each accepted connection to one of its own to the target. */
export class TcpRelay {
  readonly #parts: TcpRelayParts;
  readonly #limits: TcpRelayLimits;
  readonly #clients = new Set<Socket>();
  readonly #targets = new Set<Socket>();
  #isClosed = false;

  constructor(parts: TcpRelayParts) {
    this.#parts = parts;
    this.#limits = { ...defaultTcpRelayLimits, ...parts.limits };
  }

  /** @param client was accepted with `allowHalfOpen` */
  accept(client: Socket): void {
    const { traffic } = this.#parts;
    // Whoever ends the connection, the close event says the rest.
    client.on("error", () => {});
    if (this.#isClosed || this.#clients.size >= this.#limits.connections) {
      traffic.refused++;
      cut(client);
      return;
    }
    this.#clients.add(client);
    traffic.open++;
    traffic.total++;
    client.once("close", () => {
      this.#clients.delete(client);
      traffic.open--;
    });
    void this.#reachTarget(client);
  }

  /** Cuts everything. */
  close(): void {
    this.#isClosed = true;
    for (const socket of [...this.#clients, ...this.#targets]) cut(socket);
  }

  async #reachTarget(client: Socket): Promise<void> {
    const refuse = () => this.#refuse(client);
    const timer = setTimeout(refuse, this.#limits.connectTimeoutMs);
    client.once("close", () => clearTimeout(timer));
    try {
      const { address, port } = await this.#parts.target.find();
      if (client.destroyed) return;
      const target = connect({ host: address, port, allowHalfOpen: true, autoSelectFamily: false });
      this.#targets.add(target);
      target.once("close", () => this.#targets.delete(target));
      target.once("error", refuse);
      client.once("close", () => endWith(target, client));
      target.once("connect", () => {
        clearTimeout(timer);
        target.off("error", refuse);
        this.#join(client, target);
      });
    } catch {
      // The target's name has no address.
      refuse();
    }
  }

  #refuse(client: Socket): void {
    if (client.destroyed) return;
    this.#parts.traffic.refused++;
    cut(client);
  }

  #join(client: Socket, target: Socket): void {
    const { traffic, proxyProtocol } = this.#parts;
    if (client.destroyed) return;
    target.on("error", () => {}).once("close", () => endWith(client, target));
    const header = proxyProtocol ? headerFor(client) : undefined;
    if (proxyProtocol && !header) return this.#refuse(client);
    for (const socket of [client, target]) {
      socket.setNoDelay(true);
      socket.setKeepAlive(true, KEEP_ALIVE_MS);
    }
    if (header) target.write(header);
    client.on("data", (bytes) => (traffic.bytesIn += bytes.length)).pipe(target);
    target.on("data", (bytes) => (traffic.bytesOut += bytes.length)).pipe(client);
  }
}

/** A side that ended in order has ended the other's direction already; the rest is a broken connection. */
function endWith(socket: Socket, ended: Socket): void {
  if (socket.destroyed || (ended.readableEnded && ended.writableFinished)) return;
  cut(socket);
}

/** Undefined for a client that has gone: nobody knows its address any more. */
function headerFor(client: Socket): Buffer | undefined {
  const { remoteAddress, remotePort, localAddress, localPort } = client;
  if (!remoteAddress || !localAddress) return undefined;
  const from = { address: remoteAddress, port: remotePort ?? 0 };
  return proxyHeader(from, { address: localAddress, port: localPort ?? 0 });
}
