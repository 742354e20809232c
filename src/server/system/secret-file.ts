import { randomBytes } from "node:crypto";
import { link, mkdir, open, readFile, rename, unlink, type FileHandle } from "node:fs/promises";
import { join } from "node:path";
import { ConfigError } from "../settings.ts";

/** No secret may have fewer characters. */
const SHORTEST_SECRET = 32;

export interface FiledSecret {
  text: string;
  /** Made just now, so nobody has seen it yet. */
  generated: boolean;
}

/**
 * The secret in a file of the data folder; a new one of 256 bits is put there when there is no file.
 * Processes that start at once agree on one.
 * @param remedy what to do about a file that holds too little
 * @throws ConfigError when the file cannot be read or written, or holds no secret
 */
export async function loadSecretFile(
  folder: string,
  name: string,
  remedy: string,
): Promise<FiledSecret> {
  const file = join(folder, name);
  const known = await readSecret(file, remedy);
  if (known !== undefined) return { text: known, generated: false };
  const text = randomBytes(32).toString("base64url");
  try {
    await mkdir(folder, { recursive: true, mode: 0o700 });
    if (await writeOnce(folder, file, text)) return { text, generated: true };
  } catch (error) {
    throw new ConfigError(`${file} cannot be written: ${(error as Error).message}`);
  }
  const other = await readSecret(file, remedy);
  if (other === undefined) throw new ConfigError(`${file} disappeared while it was read`);
  return { text: other, generated: false };
}

async function readSecret(file: string, remedy: string): Promise<string | undefined> {
  let text: string;
  try {
    text = (await readFile(file, "utf8")).trim();
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return undefined;
    throw new ConfigError(`${file} cannot be read: ${(error as Error).message}`);
  }
  if (text.length < SHORTEST_SECRET) {
    throw new ConfigError(`${file} must hold at least ${SHORTEST_SECRET} characters; ${remedy}`);
  }
  return text;
}

/** The file has the old text or the new one, at any time. @throws ConfigError */
export async function replaceSecretFile(folder: string, name: string, text: string): Promise<void> {
  const file = join(folder, name);
  try {
    const draft = await writeDraft(file, text);
    await rename(draft, file);
    await syncFolder(folder);
  } catch (error) {
    throw new ConfigError(`${file} cannot be written: ${(error as Error).message}`);
  }
}

/**
 * The file appears whole and durable or not at all: it is written under another name and then
 * linked. @returns false when another process was faster
 */
async function writeOnce(folder: string, file: string, secret: string): Promise<boolean> {
  const draft = await writeDraft(file, secret);
  try {
    await link(draft, file);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "EEXIST") return false;
    throw error;
  } finally {
    await unlink(draft);
  }
  await syncFolder(folder);
  return true;
}

/** @returns the name of a durable file beside `file` that nobody else uses */
async function writeDraft(file: string, secret: string): Promise<string> {
  const draft = `${file}.${randomBytes(6).toString("hex")}`;
  await withFile(await open(draft, "wx", 0o600), async (handle) => {
    await handle.writeFile(`${secret}\n`);
    await handle.sync();
  });
  return draft;
}

async function syncFolder(folder: string): Promise<void> {
  await withFile(await open(folder, "r"), (handle) => handle.sync());
}

async function withFile(handle: FileHandle, use: (handle: FileHandle) => Promise<void>) {
  try {
    await use(handle);
  } finally {
    await handle.close();
  }
}
