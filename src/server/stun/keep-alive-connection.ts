import { once } from "node:events";
import type { Socket } from "node:net";
import { TimeUp, within } from "../../probe/deadline.ts";
import { formatHostPort, type HostPort } from "../lib/host-port.ts";
import { describeSystemError } from "./system-error.ts";

const HTTP_PORT = 80;

/** A connection to a web server on which something is asked now and then, so that it stays. */
export class KeepAliveConnection {
  readonly #socket: Socket;
  readonly #request: string;
  /** Resolves when it is over, whoever ended it. */
  readonly ended: Promise<unknown>;

  constructor(socket: Socket, host: HostPort) {
    this.#socket = socket;
    // An answer to HEAD has no body; what it says is of no interest.
    this.#request = `HEAD / HTTP/1.1\r\nHost: ${hostHeader(host)}\r\nUser-Agent: waypost\r\n\r\n`;
    this.ended = new Promise<void>((resolve) => socket.once("close", () => resolve()));
    socket.resume();
  }

  /** @throws Error with a reason when no answer comes in time; the reason of `signal` */
  async ask(timeoutMs: number, signal: AbortSignal): Promise<void> {
    try {
      await within(timeoutMs, signal, (inTime) => {
        const answered = once(this.#socket, "data", { signal: inTime });
        const over = this.ended.then(() => {
          throw new Error(describeEnd(this.#socket));
        });
        this.#socket.write(this.#request);
        return Promise.race([answered, over]);
      });
    } catch (error) {
      if (error instanceof TimeUp) throw new Error("no answer came in time", { cause: error });
      throw error;
    }
  }

  /** Without a reset: routers forget a mapping at one. */
  close(): void {
    this.#socket.destroy();
  }
}

function describeEnd({ errored }: Socket): string {
  return errored ? describeSystemError(errored) : "the connection was closed";
}

function hostHeader({ host, port }: HostPort): string {
  const text = formatHostPort({ host, port });
  return port === HTTP_PORT ? text.slice(0, text.lastIndexOf(":")) : text;
}
