import { execFile, spawn } from "node:child_process";
import { access, mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { delimiter, dirname, join } from "node:path";
import { promisify } from "node:util";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { ServiceProcess } from "../durability/service-process.ts";
import { blockOf, root } from "../support/documents.ts";
import { adapt } from "../support/walked-document.ts";

const run = promisify(execFile);

describe("The package", () => {
  let folder: string;
  let installed: string;
  /** What starts the service. */
  let command: string;

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), "waypost-package-"));
    // The web app and the agent were built when the project was installed.
    await access(join(root, "dist/web/index.html"));
    await run("npm", ["run", "prepack"], { cwd: root });
    const text = blockOf("docs/install.md", "npm ci && npm pack").text;
    const lines = adapt(text, { "npm ci && ": "", "/opt/": join(folder, "opt/") }).split("\n");
    const [pack = "", install = "", serve = ""] = lines;
    const packing = { npm_config_ignore_scripts: "true", npm_config_pack_destination: folder };
    await run("sh", ["-c", pack], { cwd: root, env: { ...process.env, ...packing } });
    const installing = { npm_config_prefer_offline: "true", npm_config_audit: "false" };
    await run("sh", ["-c", install], { cwd: folder, env: { ...process.env, ...installing } });
    installed = join(folder, "opt/waypost/lib/node_modules/waypost");
    command = serve;
  }, 120_000);
  afterAll(() => rm(folder, { recursive: true, force: true }));

  test("installs and runs in an empty folder, with its pages and its agent", async () => {
    const [program = "", ...words] = command.split(" ");
    const service = await ServiceProcess.of(
      spawn(program, words, {
        env: {
          PATH: [dirname(process.execPath), process.env["PATH"]].join(delimiter),
          WAYPOST_PORT: "0",
          WAYPOST_DATA_DIR: join(folder, "data"),
          WAYPOST_LOG_LEVEL: "error",
        },
        stdio: ["ignore", "pipe", "pipe"],
      }),
    );
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
    const program = join(folder, "opt/waypost/bin/waypost");
    const { stdout } = await run(process.execPath, [program, "--help"]);
    for (const word of ["serve", "check", "stun", "backup", "restore", "agent"]) {
      expect(stdout).toContain(`  ${word}`);
    }
  });

  test("says which Node it needs to one that is too old", async () => {
    const program = join(installed, "bin/waypost.js");
    for (const version of ["22.21.0", "24.18.9"]) {
      const older = `Object.defineProperty(process,"versions",{value:{node:"${version}"}})`;
      const parameters = ["--import", `data:text/javascript,${older}`, program, "--help"];
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
