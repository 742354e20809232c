import type { Exchange, IncomingAnswer } from "../../lib/exchange.ts";
import { isSuccess, statusError } from "../../lib/http-status.ts";
import { ProviderError } from "../../lib/provider-error.ts";
import type { Stage } from "../../lib/stage-record.ts";

const LONGEST_WORDS = 300;

export interface JsonApiParts {
  /** For sentences. */
  provider: string;
  /** Origin and the prefix of the paths. */
  baseUrl: string;
  /** That say who is asking. */
  headers: Readonly<Record<string, string>>;
  /** Fields of an error's body that hold the reason. */
  reasons: readonly string[];
  exchange: Exchange;
  /** Milliseconds since 1970. */
  now: () => number;
}

/** A REST API that speaks JSON and means what its statuses say. */
export class JsonApi {
  readonly #parts: JsonApiParts;

  constructor(parts: JsonApiParts) {
    this.#parts = parts;
  }

  /**
   * @returns the JSON of the answer; undefined when it has none
   * @throws ProviderError, ExchangeError
   */
  async call(stage: Stage, method: string, path: string, body?: unknown): Promise<unknown> {
    const { provider, baseUrl, headers, exchange, now } = this.#parts;
    const content = body === undefined ? {} : { body: JSON.stringify(body) };
    const type = body === undefined ? {} : { "content-type": "application/json" };
    const answer = await exchange.send({
      stage,
      method,
      url: `${baseUrl.replace(/\/+$/, "")}${path}`,
      headers: { ...headers, ...type, accept: "application/json" },
      ...content,
    });
    if (isSuccess(answer.status)) return answer.body.length === 0 ? undefined : this.#json(answer);
    // Cut afterwards: of a part of a secret nobody could tell what it is.
    const said = exchange.redact(this.#reason(answer)).slice(0, LONGEST_WORDS);
    throw statusError(answer, provider, said, now());
  }

  #json(answer: IncomingAnswer): unknown {
    const value = parse(answer);
    if (value !== undefined) return value;
    const { provider } = this.#parts;
    throw new ProviderError("transient", "not_json", `${provider} answered no JSON`, {
      httpStatus: answer.status,
    });
  }

  #reason(answer: IncomingAnswer): string {
    const value = parse(answer);
    for (const name of this.#parts.reasons) {
      const reason = (value as Readonly<Record<string, unknown>> | null | undefined)?.[name];
      if (typeof reason === "string") return reason;
    }
    return answer.body.toString("utf8").trim() || "no reason given";
  }
}

function parse({ body }: IncomingAnswer): unknown {
  try {
    return JSON.parse(body.toString("utf8")) as unknown;
  } catch (error) {
    if (error instanceof SyntaxError) return undefined;
    throw error;
  }
}
