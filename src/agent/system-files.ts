import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { SourceError } from "./source.ts";

/** Where the kernel's files are; elsewhere when those of another machine are mounted. */
export interface SystemFolders {
  proc: string;
  sys: string;
}

/** Reads what the kernel says of itself. */
export class SystemFiles {
  readonly #folders: SystemFolders;

  constructor(folders: SystemFolders) {
    this.#folders = folders;
  }

  /** @throws SourceError when it is not there or may not be read */
  async read(root: keyof SystemFolders, path: string): Promise<string> {
    const text = await this.find(root, path);
    if (text !== undefined) return text;
    throw new SourceError(`${join(this.#folders[root], path)} is not there`);
  }

  /** @returns undefined when it is not there. @throws SourceError when it may not be read */
  async find(root: keyof SystemFolders, path: string): Promise<string | undefined> {
    const file = join(this.#folders[root], path);
    try {
      return await readFile(file, "utf8");
    } catch (error) {
      const { code } = error as NodeJS.ErrnoException;
      if (code === "ENOENT" || code === "ENOTDIR") return undefined;
      throw new SourceError(`${file} cannot be read: ${code ?? "unknown"}`);
    }
  }
}
