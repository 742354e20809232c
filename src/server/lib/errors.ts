import { sentenceOf, type FieldError } from "../../shared/field-errors.ts";

/** Every refusal the service can give, by the word that stands in the answer's `code`. */
export type ErrorCode =
  | "invalid_json"
  | "invalid_request"
  | "already_initialized"
  | "invalid_token"
  | "already_registered"
  | "name_taken"
  | "unauthorized"
  | "wrong_credentials"
  | "wrong_setup_secret"
  | "email_not_verified"
  | "forbidden"
  | "account_disabled"
  | "report_token_refused"
  | "node_expired"
  | "not_found"
  | "method_not_allowed"
  | "request_timeout"
  | "conflict"
  | "last_administrator"
  | "body_too_large"
  | "unsupported_media_type"
  | "rate_limited"
  | "headers_too_large"
  | "overloaded"
  | "not_ready"
  | "no_eligible_node"
  | "storage_unavailable"
  | "check_function_busy"
  | "check_function_unreachable"
  | "check_function_timed_out"
  | "check_function_refused_key"
  | "check_function_answer_invalid"
  | "internal";

export interface AppErrorDetails {
  fields?: FieldError[];
  retryAfterSeconds?: number;
  /** Why somebody should look into it: for the log, not for the caller. Holds no secret. */
  cause?: string;
}

/** A refusal whose message is written for the caller and may leave the process. */
export class AppError extends Error {
  readonly code: ErrorCode;
  readonly fields: FieldError[] | undefined;
  readonly retryAfterSeconds: number | undefined;

  constructor(code: ErrorCode, message: string, details: AppErrorDetails = {}) {
    super(message, details.cause === undefined ? {} : { cause: details.cause });
    this.name = "AppError";
    this.code = code;
    this.fields = details.fields;
    this.retryAfterSeconds = details.retryAfterSeconds;
  }
}

/** A refusal of the whole body or query because of single fields; the sentence names the first. */
export function invalidFields(fields: FieldError[]): AppError {
  return new AppError("invalid_request", sentenceOf(fields), { fields });
}

export function tooManyAttempts(waitMs: number): AppError {
  const seconds = Math.ceil(waitMs / 1000);
  return new AppError("rate_limited", `Too many attempts; try again in ${seconds} s`, {
    retryAfterSeconds: seconds,
  });
}
