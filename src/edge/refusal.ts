import type { ErrorBody } from "../shared/api/common.ts";
import { sentenceOf, type FieldError } from "../shared/field-errors.ts";
import { toAnswer } from "./answer.ts";

const statusOf = {
  invalid_json: 400,
  invalid_request: 400,
  unauthorized: 401,
  not_found: 404,
  method_not_allowed: 405,
  body_too_large: 413,
  unsupported_media_type: 415,
  rate_limited: 429,
  internal: 500,
} as const;
export type RefusalCode = keyof typeof statusOf;

export interface RefusalDetails {
  fields?: FieldError[];
  headers?: Record<string, string>;
}

/** Thrown to answer with anything but 200. The message is written for the caller. */
export class Refusal extends Error {
  readonly code: RefusalCode;
  readonly #fields: FieldError[] | undefined;
  readonly #headers: Record<string, string>;

  constructor(code: RefusalCode, message: string, { fields, headers = {} }: RefusalDetails = {}) {
    super(message);
    this.code = code;
    this.#fields = fields;
    this.#headers = headers;
  }

  static ofFields(fields: FieldError[]): Refusal {
    return new Refusal("invalid_request", sentenceOf(fields), { fields });
  }

  toResponse(): Response {
    const body: ErrorBody = { error: this.message, code: this.code };
    if (this.#fields) body.fields = this.#fields;
    return toAnswer(statusOf[this.code], body, this.#headers);
  }
}

/** @param waitSeconds after how long another attempt makes sense */
export function tooMany(sentence: string, waitSeconds: number): Refusal {
  const seconds = Math.ceil(waitSeconds);
  return new Refusal("rate_limited", `${sentence}; try again in ${seconds} s`, {
    headers: { "retry-after": String(seconds) },
  });
}
