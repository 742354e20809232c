import { Pool } from "undici";

/** So many checks may wait for a silent peer, and nothing else waits for them. */
const CONNECTIONS = 400;

/** Speaks to the service over connections that it keeps. */
export class Caller {
  readonly #pool: Pool;
  #token = "";

  constructor(origin: string) {
    this.#pool = new Pool(origin, { connections: CONNECTIONS, headersTimeout: 30_000 });
  }

  signIn(token: string): void {
    this.#token = token;
  }

  /** @throws when the answer is a refusal */
  async call<Result>(method: "GET" | "POST" | "PUT", path: string, body?: unknown) {
    const { statusCode, body: answer } = await this.#pool.request({
      method,
      path,
      headers: {
        ...(body === undefined ? {} : { "content-type": "application/json" }),
        ...(this.#token === "" ? {} : { authorization: `Bearer ${this.#token}` }),
      },
      body: body === undefined ? null : JSON.stringify(body),
    });
    const text = await answer.text();
    if (statusCode >= 300) throw new Error(`${method} ${path} answered ${statusCode}: ${text}`);
    return (text.startsWith("{") ? JSON.parse(text) : text) as Result;
  }

  close(): Promise<void> {
    return this.#pool.close();
  }
}
