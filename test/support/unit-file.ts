import { copyFile, mkdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { parseEnv } from "node:util";

export interface UnitStart {
  /** For a shell. */
  command: string;
  env: Record<string, string>;
}

/**
 * What systemd would start by a unit file: its program, its settings, its credentials. No systemd is
 * asked, and nothing of the sandbox is built.
 * @param root stands in place of `/` for all but the system's own programs
 */
export async function readUnit(text: string, root: string): Promise<UnitStart> {
  const lines = [...text.matchAll(/^(\w+)=(.*)$/gm)];
  const all = (key: string) => lines.filter((line) => line[1] === key).map((line) => line[2] ?? "");
  const credentials = join(root, "run/credentials");
  await mkdir(credentials, { recursive: true });
  for (const each of all("LoadCredential")) {
    const [name = "", path = ""] = each.split(":");
    await copyFile(join(root, path), join(credentials, name));
  }
  const env: Record<string, string> = {};
  for (const each of all("StateDirectory")) {
    env["STATE_DIRECTORY"] = join(root, "var/lib", each);
    await mkdir(env["STATE_DIRECTORY"], { recursive: true });
  }
  const stated = all("Environment").flatMap((each) => each.split(" "));
  const files = all("EnvironmentFile").map((path) => readFile(join(root, path), "utf8"));
  Object.assign(env, parseEnv(stated.join("\n").replaceAll("%d", credentials)));
  for (const file of await Promise.all(files)) Object.assign(env, parseEnv(file));
  const words = all("ExecStart").join("").split(" ");
  return { command: words.map((word) => toHere(word, root)).join(" "), env };
}

function toHere(word: string, root: string): string {
  if (word === "/usr/bin/node") return process.execPath;
  return word.startsWith("/opt/") ? join(root, word) : word;
}
