import { createHash, createHmac } from "node:crypto";
import type { IncomingMessage } from "node:http";

/** What the service says about a request whose signature it does not accept. */
export type SignatureFault =
  | "MissingSignature"
  | "InvalidAccessKeyId.NotFound"
  | "InvalidTimeStamp.Expired"
  | "SignatureNonceUsed"
  | "SignatureDoesNotMatch";

/**
 * Derives the signature again from the received request, after the published description of
 * ACS3-HMAC-SHA256, by other means than the signer.
 */
export class Acs3Verifier {
  readonly #keys: ReadonlyMap<string, string>;
  readonly #now: () => number;
  readonly #nonces = new Set<string>();

  /** @param keys id → secret */
  constructor(keys: Readonly<Record<string, string>>, now: () => number) {
    this.#keys = new Map(Object.entries(keys));
    this.#now = now;
  }

  /** Undefined when the request is signed as it should be. */
  check({ method, url, headers }: IncomingMessage, body: Buffer): SignatureFault | undefined {
    const shape =
      /^ACS3-HMAC-SHA256 Credential=([^,]+),SignedHeaders=([^,]+),Signature=([\da-f]+)$/;
    const [, id = "", names = "", given] = shape.exec(headers.authorization ?? "") ?? [];
    const secret = this.#keys.get(id);
    if (given === undefined) return "MissingSignature";
    if (secret === undefined) return "InvalidAccessKeyId.NotFound";
    const signed = names.split(";");
    const due = Object.keys(headers).filter((name) => name === "host" || name.startsWith("x-acs-"));
    if (due.some((name) => !signed.includes(name))) return "SignatureDoesNotMatch";
    const bodyHash = createHash("sha256").update(body).digest("hex");
    if (headers["x-acs-content-sha256"] !== bodyHash) return "SignatureDoesNotMatch";
    const at = Date.parse(String(headers["x-acs-date"]));
    if (!(Math.abs(at - this.#now()) <= 15 * 60_000)) return "InvalidTimeStamp.Expired";
    const [path = "", rawQuery = ""] = (url ?? "").split("?");
    const pairs = rawQuery.split("&").filter((pair) => pair !== "");
    const query = pairs.map((pair) => normalPair(pair)).toSorted(byBytes);
    const lines = signed.map((name) => `${name}:${String(headers[name]).trim()}\n`);
    const canonical = `${method}\n${path}\n${query.join("&")}\n${lines.join("")}\n${names}\n${bodyHash}`;
    const digest = createHash("sha256").update(canonical).digest("hex");
    const mac = createHmac("sha256", secret).update(`ACS3-HMAC-SHA256\n${digest}`).digest("hex");
    if (mac !== given) return "SignatureDoesNotMatch";
    return this.#useNonce(String(headers["x-acs-signature-nonce"]));
  }

  #useNonce(nonce: string): SignatureFault | undefined {
    if (this.#nonces.has(nonce)) return "SignatureNonceUsed";
    this.#nonces.add(nonce);
    return undefined;
  }
}

/** Decoded and encoded again: only letters, digits and `-._~` stay as they are. */
function normalPair(pair: string): string {
  const at = pair.indexOf("=");
  const [name, value] = at < 0 ? [pair, ""] : [pair.slice(0, at), pair.slice(at + 1)];
  return `${encode(decodeURIComponent(name))}=${encode(decodeURIComponent(value))}`;
}

function encode(text: string): string {
  return [...Buffer.from(text)]
    .map((byte) => {
      const character = String.fromCharCode(byte);
      if (/[\w.~-]/.test(character)) return character;
      return `%${byte.toString(16).toUpperCase().padStart(2, "0")}`;
    })
    .join("");
}

function byBytes(a: string, b: string): number {
  return Buffer.compare(Buffer.from(a.split("=")[0] ?? ""), Buffer.from(b.split("=")[0] ?? ""));
}
