import { hkdfSync } from "node:crypto";
import type { Config } from "../config.ts";
import type { SealKey } from "../lib/sealed-box.ts";
import { toSecretKeys } from "../setting-values.ts";
import { loadSecretFile } from "./secret-file.ts";

/** Its name in the data folder. */
export const SECRET_KEY_FILE = "secret-key";

/**
 * The keys that seal stored credentials: the configured ones, else those in the data folder, else a
 * new one that is put there. The first one seals; the others open what was sealed before.
 * @throws ConfigError when the file cannot be read or written, or holds no key
 */
export async function loadSealKeys(
  config: Pick<Config, "secretKeys" | "dataDir">,
): Promise<[SealKey, ...SealKey[]]> {
  const [first, ...rest] = config.secretKeys ?? (await readKeys(config.dataDir));
  return [toSealKey(first), ...rest.map(toSealKey)];
}

/** A text of any length of at least 32 characters to a key and its name (HKDF, RFC 5869). */
export function toSealKey(secret: string): SealKey {
  const derive = (use: string, sizeBytes: number) =>
    Buffer.from(hkdfSync("sha256", secret, "", `waypost ${use}`, sizeBytes));
  return { id: derive("key id", 6).toString("hex"), bytes: derive("sealed box", 32) };
}

async function readKeys(folder: string): Promise<[string, ...string[]]> {
  const remedy = "put the key back: without it no stored credential can be read";
  const { text } = await loadSecretFile(folder, SECRET_KEY_FILE, remedy);
  return toSecretKeys(`${SECRET_KEY_FILE} in the data folder`, text);
}
