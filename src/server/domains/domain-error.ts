import { ProviderError } from "../lib/provider-error.ts";

type Details = ConstructorParameters<typeof ProviderError>[3];

/**
 * Why a record is not in step, beside what the APIs of providers say. `errorClass` may be the name of
 * a DNS response code, too.
 */
export class DomainError extends ProviderError {
  readonly concernsAccount: boolean;

  constructor(
    kind: "transient" | "permanent",
    errorClass: string,
    message: string,
    details: Details & { concernsAccount?: boolean } = {},
  ) {
    super(kind, errorClass, message, details);
    this.concernsAccount = details.concernsAccount ?? false;
  }
}

/** Codes of keys that are wrong, permissions that are missing, and calls that are too many. */
const ACCOUNT_CODE =
  /^(?:InvalidAccessKeyId|SignatureDoesNotMatch|Forbidden|NoPermission|Throttling|InvalidDomainName|AuthFailure|UnauthorizedOperation|RequestLimitExceeded|ResourceNotFound\.NoDataOfDomain)/;
const accountStatuses: readonly (number | undefined)[] = [401, 403, 429];

/** Whether every other record of the account would fail for the same reason. */
export function concernsAccount(error: ProviderError): boolean {
  if (error instanceof DomainError && error.concernsAccount) return true;
  return accountStatuses.includes(error.httpStatus) || ACCOUNT_CODE.test(error.errorClass);
}
