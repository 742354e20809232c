import { once } from "node:events";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import { createServer as createTlsServer } from "node:https";
import type { AddressInfo } from "node:net";
import { buffer } from "node:stream/consumers";
import { selfSigned } from "./self-signed.ts";

export interface Received {
  method: string;
  url: URL;
  message: IncomingMessage;
  body: Buffer;
}

export interface Reply {
  status: number;
  headers?: Record<string, string>;
  /** An object is sent as JSON. */
  body?: unknown;
}

/** What a target does instead of answering. */
export type Fault =
  | "hang"
  | "reset"
  | "reset in the body"
  | "hang in the body"
  | "ten megabytes"
  | "web page"
  | "broken JSON"
  | "redirect"
  | Reply;

export interface Certificate {
  key: string;
  cert: string;
}

interface Listening {
  host?: string;
  /** With a certificate that it signed itself. */
  tls?: boolean;
  certificate?: Certificate | undefined;
}

/** An HTTP server for tests: answers as told, remembers what came, and fails when asked to. */
export class ProviderServer {
  readonly received: Received[] = [];
  connections = 0;
  /** Every request goes to it, faults aside. */
  answer: (request: Received) => Reply;
  readonly #server: ReturnType<typeof createServer>;
  readonly #scheme: string;
  readonly #faults: (Fault | undefined)[] = [];
  #arrived = Promise.withResolvers<void>();

  private constructor(answer: (request: Received) => Reply, certificate: Certificate | undefined) {
    this.answer = answer;
    this.#scheme = certificate ? "https" : "http";
    const handle = (message: IncomingMessage, response: ServerResponse) =>
      void this.#handle(message, response);
    this.#server = certificate ? createTlsServer(certificate, handle) : createServer(handle);
    this.#server.on("connection", () => (this.connections += 1));
  }

  static async listen(
    answer: (request: Received) => Reply = () => ({ status: 200, body: "ok" }),
    { tls = false, host = "127.0.0.1", certificate = tls ? selfSigned : undefined }: Listening = {},
  ): Promise<ProviderServer> {
    const server = new ProviderServer(answer, certificate);
    server.#server.listen(0, host);
    await once(server.#server, "listening");
    return server;
  }

  get port(): number {
    return (this.#server.address() as AddressInfo).port;
  }

  get url(): string {
    return `${this.#scheme}://127.0.0.1:${this.port}`;
  }

  /** Requests that change something. */
  get writes(): Received[] {
    return this.received.filter(({ method }) => method !== "GET");
  }

  /** The next requests meet these, one each; undefined lets one through. */
  failNext(...faults: (Fault | undefined)[]): void {
    this.#faults.push(...faults);
  }

  /** Until the next request has come. */
  async arrival(): Promise<void> {
    await this.#arrived.promise;
  }

  /** Whoever still waits for an answer waits in vain. */
  drop(): void {
    this.#server.closeAllConnections();
  }

  async close(): Promise<void> {
    this.#server.closeAllConnections();
    this.#server.close();
    await once(this.#server, "close");
  }

  async #handle(message: IncomingMessage, response: ServerResponse): Promise<void> {
    const body = await buffer(message);
    const url = new URL(message.url ?? "", this.url);
    const request = { method: message.method ?? "", url, message, body };
    this.received.push(request);
    this.#arrived.resolve();
    this.#arrived = Promise.withResolvers();
    const fault = this.#faults.shift();
    if (typeof fault === "string") fail(fault, response);
    else send(fault ?? this.answer(request), response);
  }
}

function send({ status, headers = {}, body = "" }: Reply, response: ServerResponse): void {
  if (typeof body === "string" || Buffer.isBuffer(body)) {
    response.writeHead(status, headers).end(body);
  } else {
    const type = { "content-type": "application/json" };
    response.writeHead(status, { ...type, ...headers }).end(JSON.stringify(body));
  }
}

function fail(fault: Exclude<Fault, Reply>, response: ServerResponse): void {
  switch (fault) {
    case "hang":
      break;
    case "reset":
      response.socket?.resetAndDestroy();
      break;
    case "reset in the body":
      response.writeHead(200, { "content-length": "100" }).write('{"half":');
      setImmediate(() => response.socket?.resetAndDestroy());
      break;
    case "hang in the body":
      response.writeHead(200, { "content-length": "100" }).write('{"half":');
      break;
    case "ten megabytes":
      response.writeHead(200).end(Buffer.alloc(10_000_000, "x"));
      break;
    case "web page":
      send({ status: 200, headers: { "content-type": "text/html" }, body: "<html>" }, response);
      break;
    case "broken JSON":
      send({ status: 200, body: '{"success":true,"result":{"ru' }, response);
      break;
    default:
      send({ status: 302, headers: { location: "http://192.0.2.1/" } }, response);
  }
}
