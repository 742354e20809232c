import * as Type from "typebox";
import { Check } from "typebox/schema";
import { DialError, type Resolver } from "../../probe/sockets.ts";
import { SettingError, type Read } from "../settings.ts";

const DEFAULT_URL = "https://cloudflare-dns.com/dns-query";

/** The JSON form of an answer that public resolvers share; the words are those of RFC 1035. */
const DnsAnswer = Type.Object({
  Status: Type.Integer(),
  Answer: Type.Optional(Type.Array(Type.Object({ type: Type.Integer(), data: Type.String() }))),
});

const recordTypes = { A: 1, AAAA: 28 } as const;
const NO_ERROR = 0;
const NO_SUCH_NAME = 3;

/** The resolver to ask, of which DNS over HTTPS in JSON is expected. @throws SettingError */
export function toQuestionUrl(name: string, read: Read): URL {
  const url = URL.parse(read(name) || DEFAULT_URL);
  if (url && /^https?:$/.test(url.protocol)) return url;
  throw new SettingError(name, "must be a URL that begins with https:// or http://");
}

/**
 * Asks a resolver over HTTPS, for where there is no other. One question at a time, and for IPv6
 * addresses only when there is no IPv4 address: an invocation may not ask much.
 */
export class HttpsResolver implements Resolver {
  readonly #url: URL;
  readonly #fetch: typeof fetch;

  constructor(url: URL, fetcher: typeof fetch) {
    this.#url = url;
    this.#fetch = fetcher;
  }

  async resolve(name: string, signal: AbortSignal): Promise<string[]> {
    const ipv4 = await this.#ask(name, "A", signal);
    return ipv4.length > 0 ? ipv4 : this.#ask(name, "AAAA", signal);
  }

  async #ask(name: string, type: keyof typeof recordTypes, signal: AbortSignal): Promise<string[]> {
    const { Status: status, Answer: records = [] } = await this.#fetchAnswer(name, type, signal);
    if (status === NO_SUCH_NAME) return [];
    if (status !== NO_ERROR) throw unresolved(`the resolver answers with code ${status}`);
    return records.filter((each) => each.type === recordTypes[type]).map((each) => each.data);
  }

  async #fetchAnswer(name: string, type: string, signal: AbortSignal) {
    const url = new URL(this.#url);
    url.searchParams.set("name", name);
    url.searchParams.set("type", type);
    const answer = await this.#fetchJson(url, signal);
    if (Check(DnsAnswer, answer)) return answer;
    throw unresolved("the resolver's answer is none");
  }

  async #fetchJson(url: URL, signal: AbortSignal): Promise<unknown> {
    // Called by its own name: it insists on no `this`.
    const ask = this.#fetch;
    try {
      const response = await ask(url, { headers: { accept: "application/dns-json" }, signal });
      if (response.ok) return await response.json();
      await response.body?.cancel();
    } catch {
      signal.throwIfAborted();
    }
    throw unresolved("the resolver does not answer");
  }
}

function unresolved(why: string): DialError {
  return new DialError("name_unresolved", `The name could not be resolved: ${why}`);
}
