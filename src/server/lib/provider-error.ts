interface ProviderErrorDetails {
  retryAfterMs?: number | undefined;
  httpStatus?: number | undefined;
  responseBody?: string | undefined;
}

/** What a target answered that is no success. The message is a sentence without secrets. */
export class ProviderError extends Error {
  /** Whether the same request can succeed later. */
  readonly kind: "transient" | "permanent";
  /** A word for statistics: `http_503`, or the provider's own code. */
  readonly errorClass: string;
  readonly retryAfterMs: number | undefined;
  readonly httpStatus: number | undefined;
  readonly responseBody: string | undefined;

  constructor(
    kind: "transient" | "permanent",
    errorClass: string,
    message: string,
    details: ProviderErrorDetails = {},
  ) {
    super(message);
    this.name = new.target.name;
    this.kind = kind;
    this.errorClass = errorClass;
    this.retryAfterMs = details.retryAfterMs;
    this.httpStatus = details.httpStatus;
    this.responseBody = details.responseBody;
  }
}
