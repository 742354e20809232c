interface DomainErrorDetails {
  retryAfterMs?: number | undefined;
  httpStatus?: number | undefined;
  responseBody?: string | undefined;
  /** Whether every other record of the account would fail for the same reason. */
  concernsAccount?: boolean;
}

/** Why a record is not in step. The message is a sentence without secrets. */
export class DomainError extends Error {
  readonly kind: "transient" | "permanent";
  /** A word for statistics: the provider's code, the name of a DNS response code, `http_503`. */
  readonly errorClass: string;
  readonly retryAfterMs: number | undefined;
  readonly httpStatus: number | undefined;
  readonly responseBody: string | undefined;
  readonly concernsAccount: boolean;

  constructor(
    kind: "transient" | "permanent",
    errorClass: string,
    message: string,
    details: DomainErrorDetails = {},
  ) {
    super(message);
    this.name = "DomainError";
    this.kind = kind;
    this.errorClass = errorClass;
    this.retryAfterMs = details.retryAfterMs;
    this.httpStatus = details.httpStatus;
    this.responseBody = details.responseBody;
    this.concernsAccount = details.concernsAccount ?? false;
  }
}
