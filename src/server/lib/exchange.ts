import type { Agent } from "undici";
import { TimeUp, within } from "../../probe/deadline.ts";
import { ExchangeError } from "./exchange-error.ts";
import { toExchangeError } from "./exchange-failures.ts";
import type { Redactor } from "./redaction.ts";
import { toStageRecord, type Stage, type StageRecord } from "./stage-record.ts";

/** What a provider may take to answer, all in all. */
const PROVIDER_TIMEOUT_MS = 15_000;
/** Far above what a provider has to say about one rule or name. */
const LARGEST_ANSWER_BYTES = 4_194_304;

export interface OutgoingRequest {
  stage: Stage;
  method: string;
  url: string;
  /** Names in any case; `Host` and `Content-Length` are added. */
  headers: Readonly<Record<string, string>>;
  body?: string | Buffer;
  /** For the whole exchange; 15 s unless told. */
  timeoutMs?: number;
  /** 4 MiB unless told. */
  largestBytes?: number;
  /** What is done with a larger answer; `fail` unless told. */
  oversize?: "fail" | "cut";
}

export interface IncomingAnswer {
  status: number;
  /** Names in lower case; what came several times is joined by commas. */
  headers: Record<string, string>;
  body: Buffer;
  /** Whether the body was cut off. */
  truncated: boolean;
  durationMs: number;
}

export interface ExchangeParts {
  /** Its connections are opened by `checkedConnector`. */
  agent: Agent;
  /** Removes what no record may show. */
  redactor: Redactor;
  /** Ends what is under way. */
  signal: AbortSignal;
  /** Milliseconds of a monotonic clock. */
  now: () => number;
}

/** What one attempt sends and gets, on record. A redirect is an answer like others. */
export class Exchange {
  readonly #parts: ExchangeParts;
  readonly #records: StageRecord[] = [];
  #redactor: Redactor;

  constructor(parts: ExchangeParts) {
    this.#parts = parts;
    this.#redactor = parts.redactor;
  }

  /** Ends what is under way. */
  get signal(): AbortSignal {
    return this.#parts.signal;
  }

  /** No record from now on shows these values either: for an account that names another one. */
  hide(secrets: readonly string[]): void {
    this.#redactor = this.#redactor.plus(secrets);
  }

  /** One for each request that was sent or failed to be, in their order. */
  get records(): readonly StageRecord[] {
    return this.#records;
  }

  /** A text, say an error of a provider, without the secrets. */
  redact(text: string): string {
    return this.#redactor.text(text);
  }

  /** What `send` would put on record of the request. @throws ExchangeError refused_by_policy */
  preview(request: OutgoingRequest): StageRecord {
    const { stage, method, headers, body } = request;
    const sent = { stage, method, url: toTarget(request), headers, body };
    return toStageRecord(this.#redactor, sent, undefined, 0);
  }

  /** Puts a stage on record that did not go through `send`: what speaks another protocol. */
  record(record: StageRecord): void {
    this.#records.push(record);
  }

  /** @throws ExchangeError; the reason of the exchange's signal */
  async send(request: OutgoingRequest): Promise<IncomingAnswer> {
    const { stage, method, headers, body } = request;
    const url = toTarget(request);
    const { now } = this.#parts;
    const startedAt = now();
    const elapsedMs = () => Math.max(0, Math.round(now() - startedAt));
    const sent = { stage, method, url, headers, body };
    let answer: IncomingAnswer | undefined;
    try {
      answer = await this.#request(url, request, elapsedMs);
      return answer;
    } finally {
      this.#records.push(toStageRecord(this.#redactor, sent, answer, elapsedMs()));
    }
  }

  async #request(
    url: URL,
    request: OutgoingRequest,
    elapsedMs: () => number,
  ): Promise<IncomingAnswer> {
    const { timeoutMs = PROVIDER_TIMEOUT_MS } = request;
    const { signal } = this.#parts;
    try {
      return await within(timeoutMs, signal, async (inTime) => {
        const answer = await this.#exchange(url, request, inTime);
        return { ...answer, durationMs: elapsedMs() };
      });
    } catch (error) {
      if (signal.aborted) throw error;
      if (error instanceof TimeUp) {
        throw new ExchangeError("timeout", `No answer from ${url.host} in ${timeoutMs / 1000} s`);
      }
      throw toExchangeError(error, url.host);
    }
  }

  async #exchange(url: URL, request: OutgoingRequest, signal: AbortSignal) {
    const { method, headers, body: content, largestBytes = LARGEST_ANSWER_BYTES } = request;
    const answer = await this.#parts.agent.request({
      origin: url.origin,
      path: `${url.pathname}${url.search}`,
      method,
      headers: Object.fromEntries(Object.entries(headers).map(toWire)),
      body: content ?? null,
      signal,
    });
    const { body, truncated } = await readUpTo(answer.body, largestBytes);
    if (truncated && request.oversize !== "cut") {
      const most = `${Math.round(largestBytes / 1024)} KiB`;
      throw new ExchangeError("too_large", `${url.host} answered more than ${most}`);
    }
    return { status: answer.statusCode, headers: toPlain(answer.headers), body, truncated };
  }
}

/** @throws ExchangeError refused_by_policy */
function toTarget({ url: text, headers }: OutgoingRequest): URL {
  const url = URL.parse(text);
  if (!url) throw refusal("the URL is not valid");
  if (url.protocol !== "http:" && url.protocol !== "https:") {
    throw refusal(`${url.protocol} is neither http: nor https:`);
  }
  if (url.username !== "" || url.password !== "") throw refusal("the URL holds a user name");
  for (const [name, value] of Object.entries(headers)) {
    if (/[\x00-\x08\x0a-\x1f\x7f]/.test(value))
      throw refusal(`the header ${name} would hold a control character`);
  }
  return url;
}

/** Characters outside of ASCII travel as the bytes of UTF-8. */
function toWire([name, value]: [string, string]): [string, string] {
  return [name, Buffer.from(value, "utf8").toString("latin1")];
}

function refusal(why: string): ExchangeError {
  return new ExchangeError("refused_by_policy", `Nothing was sent: ${why}`);
}

async function readUpTo(
  source: AsyncIterable<Uint8Array>,
  limitBytes: number,
): Promise<{ body: Buffer; truncated: boolean }> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of source) {
    const room = limitBytes - size;
    chunks.push(chunk.length > room ? chunk.subarray(0, room) : chunk);
    size += chunk.length;
    if (size > limitBytes) break;
  }
  return { body: Buffer.concat(chunks), truncated: size > limitBytes };
}

function toPlain(headers: Readonly<Record<string, string | string[] | undefined>>) {
  return Object.fromEntries(
    Object.entries(headers).map(([name, value]) => [
      name,
      Array.isArray(value) ? value.join(", ") : (value ?? ""),
    ]),
  );
}
