import type { Connection, Resolver, Sockets } from "../../src/probe/sockets.ts";
import type { Answer, Client, RequestOptions } from "./client.ts";

/** The secret of every test check; it must turn up nowhere. */
export const NETWORK_SECRET = "s3cr3t-of-the-network";

export interface Node {
  server: string;
  network_name?: string;
  network_secret?: string;
}

export function nodeOf(server: string): Required<Node> {
  return { server, network_name: "net", network_secret: NETWORK_SECRET };
}

/** Asks for one check. */
export function check(client: Client, node: object, options: RequestOptions = {}): Promise<Answer> {
  const query = new URLSearchParams(node as Record<string, string>).toString();
  return client.request("GET", `/api/edgecheck/check?${query}`, options);
}

/** Asks for a batch of checks. */
export function checkBatch(
  client: Client,
  nodes: unknown,
  options: RequestOptions = {},
): Promise<Answer> {
  return client.request("POST", "/api/edgecheck/batch-check", { ...options, body: { nodes } });
}

/** Connections that never open: each connect hangs until it is given up. */
export class SilentNetwork implements Sockets {
  /** Connects so far. */
  started = 0;
  /** Those that have been given up. */
  ended = 0;

  async connect(_address: string, _port: number, signal: AbortSignal): Promise<Connection> {
    this.started++;
    const { promise, reject } = Promise.withResolvers<never>();
    signal.addEventListener("abort", () => reject(signal.reason as Error), { once: true });
    try {
      return await promise;
    } finally {
      this.ended++;
    }
  }
}

/** Names as the test says; every other name has no address. */
export function namesAre(names: Record<string, string[]>): Resolver & { asked: string[] } {
  const asked: string[] = [];
  return {
    asked,
    resolve: async (name) => {
      asked.push(name);
      return names[name] ?? [];
    },
  };
}
