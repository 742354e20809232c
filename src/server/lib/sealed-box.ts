import { createCipheriv, createDecipheriv, randomBytes } from "node:crypto";

/** What `SealedBox` seals with: 32 bytes, and the word by which sealed texts name them. */
export interface SealKey {
  id: string;
  bytes: Buffer;
}

/** A sealed text that cannot be opened: another key, another place, or it was changed. */
export class SealError extends Error {}

const VERSION = "wp1";
const CIPHER = "aes-256-gcm";
const IV_BYTES = 12;
const TAG_BYTES = 16;

/**
 * Seals short texts so that they can be stored: `wp1.<key id>.<base64url iv>.<base64url ciphertext
 * and tag>`, AES-256-GCM with a random iv each. A text opens only in the context it was sealed for.
 */
export class SealedBox {
  readonly #first: SealKey;
  readonly #keys: ReadonlyMap<string, SealKey>;

  /** @param keys the first one seals, all of them open */
  constructor(keys: readonly [SealKey, ...SealKey[]]) {
    this.#first = keys[0];
    this.#keys = new Map(keys.map((key) => [key.id, key]));
  }

  /** The id of the key that seals. */
  get keyId(): string {
    return this.#first.id;
  }

  /** Whether texts of this key can be opened. */
  knows(keyId: string): boolean {
    return this.#keys.has(keyId);
  }

  /** @param context where the text belongs, say `callback_accounts:17:api_token` */
  seal(plain: string, context: string): string {
    const { id, bytes } = this.#first;
    const iv = randomBytes(IV_BYTES);
    const cipher = createCipheriv(CIPHER, bytes, iv).setAAD(Buffer.from(context, "utf8"));
    const text = Buffer.concat([cipher.update(plain, "utf8"), cipher.final(), cipher.getAuthTag()]);
    return [VERSION, id, iv.toString("base64url"), text.toString("base64url")].join(".");
  }

  /** @throws SealError */
  open(sealed: string, context: string): string {
    const { keyId, iv, text } = parse(sealed);
    const key = this.#keys.get(keyId);
    if (!key) {
      throw new SealError(
        `A secret was sealed with the key ${keyId}, which is not among the configured ones`,
      );
    }
    const decipher = createDecipheriv(CIPHER, key.bytes, iv, { authTagLength: TAG_BYTES })
      .setAAD(Buffer.from(context, "utf8"))
      .setAuthTag(text.subarray(-TAG_BYTES));
    try {
      const plain = [decipher.update(text.subarray(0, -TAG_BYTES)), decipher.final()];
      return Buffer.concat(plain).toString("utf8");
    } catch {
      throw new SealError(`A secret cannot be opened as ${context}: it was changed or moved`);
    }
  }

  /** The id of the key that a text was sealed with; undefined when it is no sealed text. */
  keyIdOf(sealed: string): string | undefined {
    try {
      return parse(sealed).keyId;
    } catch (error) {
      if (error instanceof SealError) return undefined;
      throw error;
    }
  }
}

function parse(sealed: string): { keyId: string; iv: Buffer; text: Buffer } {
  const [version, keyId, ivText = "", textText = "", ...rest] = sealed.split(".");
  const iv = Buffer.from(ivText, "base64url");
  const text = Buffer.from(textText, "base64url");
  const isSealed = version === VERSION && keyId !== undefined && rest.length === 0;
  if (!isSealed || iv.length !== IV_BYTES || text.length < TAG_BYTES) {
    throw new SealError("This is no sealed secret");
  }
  return { keyId, iv, text };
}
