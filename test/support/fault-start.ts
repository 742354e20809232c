import { spawn } from "node:child_process";
import { once } from "node:events";
import { text } from "node:stream/consumers";
import { fileURLToPath } from "node:url";

const main = fileURLToPath(new URL("../../src/server/main.ts", import.meta.url));
const DEADLINE_MS = 20_000;

export interface StartOutcome {
  /** Null when it had to be ended because it did not end by itself. */
  status: number | null;
  out: string;
  err: string;
}

/**
 * Starts the program where it should refuse to start, and waits for its end.
 * @param settings without their prefix
 * @param folder where it is started
 * @param program the service unless it says otherwise
 */
export async function startInVain(
  settings: Record<string, string>,
  folder: string,
  program = main,
): Promise<StartOutcome> {
  const prefixed = Object.entries(settings).map(([name, value]) => [`WAYPOST_${name}`, value]);
  const child = spawn(process.execPath, [program], {
    cwd: folder,
    env: { PATH: process.env["PATH"], ...Object.fromEntries(prefixed) },
    stdio: ["ignore", "pipe", "pipe"],
  });
  const deadline = setTimeout(() => child.kill("SIGKILL"), DEADLINE_MS);
  const [out, err] = await Promise.all([
    text(child.stdout),
    text(child.stderr),
    once(child, "exit"),
  ]);
  clearTimeout(deadline);
  return { status: child.exitCode, out, err };
}
