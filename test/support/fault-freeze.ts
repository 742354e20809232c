import { execFileSync } from "node:child_process";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import type { PostgresServer } from "./postgres-server.ts";

/**
 * Stops every process of a server where it stands: connections stay open, new ones are accepted by
 * the kernel, and nothing answers. @returns what lets them go on
 */
export async function freeze(server: PostgresServer): Promise<() => void> {
  const pidFile = await readFile(join(server.folder, "data", "postmaster.pid"), "utf8");
  const main = Number.parseInt(pidFile, 10);
  // The main process first, so that it starts no other one meanwhile.
  process.kill(main, "SIGSTOP");
  const children = childrenOf(main);
  for (const pid of children) process.kill(pid, "SIGSTOP");
  return () => {
    for (const pid of [...children, main]) process.kill(pid, "SIGCONT");
  };
}

function childrenOf(parent: number): number[] {
  const rows = execFileSync("ps", ["-A", "-o", "pid=,ppid="], { encoding: "utf8" });
  return rows.split("\n").flatMap((row) => {
    const [pid, ppid] = row.trim().split(/\s+/).map(Number);
    return ppid === parent && pid !== undefined ? [pid] : [];
  });
}
