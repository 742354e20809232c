import { spawn } from "node:child_process";
import { once } from "node:events";
import { chmod, mkdtemp, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { fileURLToPath } from "node:url";

/** What `waypost` is, as a file that Node runs. */
export const program = fileURLToPath(new URL("../../src/server/cli.ts", import.meta.url));

export interface Ending {
  code: number | null;
  out: string;
  err: string;
}

export interface CommandOptions {
  /** What is written to its standard input. */
  input?: string;
  env?: Record<string, string>;
  directory?: string;
}

/** Runs `waypost` as a process of its own, away from any `.env`. */
export async function waypost(
  parameters: readonly string[],
  { input = "", env = {}, directory = tmpdir() }: CommandOptions = {},
): Promise<Ending> {
  const child = spawn(process.execPath, [program, ...parameters], {
    cwd: directory,
    env: { ...process.env, ...env },
    stdio: ["pipe", "pipe", "pipe"],
  });
  // Who does not read the input closes it early.
  child.stdin.on("error", () => {});
  child.stdin.end(input);
  const [out, err] = await Promise.all([
    text(child.stdout),
    text(child.stderr),
    once(child, "close"),
  ]);
  return { code: child.exitCode, out, err };
}

/** @returns a folder for the PATH, in which `waypost` is the program, as after its installation */
export async function commandFolder(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), "waypost-bin-"));
  const file = join(folder, "waypost");
  await writeFile(file, `#!/bin/sh\nexec "${process.execPath}" "${program}" "$@"\n`);
  await chmod(file, 0o755);
  return folder;
}
