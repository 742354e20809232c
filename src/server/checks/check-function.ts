import { MAX_BATCH, type CheckQuery, type CheckResult } from "../../shared/api/checks.ts";
import { TimeUp, within } from "../../probe/deadline.ts";
import { AppError, type ErrorCode } from "../lib/errors.ts";
import { readBatch, readResult } from "./function-answer.ts";
import { readLimited } from "./limited-body.ts";

export interface CheckFunctionOptions {
  /** Without a path. */
  origin: string;
  key: string | undefined;
  timeoutMs: number;
}

const LARGEST_ANSWER_BYTES = 256 * 1024;
const BUSY_SECONDS = { unsaid: 5, most: 3600 } as const;

interface Question {
  method: "GET" | "POST";
  path: string;
  body?: string;
}

/**
 * Speaks to a check function elsewhere. Either it answers what the contract says or the answer is an
 * error: no result is ever made up. No message and no log line tells what was asked, since that holds
 * secrets.
 */
export class CheckFunction {
  readonly #origin: string;
  readonly #headers: Readonly<Record<string, string>>;
  readonly #timeoutMs: number;

  constructor({ origin, key, timeoutMs }: CheckFunctionOptions) {
    this.#origin = origin;
    this.#headers = {
      accept: "application/json",
      ...(key === undefined ? {} : { "x-api-key": key }),
    };
    this.#timeoutMs = timeoutMs;
  }

  /** @throws AppError check_function_…, and whatever `signal` carries */
  async check(node: CheckQuery, signal: AbortSignal): Promise<CheckResult> {
    const query = new URLSearchParams({ ...node }).toString();
    const text = await this.#ask({ method: "GET", path: `check?${query}` }, signal);
    return readResult(text) ?? this.#invalid("is no check result");
  }

  /**
   * At most 20 nodes; as many results, in their order.
   * @throws AppError check_function_…, and whatever `signal` carries
   */
  async checkBatch(nodes: readonly CheckQuery[], signal: AbortSignal): Promise<CheckResult[]> {
    if (nodes.length > MAX_BATCH) throw new Error(`a batch has at most ${MAX_BATCH} nodes`);
    const body = JSON.stringify({ nodes });
    const text = await this.#ask({ method: "POST", path: "batch-check", body }, signal);
    const results = readBatch(text);
    if (!results) this.#invalid("is no list of check results");
    if (results.length === nodes.length) return results;
    return this.#invalid(`holds ${results.length} results for ${nodes.length} nodes`);
  }

  /** @returns the body of an answer with the status 200 */
  async #ask(question: Question, signal: AbortSignal): Promise<string> {
    try {
      return await within(this.#timeoutMs, signal, (inTime) => this.#exchange(question, inTime));
    } catch (error) {
      signal.throwIfAborted();
      if (error instanceof AppError) throw error;
      if (error instanceof TimeUp) {
        this.#fail("check_function_timed_out", `did not answer within ${this.#timeoutMs / 1000} s`);
      }
      return this.#fail("check_function_unreachable", "cannot be reached", {
        cause: reasonOf(error),
      });
    }
  }

  async #exchange(question: Question, signal: AbortSignal): Promise<string> {
    const response = await this.#send(question, signal);
    if (response.status === 200) {
      const text = await readLimited(response, LARGEST_ANSWER_BYTES);
      return text ?? this.#invalid("is too large or no text");
    }
    await response.body?.cancel();
    return this.#refuseStatus(response);
  }

  #send({ method, path, body }: Question, signal: AbortSignal): Promise<Response> {
    return fetch(`${this.#origin}/api/edgecheck/${path}`, {
      method,
      headers:
        body === undefined
          ? this.#headers
          : { ...this.#headers, "content-type": "application/json" },
      // Where it leads to was not chosen by the operator.
      redirect: "manual",
      signal,
      ...(body === undefined ? {} : { body }),
    });
  }

  #refuseStatus({ status, headers }: Response): never {
    if (status === 401) {
      this.#fail("check_function_refused_key", "refuses the key that this service sends");
    }
    if (status !== 429) return this.#invalid(`has the status ${status}`);
    const retryAfterSeconds = toSeconds(headers.get("retry-after"));
    return this.#fail("check_function_busy", `is busy; try again in ${retryAfterSeconds} s`, {
      retryAfterSeconds,
    });
  }

  #invalid(what: string): never {
    return this.#fail("check_function_answer_invalid", `gave an answer that ${what}`);
  }

  #fail(
    code: ErrorCode,
    what: string,
    details: { cause?: string; retryAfterSeconds?: number } = { cause: what },
  ): never {
    throw new AppError(code, `The check function ${what}`, details);
  }
}

function toSeconds(retryAfter: string | null): number {
  const seconds = /^\d{1,9}$/.test(retryAfter ?? "") ? Number(retryAfter) : BUSY_SECONDS.unsaid;
  return Math.min(Math.max(seconds, 1), BUSY_SECONDS.most);
}

/** The system's or the HTTP client's word for a failure; never its message, which may quote a URL. */
function reasonOf(error: unknown): string {
  const { cause } = error as { cause?: { code?: unknown } };
  return typeof cause?.code === "string" ? cause.code : "unknown";
}
