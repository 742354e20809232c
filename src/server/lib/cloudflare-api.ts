import type { Exchange } from "./exchange.ts";
import { isSuccess, isTransientStatus, statusError } from "./http-status.ts";
import { ProviderError } from "./provider-error.ts";
import { isObject, readJsonObject, type JsonObject } from "./provider-json.ts";
import { parseRetryAfter } from "../../shared/retry-after.ts";
import type { Stage } from "./stage-record.ts";

const BASE_URL = "https://api.cloudflare.com/client/v4";
const PROVIDER = "Cloudflare";

export interface CloudflareApiParts {
  token: string;
  /** Cloudflare's own unless told. */
  baseUrl?: string | undefined;
  exchange: Exchange;
  /** Milliseconds since 1970. */
  now: () => number;
}

/** Cloudflare's API v4. Every method throws ProviderError and ExchangeError. */
export class CloudflareApi {
  readonly #parts: CloudflareApiParts;

  constructor(parts: CloudflareApiParts) {
    this.#parts = parts;
  }

  /** @returns `result` of the envelope */
  get(stage: Stage, path: string): Promise<unknown> {
    return this.#send(stage, "GET", path);
  }

  patch(stage: Stage, path: string, body: unknown): Promise<unknown> {
    return this.#send(stage, "PATCH", path, body);
  }

  post(stage: Stage, path: string, body: unknown): Promise<unknown> {
    return this.#send(stage, "POST", path, body);
  }

  delete(stage: Stage, path: string): Promise<unknown> {
    return this.#send(stage, "DELETE", path);
  }

  async #send(stage: Stage, method: string, path: string, body?: unknown): Promise<unknown> {
    const { token, baseUrl = BASE_URL, exchange, now } = this.#parts;
    const headers: Record<string, string> = {
      authorization: `Bearer ${token}`,
      accept: "application/json",
    };
    if (body !== undefined) headers["content-type"] = "application/json";
    const answer = await exchange.send({
      stage,
      method,
      url: `${baseUrl.replace(/\/+$/, "")}${path}`,
      headers,
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    const envelope = readJsonObject(answer, PROVIDER, now());
    if (isSuccess(answer.status) && envelope.success === true) return envelope.result;
    const errors = errorsOf(envelope);
    if (errors.length === 0) throw statusError(answer, PROVIDER, "not a success", now());
    const [first] = errors;
    const kind = isTransientStatus(answer.status) ? "transient" : "permanent";
    throw new ProviderError(
      kind,
      first?.code === undefined ? `http_${answer.status}` : `cloudflare_${first.code}`,
      exchange.redact(`${PROVIDER} answered ${answer.status}: ${errors.map(toWords).join("; ")}`),
      {
        retryAfterMs: parseRetryAfter(answer.headers["retry-after"], now()),
        httpStatus: answer.status,
      },
    );
  }
}

interface CloudflareError {
  message: string;
  code: number | undefined;
}

/** The errors of the envelope with the chains that the gateway adds. */
function errorsOf({ errors }: JsonObject): CloudflareError[] {
  const found: CloudflareError[] = [];
  for (const error of Array.isArray(errors) ? errors.filter(isObject) : []) {
    found.push({
      message: typeof error.message === "string" ? error.message : "no reason given",
      code: typeof error.code === "number" ? error.code : undefined,
    });
    found.push(...errorsOf({ errors: error.error_chain }));
  }
  return found;
}

function toWords({ message, code }: CloudflareError): string {
  return code === undefined ? message : `${message} (code ${code})`;
}
