import { establishedAt } from "./proc-net.ts";
import type { SystemFiles } from "./system-files.ts";

/** How many TCP connections are established at one of these ports of this machine. */
export async function countSockets(
  files: SystemFiles,
  ports: ReadonlySet<number>,
): Promise<number> {
  const four = await files.read("proc", "net/tcp");
  // Not there where IPv6 is not.
  const six = (await files.find("proc", "net/tcp6")) ?? "";
  return establishedAt(four, ports) + establishedAt(six, ports);
}
