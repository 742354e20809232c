import { createHash, createHmac } from "node:crypto";
import type { IncomingMessage } from "node:http";

export type SignatureFault =
  | "AuthFailure.InvalidAuthorization"
  | "AuthFailure.SecretIdNotFound"
  | "AuthFailure.SignatureExpire"
  | "AuthFailure.SignatureFailure";

/** What the service may be called by beside its own name, when it stands on a test's port. */
interface Leeway {
  /** The official Node.js SDK signs the host without its port and takes its first label for the service. */
  sdk?: boolean;
}

/**
 * Derives the signature again from the received request, after the published description of
 * TC3-HMAC-SHA256, by other means than the signer.
 */
export class Tc3Verifier {
  readonly #keys: ReadonlyMap<string, string>;
  readonly #service: string;
  readonly #now: () => number;

  /** @param keys id → secret */
  constructor(keys: Readonly<Record<string, string>>, service: string, now: () => number) {
    this.#keys = new Map(Object.entries(keys));
    this.#service = service;
    this.#now = now;
  }

  /** Undefined when the request is signed as it should be. */
  check(
    { method, url, headers }: Pick<IncomingMessage, "method" | "url" | "headers">,
    body: Buffer,
    { sdk = false }: Leeway = {},
  ): SignatureFault | undefined {
    const shape =
      /^TC3-HMAC-SHA256 Credential=([^/]+)\/([\d-]+)\/([^/]+)\/tc3_request, SignedHeaders=([^,]+), Signature=([\da-f]+)$/;
    const [, id = "", date = "", service = "", names = "", given] =
      shape.exec(headers.authorization ?? "") ?? [];
    if (given === undefined) return "AuthFailure.InvalidAuthorization";
    const secret = this.#keys.get(id);
    if (secret === undefined) return "AuthFailure.SecretIdNotFound";
    const seconds = Number(headers["x-tc-timestamp"]);
    const isOfToday = new Date(seconds * 1000).toISOString().startsWith(date);
    if (!isOfToday || Math.abs(seconds - this.#now() / 1000) > 300) {
      return "AuthFailure.SignatureExpire";
    }
    const signed = names.split(";");
    if (!signed.includes("content-type") || !signed.includes("host")) {
      return "AuthFailure.InvalidAuthorization";
    }
    const host = sdk ? (headers.host ?? "").replace(/:\d+$/, "") : headers.host;
    const isOurs = service === this.#service || (sdk && service === host?.split(".")[0]);
    const received: Record<string, unknown> = { ...headers, host };
    const lines = signed.map((name) => `${name}:${String(received[name]).trim().toLowerCase()}\n`);
    const hashed = createHash("sha256").update(body).digest("hex");
    const [path, query = ""] = (url ?? "").split("?");
    const canonical = `${method}\n${path}\n${query}\n${lines.join("")}\n${names}\n${hashed}`;
    const digest = createHash("sha256").update(canonical).digest("hex");
    const scope = `${date}/${service}/tc3_request`;
    let key: Buffer | string = `TC3${secret}`;
    for (const word of scope.split("/")) key = createHmac("sha256", key).update(word).digest();
    const mac = createHmac("sha256", key)
      .update(`TC3-HMAC-SHA256\n${seconds}\n${scope}\n${digest}`)
      .digest("hex");
    return isOurs && mac === given ? undefined : "AuthFailure.SignatureFailure";
  }
}
