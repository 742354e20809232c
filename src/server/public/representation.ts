import { hash } from "node:crypto";
import { promisify } from "node:util";
import { brotliCompress, constants, gzip } from "node:zlib";
import { chooseCoding, type ContentCoding } from "./content-coding.ts";
import { isNamedBy } from "../lib/entity-tag.ts";

/** An answer that is ready to be sent. */
export interface ReadyAnswer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Buffer;
}

/** A body that is compressed gains nothing below this. */
const SMALLEST_TO_COMPRESS = 1024;
const GZIP_LEVEL = 5;
const BROTLI_QUALITY = 4;
const TAG_LENGTH = 22;
const NOTHING = Buffer.alloc(0);

const gzipAsync = promisify(gzip);
const brotliAsync = promisify(brotliCompress);

/** One JSON body in all the forms it is sent in; each is made once, when first asked for. */
export class Representation {
  readonly #body: Buffer;
  readonly #tag: string;
  readonly #ready = new Map<ContentCoding, ReadyAnswer | Promise<ReadyAnswer>>();
  readonly #unchanged: ReadyAnswer;

  /** @param digest SHA-256 of the body, base64url */
  constructor(body: Buffer, digest: string) {
    this.#body = body;
    // Weak, because the coded forms share it.
    this.#tag = `W/"${digest.slice(0, TAG_LENGTH)}"`;
    this.#unchanged = { status: 304, headers: headersFor(this.#tag), body: NOTHING };
    const headers = { "content-type": "application/json; charset=utf-8", ...headersFor(this.#tag) };
    this.#ready.set("identity", { status: 200, headers, body });
  }

  static of(text: string): Representation {
    const body = Buffer.from(text);
    return new Representation(body, hash("sha256", body, "base64url"));
  }

  get sizeBytes(): number {
    return this.#body.length;
  }

  answer(
    acceptEncoding: string | undefined,
    ifNoneMatch: string | undefined,
  ): ReadyAnswer | Promise<ReadyAnswer> {
    if (ifNoneMatch !== undefined && isNamedBy(this.#tag, ifNoneMatch)) return this.#unchanged;
    const coding =
      this.#body.length < SMALLEST_TO_COMPRESS ? "identity" : chooseCoding(acceptEncoding);
    const known = this.#ready.get(coding);
    if (known) return known;
    const making = this.#encode(coding).then((answer) => {
      this.#ready.set(coding, answer);
      return answer;
    });
    this.#ready.set(coding, making);
    return making;
  }

  async #encode(coding: ContentCoding): Promise<ReadyAnswer> {
    const body = await compress(this.#body, coding);
    const headers = {
      "content-type": "application/json; charset=utf-8",
      "content-encoding": coding,
      ...headersFor(this.#tag),
    };
    return { status: 200, headers, body };
  }
}

function headersFor(tag: string): Record<string, string> {
  return { etag: tag, "cache-control": "public, max-age=5", vary: "Accept-Encoding" };
}

function compress(body: Buffer, coding: ContentCoding): Promise<Buffer> {
  if (coding === "gzip") return gzipAsync(body, { level: GZIP_LEVEL });
  return brotliAsync(body, {
    params: {
      [constants.BROTLI_PARAM_QUALITY]: BROTLI_QUALITY,
      [constants.BROTLI_PARAM_SIZE_HINT]: body.length,
    },
  });
}
