import type { Static, TSchema } from "typebox";
import { Compile } from "typebox/compile";
import type { FieldError } from "../../../shared/field-errors.ts";
import type { IncomingAnswer } from "../../lib/exchange.ts";
import { parseRetryAfter } from "../../lib/retry-after.ts";
import { DomainError } from "../domain-error.ts";
import { toRecordName } from "../dns-name.ts";
import type { ProviderContext } from "./provider.ts";

/** What an answer says about its own failure. */
interface Complaint {
  /** The provider's code; `http_<status>` when it has none. */
  code: string | undefined;
  /** The provider's words. */
  words: string | undefined;
  isTransient?: boolean;
  concernsAccount?: boolean;
}

const KEPT_WORDS = 300;

/** The error of an answer that is no success. */
export function failure(
  answer: IncomingAnswer,
  { exchange, now }: ProviderContext,
  complaint: Complaint,
): DomainError {
  const { status, headers, body } = answer;
  const words = exchange.redact(complaint.words ?? "").slice(0, KEPT_WORDS);
  const code = complaint.code ?? `http_${status}`;
  const isTransient = complaint.isTransient ?? isTransientStatus(status);
  const sentence = `The provider answered ${status}, ${code}${words === "" ? "" : `: ${words}`}`;
  return new DomainError(isTransient ? "transient" : "permanent", code, sentence, {
    httpStatus: status,
    responseBody: exchange.redact(body.toString("utf8")),
    retryAfterMs: parseRetryAfter(headers["retry-after"], now()),
    concernsAccount: complaint.concernsAccount ?? [401, 403, 429].includes(status),
  });
}

export function isTransientStatus(status: number): boolean {
  return status >= 500 || [408, 425, 429].includes(status);
}

export function isSuccess({ status }: IncomingAnswer): boolean {
  return status >= 200 && status < 300;
}

/** The JSON of an answer; undefined when it is none. */
export function parseJson({ body }: IncomingAnswer): unknown {
  try {
    return JSON.parse(body.toString("utf8")) as unknown;
  } catch {
    return undefined;
  }
}

/**
 * Reads answers of one shape.
 * @returns undefined when an answer has another one
 */
export function answerReader<S extends TSchema>(
  schema: S,
): (answer: IncomingAnswer) => Static<S> | undefined {
  const compiled = Compile(schema);
  return (answer) => {
    const value = parseJson(answer);
    return compiled.Check(value) ? value : undefined;
  };
}

/** An answer that should have been a success and cannot be read. */
export function unreadable(answer: IncomingAnswer, context: ProviderContext): DomainError {
  return failure(answer, context, {
    code: "unexpected_answer",
    words: "this is not what the API answers; does base_url lead to it?",
    isTransient: true,
  });
}

/** `path` below the API's own place. */
export function endpoint(base: string, path: string): string {
  return `${base.replace(/\/+$/, "")}${path}`;
}

export function baseUrlObjections(value: string | undefined): FieldError[] {
  if (value === undefined) return [];
  const url = URL.parse(value);
  const isPlain =
    url !== null &&
    /^https?:$/.test(url.protocol) &&
    [url.username, url.password, url.search, url.hash].every((part) => part === "");
  const message = "must be a URL such as https://api.example.com/v1, without a query";
  return isPlain ? [] : [{ path: "base_url", message }];
}

export function nameObjections(path: string, value: string): FieldError[] {
  return toRecordName(value) === undefined ? [{ path, message: "must be a DNS name" }] : [];
}
