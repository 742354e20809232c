import type { Config } from "../config.ts";
import { loadSecretFile } from "./secret-file.ts";

/** Its name in the data folder. */
export const JWT_SECRET_FILE = "jwt-secret";

export interface JwtSecret {
  secret: string;
  /** Made just now, so nobody has seen it yet. */
  generated: boolean;
}

/**
 * The secret that signs sessions and authorizes the set-up: the configured one, else the one in
 * the data folder, else a new one that is put there.
 * @throws ConfigError when the file cannot be read or written, or holds no secret
 */
export async function loadJwtSecret(
  config: Pick<Config, "jwtSecret" | "dataDir">,
): Promise<JwtSecret> {
  if (config.jwtSecret !== undefined) return { secret: config.jwtSecret, generated: false };
  const { text, generated } = await loadSecretFile(
    config.dataDir,
    JWT_SECRET_FILE,
    "delete it to have a new secret made (every session ends then)",
  );
  return { secret: text, generated };
}
