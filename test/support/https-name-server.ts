import { once } from "node:events";
import { createServer, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";

interface NameRecord {
  type: number;
  data: string;
}

/** What is known of a name: its records, the code of a failure, other text, or nothing is said. */
type Knowledge = { records: NameRecord[] } | { status: number } | { text: string } | "silence";

type Names = Readonly<Record<string, Knowledge>>;

const NO_SUCH_NAME = 3;
const types: Readonly<Record<string, number>> = { A: 1, CNAME: 5, AAAA: 28 };

/** Answers questions about names over HTTP, in the JSON form that public resolvers share. */
export class HttpsNameServer {
  /** `<name> <type>` of every question so far. */
  readonly asked: string[] = [];
  readonly #server: Server;

  private constructor(names: Names) {
    this.#server = createServer(({ url = "" }, response) => {
      const { searchParams } = new URL(url, "http://localhost");
      const name = searchParams.get("name") ?? "";
      const type = searchParams.get("type") ?? "";
      this.asked.push(`${name} ${type}`);
      answer(response, names[name] ?? { status: NO_SUCH_NAME }, type);
    });
  }

  static async listen(names: Names): Promise<HttpsNameServer> {
    const server = new HttpsNameServer(names);
    server.#server.listen(0, "127.0.0.1");
    await once(server.#server, "listening");
    return server;
  }

  get url(): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}/dns-query`;
  }

  async close(): Promise<void> {
    const closed = once(this.#server, "close");
    this.#server.close();
    this.#server.closeAllConnections();
    await closed;
  }
}

function answer(response: ServerResponse, knowledge: Knowledge, type: string): void {
  if (knowledge === "silence") return;
  response.setHeader("content-type", "application/dns-json");
  if ("text" in knowledge) response.end(knowledge.text);
  else if ("status" in knowledge) response.end(JSON.stringify({ Status: knowledge.status }));
  else {
    const wanted = [types[type], types["CNAME"]];
    const records = knowledge.records.filter((record) => wanted.includes(record.type));
    response.end(JSON.stringify({ Status: 0, ...(records.length > 0 ? { Answer: records } : {}) }));
  }
}
