import { once } from "node:events";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";

/**
 * Where the webhooks of the demo go: `/ok` takes everything, `/moody` is out of order every third
 * time, `/gone` is no longer there.
 */
export class Sink {
  readonly #server: Server;
  #asked = 0;

  private constructor(server: Server) {
    this.#server = server;
  }

  static async listen(): Promise<Sink> {
    const server = createServer();
    const sink = new Sink(server);
    server.on("request", (request, response) => {
      let body = "";
      request.on("data", (bytes) => (body += String(bytes)));
      request.on("end", () => {
        const { status, answer } = sink.#answer(request.url ?? "/", body);
        response.writeHead(status, { "content-type": "application/json" });
        response.end(JSON.stringify(answer));
      });
    });
    server.listen(0, "127.0.0.1");
    await once(server, "listening");
    return sink;
  }

  get url(): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }

  stop(): void {
    this.#server.close();
    this.#server.closeAllConnections();
  }

  #answer(path: string, body: string): { status: number; answer: unknown } {
    if (path.startsWith("/gone")) return { status: 410, answer: { error: "This webhook is gone" } };
    if (path.startsWith("/moody") && ++this.#asked % 3 === 0) {
      return { status: 503, answer: { error: "Restarting, come back in a moment" } };
    }
    return { status: 200, answer: { accepted: true, bytes: body.length } };
  }
}
