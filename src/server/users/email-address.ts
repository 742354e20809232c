import { toEmailKey } from "../lib/email-key.ts";

/** An address as its owner writes it, and the form in which addresses are compared. */
export interface EmailAddress {
  text: string;
  key: string;
}

/** RFC 5321 §4.5.3.1.3, without the angle brackets. */
const LARGEST_LENGTH = 254;

/** No quoted local parts and no address literals; Unicode is fine on both sides (RFC 6531). */
const LOCAL_PART = /^[^\p{C}\p{Z}@"(),:;<>[\\\]]{1,64}$/u;
const DOMAIN = /^[\p{L}\p{N}\p{M}](?:[\p{L}\p{N}\p{M}.-]*[\p{L}\p{N}\p{M}])?$/u;

/** Undefined when the text can be no e-mail address. */
export function parseEmailAddress(input: string): EmailAddress | undefined {
  const text = input.trim().normalize("NFC");
  if (text.length > LARGEST_LENGTH) return undefined;
  const at = text.lastIndexOf("@");
  const domain = text.slice(at + 1);
  if (at < 1 || !LOCAL_PART.test(text.slice(0, at)) || !isDomain(domain)) return undefined;
  return { text, key: toEmailKey(text) };
}

function isDomain(text: string): boolean {
  return DOMAIN.test(text) && !/\.[.-]|-\./.test(text);
}
