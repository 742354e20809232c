import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { AddressInfo, Socket } from "node:net";
import { Readable } from "node:stream";
import type { ReadableStream } from "node:stream/web";
import { Refusal } from "../refusal.ts";

/** How long a client may take, so that slow ones hold a connection for a bounded time only. */
export interface Patience {
  /** From the first byte of a request to the end of its headers. */
  headersMs: number;
  /** From the first byte of a request to its last. */
  requestMs: number;
  /** Between two requests. */
  idleMs: number;
  /** Without a single byte in either direction; the longest batch takes less. */
  silenceMs: number;
  /** How often the limits are checked. */
  checkMs: number;
}

const defaultPatience: Patience = {
  headersMs: 10_000,
  requestMs: 30_000,
  idleMs: 75_000,
  silenceMs: 60_000,
  checkMs: 2_000,
};

const MAX_HEADER_BYTES = 16 * 1024;

/** Answers one request. Never rejects. */
export type Handler = (request: Request, message: IncomingMessage) => Promise<Response>;

/** Speaks HTTP for a function from Request to Response. */
export class HttpServer {
  readonly #server: Server;

  constructor(handle: Handler, patience: Patience = defaultPatience) {
    const options = {
      headersTimeout: patience.headersMs,
      requestTimeout: patience.requestMs,
      keepAliveTimeout: patience.idleMs,
      connectionsCheckingInterval: patience.checkMs,
      maxHeaderSize: MAX_HEADER_BYTES,
    };
    this.#server = createServer(options, (message, response) => {
      void exchange(handle, message, response);
    });
    this.#server.setTimeout(patience.silenceMs);
    this.#server.on("clientError", refuseConnection);
  }

  /** @returns the port, which the system has picked when 0 was asked for */
  async listen(host: string, port: number): Promise<number> {
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    this.#server.once("error", reject);
    this.#server.listen({ host, port }, resolve);
    await promise;
    this.#server.off("error", reject);
    return (this.#server.address() as AddressInfo).port;
  }

  /** Lets requests that have begun end, for `deadlineMs` at most. */
  async close(deadlineMs: number): Promise<void> {
    const { promise: closed, resolve } = Promise.withResolvers<void>();
    this.#server.close(() => resolve());
    const deadline = setTimeout(() => this.#server.closeAllConnections(), deadlineMs);
    await closed;
    clearTimeout(deadline);
  }
}

async function exchange(
  handle: Handler,
  message: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const gone = new AbortController();
  response.on("close", () => gone.abort());
  const request = toRequest(message, gone.signal);
  const answer = request ? await handle(request, message) : misshapen(message);
  const body = Buffer.from(await answer.arrayBuffer());
  const headers: Record<string, string | number> = Object.fromEntries(answer.headers);
  if (answer.status !== 204 && message.method !== "HEAD") headers["content-length"] = body.length;
  // What was not read of a request cannot be told from the next one.
  if (!message.complete) headers["connection"] = "close";
  response.writeHead(answer.status, headers).end(body);
}

/** Undefined for what is valid HTTP and yet no Request. */
function toRequest(message: IncomingMessage, signal: AbortSignal): Request | undefined {
  const { method = "", url = "", rawHeaders } = message;
  const target = URL.parse(url.startsWith("/") ? `http://localhost${url}` : url);
  const hasBody = method !== "GET" && method !== "HEAD";
  try {
    return new Request(target ?? "", {
      method,
      signal,
      headers: toHeaders(rawHeaders),
      ...(hasBody ? { body: Readable.toWeb(message) as ReadableStream<Uint8Array> } : {}),
      duplex: "half",
    });
  } catch {
    return undefined;
  }
}

/** @param raw names and values in turn */
function toHeaders(raw: readonly string[]): Headers {
  const headers = new Headers();
  for (let at = 0; at < raw.length; at += 2) headers.append(raw[at] ?? "", raw[at + 1] ?? "");
  return headers;
}

function misshapen({ method }: IncomingMessage): Response {
  const isTrace = method === "TRACE";
  return new Refusal(
    isTrace ? "method_not_allowed" : "invalid_request",
    isTrace ? "TRACE is not answered" : "The request is not valid",
  ).toResponse();
}

function refuseConnection(error: NodeJS.ErrnoException, socket: Socket): void {
  if (!socket.writable || error.code === "ECONNRESET") {
    socket.destroy();
    return;
  }
  const [status, code, sentence] = describe(error.code);
  const body = JSON.stringify({ error: sentence, code });
  const head = `HTTP/1.1 ${status}\r\ncontent-type: application/json; charset=utf-8\r\ncontent-length: ${body.length}\r\nconnection: close`;
  socket.end(`${head}\r\n\r\n${body}`, () => socket.destroy());
}

function describe(code: string | undefined): [status: string, code: string, sentence: string] {
  switch (code) {
    case "ERR_HTTP_REQUEST_TIMEOUT":
      return ["408 Request Timeout", "request_timeout", "The request took too long to arrive"];
    case "HPE_HEADER_OVERFLOW":
      // oxfmt-ignore
      return ["431 Request Header Fields Too Large", "headers_too_large", "The headers are larger than 16 KiB"];
    default:
      return ["400 Bad Request", "invalid_request", "The request is not valid HTTP"];
  }
}
