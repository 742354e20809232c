import { spawn, type ChildProcess } from "node:child_process";
import { once } from "node:events";
import { readdir } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { environment } from "./environment.ts";
import { deadLaboratoryOf } from "./identity.ts";

const script = fileURLToPath(new URL("programs/keeper.sh", import.meta.url));

/**
 * A process that outlives this one by a moment and clears the laboratory away, however this one
 * ends: it waits for the end of a pipe.
 */
export class Keeper {
  readonly #process: ChildProcess;

  constructor(folder: string, namespaces: readonly string[]) {
    this.#process = spawn("sh", [script, folder, ...namespaces], {
      stdio: ["pipe", "ignore", "inherit"],
      env: environment(),
      // A terminal's Ctrl-C must not reach it.
      detached: true,
    });
    this.#process.unref();
  }

  /** Clears away; resolves when it is done. */
  async clear(): Promise<void> {
    if (this.#process.exitCode !== null) return;
    this.#process.ref();
    this.#process.stdin?.end();
    await once(this.#process, "exit");
    if (this.#process.exitCode !== 0) throw new Error("The laboratory could not be cleared away.");
  }
}

/** The folder of a laboratory. */
export function folderOf(laboratory: string): string {
  return join(tmpdir(), laboratory);
}

/** Clears away the laboratories of processes that are gone and whose keepers were ended as well. */
export async function sweepDeadLaboratories(): Promise<void> {
  const namespaces = await namespacesOnThisMachine();
  const dead = Map.groupBy(namespaces, deadLaboratoryOf);
  dead.delete(undefined);
  for (const [laboratory, theirs] of dead) {
    if (laboratory) await new Keeper(folderOf(laboratory), theirs).clear();
  }
}

async function namespacesOnThisMachine(): Promise<string[]> {
  try {
    return await readdir("/run/netns");
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return [];
    throw error;
  }
}
