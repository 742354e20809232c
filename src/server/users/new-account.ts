import { invalidFields } from "../lib/errors.ts";
import { parseEmailAddress, type EmailAddress } from "./email-address.ts";
import { flawOfPassword } from "./password-rules.ts";

/** @throws AppError invalid_request naming each field that is wrong */
export function checkNewAccount(email: string, password: string): EmailAddress {
  const address = parseEmailAddress(email);
  const flaw = flawOfPassword(password);
  const fields = [];
  if (!address) fields.push({ path: "email", message: "must be an e-mail address" });
  if (flaw) fields.push({ path: "password", message: flaw });
  if (!address || flaw) throw invalidFields(fields);
  return address;
}
