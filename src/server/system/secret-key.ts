import { hkdfSync, randomBytes } from "node:crypto";
import { join } from "node:path";
import type { Config } from "../config.ts";
import type { SealKey } from "../lib/sealed-box.ts";
import { toSecretKeys } from "../setting-values.ts";
import { loadSecretFile, replaceSecretFile } from "./secret-file.ts";

/** Its name in the data folder. */
export const SECRET_KEY_FILE = "secret-key";

/** Where the keys are that seal stored credentials. */
export interface SecretKeyPlace {
  /** The setting or the file. */
  name: string;
  /** The first one seals; the others open what was sealed before. @throws ConfigError */
  read(): Promise<[string, ...string[]]>;
  /** Durable when it resolves; only for the file that the program made itself. @throws ConfigError */
  write?: (keys: readonly string[]) => Promise<void>;
}

/** The configured keys, else those in the data folder, where a new one is put when there is none. */
export function secretKeyPlace({
  secretKeys,
  dataDir,
}: Pick<Config, "secretKeys" | "dataDir">): SecretKeyPlace {
  if (secretKeys) return { name: "WAYPOST_SECRET_KEY", read: async () => secretKeys };
  return {
    name: join(dataDir, SECRET_KEY_FILE),
    read: async () => {
      const remedy = "put the key back: without it no stored credential can be read";
      const { text } = await loadSecretFile(dataDir, SECRET_KEY_FILE, remedy);
      return toSecretKeys(`${SECRET_KEY_FILE} in the data folder`, text);
    },
    write: (keys) => replaceSecretFile(dataDir, SECRET_KEY_FILE, keys.join("\n")),
  };
}

/** @throws ConfigError when the file cannot be read or written, or holds no key */
export async function loadSealKeys(
  config: Pick<Config, "secretKeys" | "dataDir">,
): Promise<[SealKey, ...SealKey[]]> {
  const [first, ...rest] = await secretKeyPlace(config).read();
  return [toSealKey(first), ...rest.map(toSealKey)];
}

/** 256 bits. */
export function newSecretKey(): string {
  return randomBytes(32).toString("base64url");
}

/** A text of any length of at least 32 characters to a key and its name (HKDF, RFC 5869). */
export function toSealKey(secret: string): SealKey {
  const derive = (use: string, sizeBytes: number) =>
    Buffer.from(hkdfSync("sha256", secret, "", `waypost ${use}`, sizeBytes));
  return { id: derive("key id", 6).toString("hex"), bytes: derive("sealed box", 32) };
}
