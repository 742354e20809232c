import { execFile } from "node:child_process";
import { access, mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { ServiceProcess } from "../durability/service-process.ts";

const run = promisify(execFile);
const root = fileURLToPath(new URL("../..", import.meta.url));

describe("The package", () => {
  let folder: string;
  let installed: string;

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), "waypost-package-"));
    // The web app and the agent were built when the project was installed.
    await access(join(root, "dist/web/index.html"));
    await run("npm", ["run", "prepack"], { cwd: root });
    const pack = ["pack", "--ignore-scripts", "--json", "--pack-destination", folder];
    const { stdout } = await run("npm", pack, { cwd: root });
    const [{ filename }] = JSON.parse(stdout) as [{ filename: string }];
    const application = join(folder, "application");
    await mkdir(application);
    await writeFile(join(application, "package.json"), "{}");
    const options = ["--ignore-scripts", "--prefer-offline", "--no-audit"];
    const archive = join(folder, filename);
    await run("npm", ["install", ...options, archive], { cwd: application });
    installed = join(application, "node_modules/waypost");
  }, 120_000);
  afterAll(() => rm(folder, { recursive: true, force: true }));

  test("installs and runs in an empty folder, with its pages and its agent", async () => {
    const data = { PORT: "0", DATA_DIR: join(folder, "data"), LOG_LEVEL: "error" };
    const program = join(installed, "dist/server/main.js");
    const service = await ServiceProcess.start(data, {}, program);
    try {
      expect((await service.request("GET", "/readyz")).status).toBe(200);
      const page = await service.request("GET", "/");
      expect(page.status).toBe(200);
      expect(page.body).toContain('<div id="root"');
      const agent = await service.request("GET", "/agent.mjs");
      expect(agent.status).toBe(200);
      expect(agent.body).toContain("WAYPOST_REPORT_TOKEN");
      expect(await service.terminate()).toBe(0);
    } finally {
      await service.kill();
    }
  });

  test("has the command, which names its words", async () => {
    const command = join(installed, "../.bin/waypost");
    const { stdout } = await run(process.execPath, [command, "--help"]);
    for (const word of ["serve", "check", "stun", "backup", "restore", "agent"]) {
      expect(stdout).toContain(`  ${word}`);
    }
  });

  test("says which Node it needs to one that is too old", async () => {
    const command = join(installed, "bin/waypost.js");
    for (const version of ["22.21.0", "24.18.9"]) {
      const older = `Object.defineProperty(process,"versions",{value:{node:"${version}"}})`;
      const parameters = ["--import", `data:text/javascript,${older}`, command, "--help"];
      await expect(run(process.execPath, parameters)).rejects.toMatchObject({
        code: 1,
        stderr: `Waypost needs Node 24.19 or newer; this is ${version}\n`,
      });
    }
  });

  test("holds neither sources nor tests", async () => {
    for (const place of ["src", "test", ".ci"]) {
      await expect(access(join(installed, place))).rejects.toThrow("ENOENT");
    }
  });
});
