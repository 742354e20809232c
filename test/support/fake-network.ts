import { DialError, type Connection, type Sockets } from "../../src/probe/sockets.ts";

/** A network in which the test says who listens; whoever does ends each connection at once. */
export class FakeNetwork implements Sockets {
  /** `<address>:<port>` of each connect, in order. */
  readonly dialled: string[] = [];
  readonly #listening = new Set<string>();
  readonly #watchers: (() => void)[] = [];
  #isCut = false;
  #gate: PromiseWithResolvers<void> | undefined;

  /** @param places `<address>:<port>` */
  listen(...places: string[]): void {
    for (const place of places) this.#listening.add(place);
  }

  hangUp(...places: string[]): void {
    for (const place of places) this.#listening.delete(place);
  }

  /** As when the cable is pulled out here; or put in again. */
  cut(isCut: boolean): void {
    this.#isCut = isCut;
  }

  /** From now on connects wait for what this returns to be called. */
  hold(): () => void {
    const gate = Promise.withResolvers<void>();
    this.#gate = gate;
    return () => {
      this.#gate = undefined;
      gate.resolve();
    };
  }

  /** Resolves once there were as many connects. */
  async untilDialled(count: number): Promise<void> {
    while (this.dialled.length < count) {
      await new Promise<void>((resolve) => this.#watchers.push(resolve));
    }
  }

  async connect(address: string, port: number, signal: AbortSignal): Promise<Connection> {
    const place = `${address}:${port}`;
    this.dialled.push(place);
    for (const tell of this.#watchers.splice(0)) tell();
    if (this.#gate) await Promise.race([this.#gate.promise, aborted(signal)]);
    if (this.#isCut) throw new DialError("unreachable", "No route to the network");
    if (this.#listening.has(place)) return new EndedConnection();
    throw new DialError("refused", "Connection refused");
  }
}

class EndedConnection implements Connection {
  async read(): Promise<undefined> {}
  async write(): Promise<void> {}
  async secure(): Promise<Connection> {
    return this;
  }
  close(): void {}
}

/** Rejects when the signal does. */
function aborted(signal: AbortSignal): Promise<never> {
  const { promise, reject } = Promise.withResolvers<never>();
  signal.addEventListener("abort", () => reject(signal.reason as Error), { once: true });
  return promise;
}
