import { readFile } from "node:fs/promises";
import { isIP } from "node:net";

export const HOSTS_FILE = "/etc/hosts";

/** The addresses a hosts file (hosts(5)) gives to a name, in its order; none when there is no file. */
export async function findInHostsFile(path: string, name: string): Promise<string[]> {
  const addresses: string[] = [];
  for (const line of (await read(path)).split("\n")) {
    const [entry = ""] = line.split("#");
    const [address = "", ...names] = entry.trim().split(/\s+/);
    const known = names.some((each) => each.toLowerCase() === name);
    if (known && isIP(address) !== 0 && !addresses.includes(address)) addresses.push(address);
  }
  return addresses;
}

async function read(path: string): Promise<string> {
  try {
    return await readFile(path, "utf8");
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return "";
    throw error;
  }
}
