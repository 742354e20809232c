import { mkdir } from "node:fs/promises";
import { join } from "node:path";
import { waypost, type Ending } from "./command-line.ts";

/** `waypost backup` and `restore` in a folder of their own. */
export class BackupBench {
  readonly #folder: string;
  #count = 0;

  constructor(folder: string) {
    this.#folder = folder;
  }

  /** A new empty folder. */
  async newFolder(): Promise<string> {
    const folder = join(this.#folder, `folder-${++this.#count}`);
    await mkdir(folder, { mode: 0o700 });
    return folder;
  }

  /** A name that nothing has yet. */
  newFile(): string {
    return join(this.#folder, `backup-${++this.#count}.tar.gz`);
  }

  backup(data: string, ...parameters: string[]): Promise<Ending> {
    return waypost(["backup", ...parameters], {
      env: { WAYPOST_DATA_DIR: data },
      directory: this.#folder,
    });
  }

  restore(
    data: string,
    file: string,
    { flags = [], env = {} }: { flags?: string[]; env?: Record<string, string> } = {},
  ): Promise<Ending> {
    return waypost(["restore", ...flags, file], { env: { WAYPOST_DATA_DIR: data, ...env } });
  }
}
