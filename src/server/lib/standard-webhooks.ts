import { createHmac, createSecretKey, type KeyObject } from "node:crypto";

/** The beginning of a secret that is written in Base64. */
const PREFIX = "whsec_";

export interface SignedMessage {
  /** The same on every try. */
  id: string;
  /** Milliseconds since 1970; of this try. */
  at: number;
  /** The very text that is sent. */
  body: string;
}

/**
 * What a secret signs with; made once, since signing with bytes costs ten times as much.
 * @param secret `whsec_` and Base64, or a plain text whose bytes are the key
 */
export function toWebhookKey(secret: string): KeyObject {
  const isBase64 = secret.startsWith(PREFIX);
  const text = isBase64 ? secret.slice(PREFIX.length) : secret;
  return createSecretKey(Buffer.from(text, isBase64 ? "base64" : "utf8"));
}

/** The three headers of Standard Webhooks 1.0 (symmetric signature, `v1`). */
export function signWebhook(key: KeyObject, { id, at, body }: SignedMessage) {
  const timestamp = String(Math.floor(at / 1000));
  const signature = createHmac("sha256", key).update(`${id}.${timestamp}.${body}`).digest("base64");
  return {
    "webhook-id": id,
    "webhook-timestamp": timestamp,
    "webhook-signature": `v1,${signature}`,
  };
}

/** Whether a secret that says it is Base64 is that. */
export function isWebhookSecret(secret: string): boolean {
  if (!secret.startsWith(PREFIX) || secret === PREFIX) return secret !== "" && secret !== PREFIX;
  return /^(?:[A-Za-z\d+/]{4})*(?:[A-Za-z\d+/]{2}(?:==)?|[A-Za-z\d+/]{3}=?)?$/.test(
    secret.slice(PREFIX.length),
  );
}
