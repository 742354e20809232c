import { createServer, isIPv6, type AddressInfo, type Server, type Socket } from "node:net";
import type { Endpoint } from "./endpoint.ts";
import { toHoleError } from "./system-error.ts";

/** One local TCP port that listens and connects to others at the same time. */
export interface TcpPort {
  /** Its port is the one that was bound once it is open. */
  readonly local: Endpoint;
  /** @throws HoleError */
  open(): Promise<void>;
  /**
   * A connection to an address from this port, on its way: for `connected`.
   * @throws what the system says when the port cannot be bound
   */
  connect(to: Endpoint): Promise<Socket>;
  /** Stops to listen. What was accepted or connected belongs to whoever got it. Safe twice, once open. */
  close(): Promise<void>;
}

export interface TcpPortParts {
  /** Port 0 = the system picks one. */
  local: Endpoint;
  /** Half of it may be closed while the other lives on. */
  onConnection(socket: Socket): void;
  /** Listening ended by itself, with the system's error. */
  onLost(error: unknown): void;
}

/** Accepts what waits in the system's queue in bursts, too. */
export const BACKLOG = 4096;

export function newListener(onConnection: (socket: Socket) => void): Server {
  return createServer({ allowHalfOpen: true }, onConnection);
}

/**
 * Listens alone: nobody else, another rule of ours included, listens on the port.
 * @throws HoleError
 */
export async function listenAlone(server: Server, local: Endpoint): Promise<Endpoint> {
  const listening = Promise.withResolvers<void>();
  server.once("error", listening.reject).once("listening", listening.resolve);
  server.listen({
    host: local.address,
    port: local.port,
    ipv6Only: isIPv6(local.address),
    exclusive: true,
    backlog: BACKLOG,
  });
  try {
    await listening.promise;
  } catch (error) {
    throw toHoleError(error, "TCP", local);
  } finally {
    server.off("error", listening.reject);
  }
  return { address: local.address, port: (server.address() as AddressInfo).port };
}
