import { chmod, mkdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";

/** Programs in the place of such that need a machine of their own: they write down how they are called. */
export class RecordedPrograms {
  /** The folder that holds them. */
  readonly path: string;

  private constructor(path: string) {
    this.path = path;
  }

  static async create(folder: string, names: readonly string[]): Promise<RecordedPrograms> {
    const path = join(folder, "recorded-programs");
    await mkdir(path);
    for (const name of names) {
      const file = join(path, name);
      await writeFile(file, `#!/bin/sh\necho "${name} $*" >>"${path}/calls"\n`);
      await chmod(file, 0o755);
    }
    return new RecordedPrograms(path);
  }

  /** One line each, in their order. */
  async calls(): Promise<string[]> {
    return (await readFile(join(this.path, "calls"), "utf8")).trimEnd().split("\n");
  }
}
