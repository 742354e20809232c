import { readdirSync, readlinkSync } from "node:fs";

/** How many sockets this process has open, by the kernel's account. */
export function countOpenSockets(): number {
  return readdirSync("/proc/self/fd").filter((fd) => isSocket(`/proc/self/fd/${fd}`)).length;
}

function isSocket(path: string): boolean {
  try {
    return readlinkSync(path).startsWith("socket:");
  } catch {
    // The descriptor that listed the folder is gone by now.
    return false;
  }
}
