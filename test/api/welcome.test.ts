import { execFile, spawn, type ChildProcess } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, readFile, rm, stat } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { afterAll, beforeAll, expect, test } from "vitest";

const main = fileURLToPath(new URL("../../src/server/main.ts", import.meta.url));
const run = promisify(execFile);

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "waypost-welcome-"));
});
afterAll(() => rm(folder, { recursive: true, force: true }));

/** Starts the program in the folder. @returns it with the lines it has said when it is ready */
async function start(env: Record<string, string> = {}) {
  const child = spawn(process.execPath, [main], {
    cwd: folder,
    env: { PATH: process.env["PATH"], WAYPOST_PORT: "0", ...env },
    stdio: ["ignore", "pipe", "inherit"],
  });
  const said: string[] = [];
  for await (const line of createInterface(child.stdout)) {
    said.push(line);
    if (/^curl |It is set up/.test(line)) break;
  }
  return { child, said };
}

/** @returns its status */
async function end(child: ChildProcess, signal: NodeJS.Signals): Promise<number | null> {
  const exited = once(child, "exit");
  child.kill(signal);
  await exited;
  return child.exitCode;
}

test("the first start shows the way to the administrator, and later ones do not", async () => {
  const first = await start();
  expect(first.said).toHaveLength(5);
  const [address = "", page, secretLine, , curl = ""] = first.said;
  const [, origin] = /^Waypost listens on (http:\/\/127\.0\.0\.1:\d+)$/.exec(address) ?? [];
  expect(page).toBe(`Next, create the administrator at ${origin}/set-up`);
  const file = join(folder, "data", "jwt-secret");
  const secret = (await readFile(file, "utf8")).trim();
  expect(secretLine).toContain(secret);
  expect((await stat(file)).mode & 0o777).toBe(0o600);

  // As it stands the command is refused, so that nobody sets up a known password.
  expect(await shell(curl)).toMatchObject({ code: "invalid_request" });
  const filledIn = curl
    .replace("YOUR ADDRESS", "admin@example.com")
    .replace("CHANGE", "a good password");
  expect(await shell(filledIn)).toMatchObject({ admin_email: "admin@example.com" });
  expect(await end(first.child, "SIGTERM")).toBe(0);

  const second = await start();
  expect(second.said).toHaveLength(2);
  expect(second.said[1]).toMatch(/^It is set up; the API is described at http.+\/docs$/);
  expect(second.said.join("\n")).not.toContain(secret);
  expect(await end(second.child, "SIGINT")).toBe(0);
});

test("a secret that the operator has chosen is not repeated, and a public address leads to the page", async () => {
  const secret = "chosen-by-the-operator-0123456789abcdef";
  const { child, said } = await start({
    WAYPOST_JWT_SECRET: secret,
    WAYPOST_DATA_DIR: join(folder, "other"),
    WAYPOST_PUBLIC_URL: "https://nodes.example.com",
  });
  expect(said).toHaveLength(5);
  expect(said.join("\n")).not.toContain(secret);
  expect(said[1]).toContain("https://nodes.example.com/set-up");
  expect(said[2]).toBe("Set-up secret: see WAYPOST_JWT_SECRET");
  expect(said.at(-1)).toContain("SEE WAYPOST_JWT_SECRET");
  expect(await end(child, "SIGTERM")).toBe(0);
});

/** What a command answers. */
async function shell(command: string): Promise<unknown> {
  const { stdout } = await run("sh", ["-c", command]);
  return JSON.parse(stdout);
}
