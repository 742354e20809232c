import { once } from "node:events";
import { connect, createServer, type AddressInfo, type Server, type Socket } from "node:net";

interface Pair {
  near: Socket;
  far: Socket;
}

/**
 * Stands between the service and its database and spoils the network: it falls silent, so that
 * nothing arrives and nothing ends, or cuts connections at a moment that the test picks.
 */
export class FaultProxy {
  readonly #server: Server;
  readonly #target: URL;
  readonly #pairs = new Set<Pair>();
  #silent = false;
  #trigger: { text: string; strike: (pair: Pair) => void } | undefined;

  private constructor(server: Server, target: URL) {
    this.#server = server;
    this.#target = target;
    server.on("connection", (near) => this.#join(near));
  }

  /** @param target URL of a database; only its host and port matter */
  static async start(target: string): Promise<FaultProxy> {
    const server = createServer({ pauseOnConnect: true }).listen(0, "127.0.0.1");
    await once(server, "listening");
    return new FaultProxy(server, new URL(target));
  }

  /** Where the database is reached through here. */
  get url(): string {
    const url = new URL(this.#target);
    url.port = String((this.#server.address() as AddressInfo).port);
    return url.href;
  }

  /** From now on nothing gets through, and connections stay open; new ones are accepted too. */
  fallSilent(): void {
    this.#silent = true;
    for (const { near, far } of this.#pairs) {
      near.pause();
      far.pause();
    }
  }

  /** What was held back is delivered, and everything that follows. */
  speak(): void {
    this.#silent = false;
    for (const { near, far } of this.#pairs) {
      near.resume();
      far.resume();
    }
  }

  /**
   * The next time the service sends `text`, the database gets it whole, and the connection ends
   * before the answer is back. @returns when that has happened
   */
  loseAnswerTo(text: string): Promise<void> {
    return this.#strikeAt(text, ({ near, far }) => {
      far.pause();
      // The database gets what was sent to it, and a clean end.
      far.end();
      near.destroy();
    });
  }

  /**
   * The next time the service sends `text`, the database gets it, and from then on that connection
   * carries nothing in either direction and does not end, as when a router forgets it.
   */
  forgetConnectionAt(text: string): Promise<void> {
    return this.#strikeAt(text, (pair) => {
      pair.near.removeAllListeners("data");
      pair.far.removeAllListeners("data");
      pair.near.pause();
      pair.far.pause();
      this.#pairs.delete(pair);
    });
  }

  async stop(): Promise<void> {
    const closed = once(this.#server, "close");
    this.#server.close();
    for (const socket of this.#sockets) socket.destroy();
    await closed;
  }

  readonly #sockets = new Set<Socket>();

  #strikeAt(text: string, strike: (pair: Pair) => void): Promise<void> {
    const { promise, resolve } = Promise.withResolvers<void>();
    this.#trigger = {
      text,
      strike: (pair) => {
        strike(pair);
        resolve();
      },
    };
    return promise;
  }

  #join(near: Socket): void {
    const far = connect(Number(this.#target.port), this.#target.hostname);
    const pair = { near, far };
    this.#pairs.add(pair);
    this.#keep(near);
    this.#keep(far);
    near.on("data", (chunk) => this.#toDatabase(pair, chunk));
    far.on("data", (chunk) => near.write(chunk));
    near.on("close", () => {
      this.#pairs.delete(pair);
      far.end();
    });
    far.on("close", () => near.destroy());
    if (this.#silent) far.pause();
    else near.resume();
  }

  #keep(socket: Socket): void {
    this.#sockets.add(socket);
    socket.on("close", () => this.#sockets.delete(socket));
    // A reset ends the connection like anything else.
    socket.on("error", () => socket.destroy());
  }

  #toDatabase(pair: Pair, chunk: Buffer): void {
    const trigger = this.#trigger;
    if (!trigger || !chunk.includes(trigger.text)) {
      pair.far.write(chunk);
      return;
    }
    this.#trigger = undefined;
    pair.far.write(chunk, () => trigger.strike(pair));
  }
}
