import { writeFile } from "node:fs/promises";

/** The names that hosts of the laboratory know, all of them the same. */
export class HostNames {
  readonly file: string;
  readonly #addresses = new Map<string, readonly string[]>([["localhost", ["127.0.0.1"]]]);

  /** @param file is written, and shown to every program as `/etc/hosts` */
  constructor(file: string) {
    this.file = file;
  }

  /** Lets a name lead to these addresses from now on; to none with an empty list. */
  async set(name: string, addresses: readonly string[]): Promise<void> {
    this.#addresses.set(name, addresses);
    const lines = [...this.#addresses].flatMap(([each, theirs]) =>
      theirs.map((address) => `${address} ${each}\n`),
    );
    // In place: programs that run see this very file.
    await writeFile(this.file, lines.join(""));
  }
}
