import { createServer, type RequestListener, type Server } from "node:http";
import { Server as TcpServer, type AddressInfo, type Socket } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";
import { AppError } from "../lib/errors.ts";
import { rawResponse } from "./error-handler.ts";
import { quietMoment } from "./quiet-moment.ts";

/** How long a client may take, so that slow ones hold a connection for a bounded time only. */
export interface Patience {
  /** From the first byte of a request to the end of its headers. */
  headersMs: number;
  /** From the first byte of a request to its last. */
  requestMs: number;
  /** Between two requests. */
  idleMs: number;
  /** Without a single byte in either direction, while an answer is sent. */
  silenceMs: number;
  /** How often the limits are checked. */
  checkMs: number;
}

export const defaultPatience: Patience = {
  headersMs: 10_000,
  requestMs: 30_000,
  idleMs: 75_000,
  silenceMs: 60_000,
  checkMs: 2_000,
};

const BACKLOG = 4096;
export const MAX_HEADER_BYTES = 16 * 1024;
/**
 * How long kept connections are answered after a drain when nobody new is let in. Longer than a proxy
 * in front keeps an idle one (packaging/): a request that crosses the end of its connection is lost.
 */
const FAREWELL_MS = 1_000;

/** The listening socket and its connections. */
export class Listener {
  readonly server: Server;
  /** Whether it is about to let nobody in any more: connections end with the next answer. */
  isClosing = false;
  /** From then on: settles when all connections have ended. */
  #ended: Promise<void> | undefined;

  constructor(handler: RequestListener, patience: Patience) {
    this.server = createServer(
      {
        headersTimeout: patience.headersMs,
        requestTimeout: patience.requestMs,
        keepAliveTimeout: patience.idleMs,
        connectionsCheckingInterval: patience.checkMs,
        maxHeaderSize: MAX_HEADER_BYTES,
        // Refused by a hook instead, with a body.
        requireHostHeader: false,
      },
      handler,
    );
    this.server.setTimeout(patience.silenceMs);
    this.server.on("checkExpectation", handler);
    this.server.on("clientError", refuseConnection);
  }

  /** @returns the port, which the system has picked when 0 was asked for */
  async listen(host: string, port: number): Promise<number> {
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    this.server.once("error", reject);
    this.server.listen({ host, port, backlog: BACKLOG }, resolve);
    await promise;
    this.server.off("error", reject);
    return (this.server.address() as AddressInfo).port;
  }

  /**
   * Goes on answering for a time in which whoever sends requests can learn that it shall do so no
   * more; then lets nobody in, and connections that are open end with their next answer. Resolves at
   * once for 0 ms, or when nothing listens.
   */
  async drain(ms: number): Promise<void> {
    if (!this.server.listening || ms === 0) return;
    // Connections are kept meanwhile: a proxy that uses them opens none that the end could reset.
    await sleep(ms);
    const { ended } = await this.#letNobodyIn();
    const { promise: late, resolve } = Promise.withResolvers<void>();
    const deadline = setTimeout(resolve, FAREWELL_MS);
    await Promise.race([ended, late]);
    clearTimeout(deadline);
  }

  /** Lets requests that have begun end, for `deadlineMs` at most. */
  async close(deadlineMs: number): Promise<void> {
    if (!this.server.listening && !this.#ended) return;
    const { ended } = await this.#letNobodyIn();
    // What has arrived is read first. Of what is still open, this closes the idle connections.
    await quietMoment();
    this.server.close();
    const deadline = setTimeout(() => this.server.closeAllConnections(), deadlineMs);
    await ended;
    clearTimeout(deadline);
  }

  /** New connections are refused from here on; those that are open stay. */
  async #letNobodyIn(): Promise<{ ended: Promise<void> }> {
    if (!this.#ended) {
      const { promise, resolve } = Promise.withResolvers<void>();
      this.#ended = promise;
      this.server.once("close", resolve);
      this.isClosing = true;
      // What waits to be accepted would be reset, with a request that its sender may not repeat.
      await quietMoment();
      // Unlike that of HTTP, this leaves idle connections alone.
      TcpServer.prototype.close.call(this.server);
    }
    return { ended: this.#ended };
  }
}

function refuseConnection(error: NodeJS.ErrnoException, socket: Socket): void {
  if (!socket.writable || error.code === "ECONNRESET") {
    socket.destroy();
    return;
  }
  socket.end(rawResponse(toAppError(error.code)), () => socket.destroy());
}

function toAppError(code: string | undefined): AppError {
  switch (code) {
    case "ERR_HTTP_REQUEST_TIMEOUT":
      return new AppError("request_timeout", "The request took too long to arrive");
    case "HPE_HEADER_OVERFLOW":
      return new AppError("headers_too_large", "The headers are larger than 16 KiB");
    case "HPE_CHUNK_EXTENSIONS_OVERFLOW":
      return new AppError("body_too_large", "The chunk extensions of the body are too large");
    default:
      return new AppError("invalid_request", "The request is not valid HTTP");
  }
}
