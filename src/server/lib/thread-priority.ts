import { readlinkSync } from "node:fs";
import { setPriority } from "node:os";

/**
 * Lets the calling thread step back behind the rest of the process, on Linux's scale of 0 to 19.
 * Linux gives each thread a priority of its own; elsewhere it is the process's, and stays.
 */
export function stepBack(niceness: number): void {
  if (process.platform !== "linux") return;
  try {
    const threadId = Number(readlinkSync("/proc/thread-self").split("/").pop());
    setPriority(threadId, niceness);
  } catch (error) {
    process.emitWarning(`A thread keeps its full priority: ${(error as Error).message}`);
  }
}
