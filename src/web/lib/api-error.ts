import type { ErrorBody } from "../../shared/api/common.ts";

type FieldErrors = NonNullable<ErrorBody["fields"]>;

/** A refusal of the service. What it says is in the language of the page when it came. */
export class ApiError extends Error {
  readonly status: number;
  readonly code: string;
  readonly fields: FieldErrors;

  constructor(status: number, body: ErrorBody) {
    super(body.error);
    this.name = "ApiError";
    this.status = status;
    this.code = body.code;
    this.fields = body.fields ?? [];
  }
}

/** The service was not reached, or something else answered in its place. */
export class UnreachableError extends Error {
  constructor(message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = "UnreachableError";
  }
}
