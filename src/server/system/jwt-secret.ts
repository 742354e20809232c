import { randomBytes } from "node:crypto";
import { link, mkdir, open, readFile, unlink, type FileHandle } from "node:fs/promises";
import { join } from "node:path";
import type { Config } from "../config.ts";
import { ConfigError } from "../settings.ts";

/** Its name in the data folder. */
export const JWT_SECRET_FILE = "jwt-secret";
const SHORTEST = 32;

export interface JwtSecret {
  secret: string;
  /** Made just now, so nobody has seen it yet. */
  generated: boolean;
}

/**
 * The secret that signs sessions and authorizes the set-up: the configured one, else the one in
 * the data folder, else a new one that is put there. Processes that start at once agree on one.
 * @throws ConfigError when the file cannot be read or written, or holds no secret
 */
export async function loadJwtSecret(
  config: Pick<Config, "jwtSecret" | "dataDir">,
): Promise<JwtSecret> {
  if (config.jwtSecret !== undefined) return { secret: config.jwtSecret, generated: false };
  const file = join(config.dataDir, JWT_SECRET_FILE);
  const known = await readSecret(file);
  if (known !== undefined) return { secret: known, generated: false };
  const secret = randomBytes(32).toString("base64url");
  try {
    await mkdir(config.dataDir, { recursive: true, mode: 0o700 });
    if (await writeOnce(config.dataDir, file, secret)) return { secret, generated: true };
  } catch (error) {
    throw new ConfigError(`${file} cannot be written: ${(error as Error).message}`);
  }
  const other = await readSecret(file);
  if (other === undefined) throw new ConfigError(`${file} disappeared while it was read`);
  return { secret: other, generated: false };
}

async function readSecret(file: string): Promise<string | undefined> {
  let text: string;
  try {
    text = (await readFile(file, "utf8")).trim();
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return undefined;
    throw new ConfigError(`${file} cannot be read: ${(error as Error).message}`);
  }
  if (text.length < SHORTEST) {
    throw new ConfigError(
      `${file} must hold at least ${SHORTEST} characters; delete it to have a new secret made (every session ends then)`,
    );
  }
  return text;
}

/**
 * The file appears whole and durable or not at all: it is written under another name and then
 * linked. @returns false when another process was faster
 */
async function writeOnce(folder: string, file: string, secret: string): Promise<boolean> {
  const draft = `${file}.${randomBytes(6).toString("hex")}`;
  await withFile(await open(draft, "wx", 0o600), async (handle) => {
    await handle.writeFile(`${secret}\n`);
    await handle.sync();
  });
  try {
    await link(draft, file);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "EEXIST") return false;
    throw error;
  } finally {
    await unlink(draft);
  }
  await withFile(await open(folder, "r"), (handle) => handle.sync());
  return true;
}

async function withFile(handle: FileHandle, use: (handle: FileHandle) => Promise<void>) {
  try {
    await use(handle);
  } finally {
    await handle.close();
  }
}
