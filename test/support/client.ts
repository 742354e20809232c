import { Agent, request, type IncomingHttpHeaders } from "node:http";
import { Agent as SecureAgent, request as secureRequest } from "node:https";

export interface RequestOptions {
  /** Sent as JSON. */
  body?: unknown;
  /** Sent as it is, with the content type JSON unless `headers` say otherwise. */
  raw?: string | Buffer;
  /** Session token. */
  token?: string;
  headers?: Record<string, string>;
}

export interface Answer {
  status: number;
  headers: IncomingHttpHeaders;
  /** Parsed when it is JSON, else text. */
  // oxlint-disable-next-line typescript/no-explicit-any -- the test says what it expects
  body: any;
}

/** Speaks HTTP over real sockets, HTTPS with whatever certificate. */
export class Client {
  readonly #origin: () => string;
  readonly #agent: Agent;
  readonly #secureAgent: SecureAgent;

  /** @param idleMs how long a connection is kept without a request; without it, for as long as the server does */
  constructor(origin: () => string, idleMs?: number) {
    this.#origin = origin;
    const options = { keepAlive: true, ...(idleMs === undefined ? {} : { timeout: idleMs }) };
    this.#agent = new Agent(options);
    this.#secureAgent = new SecureAgent(options);
  }

  get origin(): string {
    return this.#origin();
  }

  request(method: string, path: string, options: RequestOptions = {}): Promise<Answer> {
    const body =
      options.raw ?? (options.body === undefined ? undefined : JSON.stringify(options.body));
    const headers: Record<string, string | number> = { ...options.headers };
    if (options.token !== undefined) headers["authorization"] ??= `Bearer ${options.token}`;
    if (body !== undefined) {
      headers["content-type"] ??= "application/json";
      headers["content-length"] ??= Buffer.byteLength(body);
    }
    const { promise, resolve, reject } = Promise.withResolvers<Answer>();
    const url = `${this.origin}${path}`;
    const [send, kept] = url.startsWith("https:")
      ? ([secureRequest, this.#secureAgent] as const)
      : ([request, this.#agent] as const);
    // Node would use the connection again where the answer does not repeat the "close".
    const agent = headers["connection"] === "close" ? false : kept;
    const sent = send(url, { method, headers, agent, rejectUnauthorized: false }, (response) => {
      const chunks: Buffer[] = [];
      response.on("data", (chunk: Buffer) => chunks.push(chunk));
      response.on("error", reject);
      response.on("end", () => {
        const text = Buffer.concat(chunks).toString("utf8");
        const isJson = response.headers["content-type"]?.startsWith("application/json");
        resolve({
          status: response.statusCode ?? 0,
          headers: response.headers,
          body: isJson && text !== "" ? JSON.parse(text) : text,
        });
      });
    });
    sent.on("error", reject);
    sent.end(body);
    return promise;
  }

  /** Closes the connections that are kept open. */
  close(): void {
    this.#agent.destroy();
    this.#secureAgent.destroy();
  }
}
