import { rmSync } from "node:fs";
import { mkdtemp, open } from "node:fs/promises";
import { join } from "node:path";

/** By which a person, a closed terminal or the system ends the process. */
const endings = ["SIGINT", "SIGTERM", "SIGHUP"] as const;

/**
 * A folder in `place` for what is not finished, which goes when `work` ends, whichever way, and when a
 * person or the system ends the process.
 */
export async function withDraftFolder<T>(
  place: string,
  prefix: string,
  work: (folder: string) => Promise<T>,
): Promise<T> {
  const folder = await mkdtemp(join(place, prefix));
  const remove = () => rmSync(folder, { recursive: true, force: true });
  const abandon = (signal: NodeJS.Signals) => {
    remove();
    process.off(signal, abandon).kill(process.pid, signal);
  };
  for (const signal of endings) process.on(signal, abandon);
  try {
    return await work(folder);
  } finally {
    for (const signal of endings) process.off(signal, abandon);
    remove();
  }
}

/** The names in a folder are on the disk, or the bytes of a file are. */
export async function flush(path: string): Promise<void> {
  const handle = await open(path, "r");
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}
