import type { IncomingMessage, ServerResponse } from "node:http";
import { performance } from "node:perf_hooks";
import type { Refusals } from "./error-handler.ts";
import type { StandingHeaders } from "./headers.ts";
import { BODY_LIMIT_BYTES, parseJsonBody } from "./json-body.ts";
import { readPlainHeaders, type PlainHeaders } from "./plain-headers.ts";
import { ReadyHead } from "./ready-head.ts";
import type { RequestIds } from "./request-id.ts";
import type { Observer, RequestMeter } from "./request-meter.ts";
import { JSON_TYPE } from "./sent-as-is.ts";

/** An answer that is ready to be sent. */
export interface ReadyAnswer {
  status: number;
  headers: Readonly<Record<string, string>>;
  body: string | Buffer;
}

/** Takes the parsed body (undefined for an empty one) and gives the answer's JSON text. */
type PostHandler = (input: unknown) => string | Promise<string>;
type GetHandler = (request: IncomingMessage) => ReadyAnswer | Promise<ReadyAnswer>;

/** An endpoint with the function behind it, which the route of the same name calls too. */
export type HotEndpoint =
  | { method: "POST"; path: string; answer: PostHandler }
  | { method: "GET"; path: string; answer: GetHandler };

export interface HotParts {
  refusals: Refusals;
  requestIds: RequestIds;
  headers: StandingHeaders;
  meter: RequestMeter;
  /** How long an idle connection stays open. */
  keepAliveMs: number;
  isClosing: () => boolean;
}

/**
 * Answers the endpoints that carry nearly all of the load without the router and its hooks: the
 * plain request only. Whatever is unusual about a request, it is left to the route of the same
 * name, which gives the same answer.
 */
export class HotPath {
  readonly #parts: HotParts;
  readonly #channels = new Map<string | undefined, Channel>();

  constructor(endpoints: readonly HotEndpoint[], parts: HotParts) {
    this.#parts = parts;
    for (const each of endpoints) this.#channels.set(each.path, new Channel(each, parts));
  }

  /** @returns whether the request was taken */
  take(request: IncomingMessage, response: ServerResponse): boolean {
    const channel = this.#channels.get(request.url);
    if (channel === undefined || request.method !== channel.endpoint.method) return false;
    if (request.httpVersionMinor !== 1 || this.#parts.isClosing()) return false;
    const headers = readPlainHeaders(request.rawHeaders);
    if (headers === undefined) return false;
    if (channel.endpoint.method === "POST" && !announcesJson(headers)) return false;
    const requestId = this.#parts.requestIds.of(headers.requestId);
    new Exchange(channel, response, requestId).run(request);
    return true;
  }
}

function announcesJson({ contentType, contentLength }: PlainHeaders): boolean {
  return (
    contentType === "application/json" && contentLength > 0 && contentLength <= BODY_LIMIT_BYTES
  );
}

/** Headers that stay the same from answer to answer. */
interface Heading {
  readonly own: Readonly<Record<string, string>>;
  /** Names and values in turn. */
  readonly flat: readonly string[];
  readonly ready: ReadyHead;
}

/** An endpoint, and what all its answers have in common. */
class Channel {
  readonly endpoint: HotEndpoint;
  readonly refusals: Refusals;
  readonly observe: Observer;
  readonly isClosing: () => boolean;
  readonly json: Heading;
  readonly #parts: HotParts;
  readonly #others = new WeakMap<Heading["own"], Heading>();
  #latest: Heading;

  constructor(endpoint: HotEndpoint, parts: HotParts) {
    this.endpoint = endpoint;
    this.refusals = parts.refusals;
    this.observe = parts.meter.observer(endpoint.method, endpoint.path);
    this.isClosing = parts.isClosing;
    this.#parts = parts;
    this.json = this.#heading({ "content-type": JSON_TYPE });
    this.#latest = this.json;
  }

  /** For an answer that brings headers of its own; they hardly ever change. */
  heading(own: Readonly<Record<string, string>>): Heading {
    if (own === this.#latest.own) return this.#latest;
    let heading = this.#others.get(own);
    if (!heading) this.#others.set(own, (heading = this.#heading(own)));
    return (this.#latest = heading);
  }

  #heading(own: Readonly<Record<string, string>>): Heading {
    const flat = Object.entries({ ...this.#parts.headers.for(this.endpoint.path), ...own }).flat();
    return { own, flat, ready: new ReadyHead(flat, this.#parts.keepAliveMs) };
  }
}

const NOTHING = Buffer.alloc(0);

/** One request and its answer. */
class Exchange {
  readonly #channel: Channel;
  readonly #response: ServerResponse;
  readonly #requestId: string;
  readonly #startedAt = performance.now();
  #bytes: Buffer = NOTHING;

  constructor(channel: Channel, response: ServerResponse, requestId: string) {
    this.#channel = channel;
    this.#response = response;
    this.#requestId = requestId;
  }

  run(request: IncomingMessage): void {
    const { endpoint } = this.#channel;
    if (endpoint.method === "GET") this.#get(endpoint.answer, request);
    else this.#read(request, endpoint.answer);
  }

  /** A client that breaks off is forgotten: there is no end then. */
  #read(request: IncomingMessage, answer: PostHandler): void {
    request.on("data", (chunk: Buffer) => {
      this.#bytes = this.#bytes === NOTHING ? chunk : Buffer.concat([this.#bytes, chunk]);
    });
    request.on("end", () => this.#post(answer));
  }

  #post(answer: PostHandler): void {
    let text: string | Promise<string>;
    try {
      text = answer(parseJsonBody(this.#bytes));
    } catch (error) {
      this.#refuse(error);
      return;
    }
    if (typeof text === "string") this.#accept(text);
    else
      void text.then(
        (made) => this.#accept(made),
        (error: unknown) => this.#refuse(error),
      );
  }

  #get(answer: GetHandler, request: IncomingMessage): void {
    let ready: ReadyAnswer | Promise<ReadyAnswer>;
    try {
      ready = answer(request);
    } catch (error) {
      this.#refuse(error);
      return;
    }
    if (ready instanceof Promise) {
      void ready.then(
        (made) => this.#sendReady(made),
        (error: unknown) => this.#refuse(error),
      );
    } else {
      this.#sendReady(ready);
    }
  }

  #sendReady({ status, body, headers }: ReadyAnswer): void {
    const heading = this.#channel.heading(headers);
    if (typeof body === "string") this.#sendText(status, body, heading);
    else this.#send(status, body, status === 304 ? undefined : body.length, heading, "utf8");
  }

  #accept(text: string): void {
    this.#sendText(200, text, this.#channel.json);
  }

  #refuse(error: unknown): void {
    const { status, body, retryAfterSeconds } = this.#channel.refusals.of(error, this.#requestId);
    const { json } = this.#channel;
    const flat = [...json.flat];
    if (retryAfterSeconds !== undefined) flat.push("retry-after", String(retryAfterSeconds));
    this.#sendText(status, JSON.stringify(body), { ...json, flat });
  }

  #sendText(status: number, text: string, heading: Heading): void {
    const length = Buffer.byteLength(text);
    // Plain ASCII leaves in the encoding of the headers, in one piece with them.
    this.#send(status, text, length, heading, length === text.length ? "latin1" : "utf8");
  }

  #send(
    status: number,
    body: string | Buffer,
    length: number | undefined,
    heading: Heading,
    encoding: BufferEncoding,
  ): void {
    const isReady =
      status === 200 &&
      length !== undefined &&
      !this.#channel.isClosing() &&
      heading.ready.writeTo(this.#response, length, this.#requestId);
    if (!isReady) this.#writeHead(status, length, heading.flat);
    this.#response.end(body, encoding);
    this.#channel.observe(status, performance.now() - this.#startedAt);
  }

  #writeHead(status: number, length: number | undefined, flat: readonly string[]): void {
    const headers = [...flat];
    if (length !== undefined) headers.push("content-length", String(length));
    headers.push("x-request-id", this.#requestId);
    if (this.#channel.isClosing()) headers.push("connection", "close");
    this.#response.writeHead(status, headers);
  }
}
