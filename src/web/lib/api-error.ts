import type { ErrorBody } from "../../shared/api/common.ts";

type FieldErrors = NonNullable<ErrorBody["fields"]>;

/** A refusal of the service. The message is its English sentence. */
export class ApiError extends Error {
  readonly status: number;
  readonly code: string;
  readonly fields: FieldErrors;
  readonly retryAfterSeconds: number | undefined;

  constructor(status: number, body: ErrorBody, retryAfterSeconds?: number) {
    super(body.error);
    this.name = "ApiError";
    this.status = status;
    this.code = body.code;
    this.fields = body.fields ?? [];
    this.retryAfterSeconds = retryAfterSeconds;
  }
}

/** The service was not reached, or something else answered in its place. */
export class UnreachableError extends Error {
  constructor(message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = "UnreachableError";
  }
}
