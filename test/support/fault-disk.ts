import { execFileSync } from "node:child_process";
import { mkdir, mkdtemp, realpath, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

const source = fileURLToPath(new URL("./fault-disk.c", import.meta.url));

/**
 * `full`: nothing gets longer; `read-only`: nothing is written; `broken`: nothing is flushed;
 * `one name`: no file has a second one; `different`: no file gets there by a new name.
 */
export type DiskFault = "full" | "read-only" | "broken" | "one name" | "different";

/** A folder on a disk that fails on demand, for a process that runs in `environment`. */
export class FaultDisk {
  /** Where the data lies. */
  readonly data: string;
  readonly environment: Record<string, string>;
  readonly #folder: string;
  readonly #mode: string;

  private constructor(folder: string, library: string) {
    this.#folder = folder;
    this.#mode = join(folder, "mode");
    this.data = join(folder, "data");
    this.environment = {
      LD_PRELOAD: library,
      FAULT_DISK_ROOT: this.data,
      FAULT_DISK_MODE: this.#mode,
    };
  }

  static async make(): Promise<FaultDisk> {
    const folder = await realpath(await mkdtemp(join(tmpdir(), "waypost-disk-")));
    const library = join(folder, "fault-disk.so");
    execFileSync("cc", ["-shared", "-fPIC", "-O2", "-o", library, source, "-ldl"]);
    const disk = new FaultDisk(folder, library);
    await mkdir(disk.data);
    return disk;
  }

  async fail(fault: DiskFault): Promise<void> {
    await writeFile(this.#mode, fault);
  }

  async recover(): Promise<void> {
    await rm(this.#mode);
  }

  async remove(): Promise<void> {
    await rm(this.#folder, { recursive: true, force: true });
  }
}
