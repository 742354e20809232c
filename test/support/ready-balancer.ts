import { once } from "node:events";
import { connect, createServer, type AddressInfo, type Server, type Socket } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";

const LOOK_EVERY_MS = 100;
const PATIENCE_MS = 1_000;

/**
 * Stands in front of several instances as a TCP balancer does: a new connection goes to the next one
 * of those whose `/readyz` said 200 when it was last asked, and stays there.
 */
export class ReadyBalancer {
  readonly #origins: () => string[];
  readonly #server: Server;
  readonly #sockets = new Set<Socket>();
  #ready: string[] = [];
  #looking: Promise<void> = Promise.resolve();
  #isClosed = false;
  #turn = 0;

  private constructor(origins: () => string[]) {
    this.#origins = origins;
    this.#server = createServer((client) => this.#join(client));
  }

  /** @param origins of all instances that there should be */
  static async start(origins: () => string[]): Promise<ReadyBalancer> {
    const balancer = new ReadyBalancer(origins);
    await balancer.#look();
    balancer.#server.listen(0, "127.0.0.1");
    await once(balancer.#server, "listening");
    balancer.#looking = balancer.#lookAgain();
    return balancer;
  }

  get origin(): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    await this.#looking;
    for (const socket of this.#sockets) socket.destroy();
    this.#server.close();
    await once(this.#server, "close");
  }

  #join(client: Socket): void {
    const origin = this.#ready[this.#turn++ % Math.max(1, this.#ready.length)];
    if (origin === undefined) {
      client.destroy();
      return;
    }
    const { hostname, port } = new URL(origin);
    const server = connect(Number(port), hostname);
    for (const [from, to] of [
      [client, server],
      [server, client],
    ] as const) {
      this.#sockets.add(from);
      from.on("error", () => to.destroy());
      from.on("close", () => {
        this.#sockets.delete(from);
        to.end();
      });
      from.pipe(to);
    }
  }

  async #lookAgain(): Promise<void> {
    while (!this.#isClosed) {
      await sleep(LOOK_EVERY_MS);
      await this.#look();
    }
  }

  async #look(): Promise<void> {
    const origins = this.#origins();
    const isReady = await Promise.all(origins.map(answersReady));
    this.#ready = origins.filter((_, at) => isReady[at]);
  }
}

async function answersReady(origin: string): Promise<boolean> {
  try {
    const signal = AbortSignal.timeout(PATIENCE_MS);
    const response = await fetch(`${origin}/readyz`, { signal, headers: { connection: "close" } });
    await response.body?.cancel();
    return response.status === 200;
  } catch {
    return false;
  }
}
