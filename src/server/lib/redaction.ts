import { percentEncode } from "./percent-encode.ts";

/** What stands where a secret stood. */
export const REDACTED = "[redacted]";

/** Shorter secrets are not looked for: they stand in every text by chance. */
const SHORTEST_SECRET = 4;
/** A part of a Base64 text of which this much is equal is equal by no chance. */
const SHORTEST_BASE64 = 6;

const CREDENTIAL_NAME = /auth|cookie|token|secret|key|passw|pwd|credential|sign|session|jwt/i;
/** They say what is asked for, not what was given. */
const challenges: ReadonlySet<string> = new Set(["www-authenticate", "proxy-authenticate"]);
/** Good for one message only: hidden where it stands, not looked for elsewhere. */
const SIGNATURE_NAME = /signature/i;

/** Whether a header or a query key of this name carries a credential. */
export function isCredentialName(name: string): boolean {
  return CREDENTIAL_NAME.test(name) && !challenges.has(name.toLowerCase());
}

/**
 * Removes secrets from what is stored and logged: by value, in every form in which a request or an
 * answer may carry it, and by the names of headers and query keys.
 */
export class Redactor {
  readonly #forms: ReadonlySet<string>;
  /** In lower case, to look for first: that is cheap, and hardly ever is there anything to find. */
  readonly #needles: readonly string[];
  /** What has another case is compared as the pattern does it. */
  readonly #isPlain: boolean;
  #pattern: RegExp | undefined;

  /** @param known forms of other secrets */
  constructor(secrets: Iterable<string>, known: Iterable<string> = []) {
    const forms = new Set(known);
    for (const secret of secrets) {
      if (secret.length < SHORTEST_SECRET) continue;
      for (const form of formsOf(secret)) forms.add(form);
    }
    this.#forms = forms;
    this.#needles = [...new Set([...forms].map((form) => form.toLowerCase()))];
    this.#isPlain = [...forms].every((form) => /^[\x00-\x7f]*$/.test(form));
  }

  /** One that removes these as well. */
  plus(secrets: readonly string[]): Redactor {
    return secrets.length === 0 ? this : new Redactor(secrets, this.#forms);
  }

  text(text: string): string {
    if (!this.#mayHold(text)) return text;
    this.#pattern ??= toPattern(this.#forms);
    return text.replace(this.#pattern, REDACTED);
  }

  headers(headers: Readonly<Record<string, string>>): Record<string, string> {
    return Object.fromEntries(
      Object.entries(headers).map(([name, value]) => [
        name,
        isCredentialName(name) ? REDACTED : this.text(value),
      ]),
    );
  }

  #mayHold(text: string): boolean {
    if (!this.#isPlain) return true;
    const lower = text.toLowerCase();
    return this.#needles.some((needle) => lower.includes(needle));
  }

  /** The URL without the values of query keys that are named like credentials. */
  url(url: string): string {
    const named = url.replace(/([?&])([^=&#]*)=([^&#]*)/g, (all, mark: string, key: string) =>
      isCredentialName(key) ? `${mark}${key}=${REDACTED}` : all,
    );
    return this.text(named);
  }
}

function toPattern(forms: ReadonlySet<string>): RegExp {
  // The longest first: one form may begin with another.
  const longest = [...forms].toSorted((a, b) => b.length - a.length);
  return new RegExp(longest.map(literally).join("|"), "gi");
}

/** The values in a request that are credentials by their names, with and without their scheme. */
export function namedCredentials(url: URL, headers: Readonly<Record<string, string>>): string[] {
  const found: string[] = [];
  for (const [key, value] of url.searchParams) if (isCredentialName(key)) found.push(value);
  for (const [name, value] of Object.entries(headers)) {
    if (!isCredentialName(name) || SIGNATURE_NAME.test(name)) continue;
    found.push(value, value.slice(value.lastIndexOf(" ") + 1));
  }
  return found;
}

function formsOf(secret: string): string[] {
  const json = JSON.stringify(secret).slice(1, -1);
  return [
    secret,
    json,
    json.replaceAll("/", "\\/"),
    json.replace(/[^\x00-\x7f]/g, toUnicodeEscape),
    encodeURIComponent(secret.toWellFormed()),
    percentEncode(secret),
    new URLSearchParams([["", secret]]).toString().slice(1),
    ...base64Forms(secret),
  ];
}

function literally(text: string): string {
  return text.replace(/[\\^$.*+?()[\]{}|]/g, "\\$&");
}

function toUnicodeEscape(character: string): string {
  return `\\u${character.charCodeAt(0).toString(16).padStart(4, "0")}`;
}

/** The part of its Base64 text that is the same whatever stands before and behind it. */
function base64Forms(secret: string): string[] {
  const bytes = Buffer.from(secret, "utf8");
  return [0, 1, 2].flatMap((shift) => {
    const padded = Buffer.concat([Buffer.alloc(shift), bytes]);
    const from = Math.ceil((shift * 8) / 6);
    const to = Math.floor((padded.length * 8) / 6);
    const forms = [padded.toString("base64"), padded.toString("base64url")];
    return forms.map((form) => form.slice(from, to)).filter((f) => f.length >= SHORTEST_BASE64);
  });
}
