import { once } from "node:events";
import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { text } from "node:stream/consumers";

/** What a check function was asked. */
export interface Asked {
  method: string;
  /** Without the query. */
  path: string;
  query: Record<string, string>;
  headers: IncomingMessage["headers"];
  body: unknown;
}

export type Reply = (asked: Asked, response: ServerResponse) => void;

/** An HTTP server in the place of a check function, which answers what the test says. */
export class FakeCheckFunction {
  readonly asked: Asked[] = [];
  connections = 0;
  reply: Reply;
  readonly #server: Server;

  private constructor(reply: Reply) {
    this.reply = reply;
    this.#server = createServer((request, response) => void this.#answer(request, response));
    this.#server.on("connection", () => this.connections++);
  }

  static async listen(reply: Reply): Promise<FakeCheckFunction> {
    const fake = new FakeCheckFunction(reply);
    fake.#server.listen(0, "127.0.0.1");
    await once(fake.#server, "listening");
    return fake;
  }

  get origin(): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }

  async close(): Promise<void> {
    const closed = once(this.#server, "close");
    this.#server.close();
    this.#server.closeAllConnections();
    await closed;
  }

  async #answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { pathname, searchParams } = new URL(request.url ?? "/", this.origin);
    const body = await text(request);
    const asked = {
      method: request.method ?? "",
      path: pathname,
      query: Object.fromEntries(searchParams),
      headers: request.headers,
      body: body === "" ? undefined : (JSON.parse(body) as unknown),
    };
    this.asked.push(asked);
    this.reply(asked, response);
  }
}

export function replyJson(value: unknown, status = 200): Reply {
  return (_asked, response) => {
    response.writeHead(status, { "content-type": "application/json" }).end(JSON.stringify(value));
  };
}
