import { domainLimits } from "../../shared/api/domains.ts";
import { invalidFields } from "../lib/errors.ts";

const CONTROL = /\p{Cc}/u;

/** The name as it is stored. @throws AppError invalid_request */
export function readAccountName(value: string): string {
  const name = value.trim();
  const { length } = [...name];
  if (CONTROL.test(name)) throw refusal("must not contain control characters");
  if (length >= 1 && length <= domainLimits.nameLength) return name;
  throw refusal(`must have 1 to ${domainLimits.nameLength} characters`);
}

function refusal(message: string) {
  return invalidFields([{ path: "name", message }]);
}
