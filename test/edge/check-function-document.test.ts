import { execFile } from "node:child_process";
import { copyFile, mkdir, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseEnv, promisify } from "node:util";
import { afterAll, afterEach, beforeAll, expect, onTestFailed, test } from "vitest";
import { check, nodeOf } from "../support/checks.ts";
import { Client } from "../support/client.ts";
import { blockOf, stopOf } from "../support/documents.ts";
import { bundled } from "../support/edge-bundle.ts";
import { startTestService } from "../support/service.ts";
import { ShownCommand } from "../support/shown-command.ts";
import { readUnit } from "../support/unit-file.ts";
import { adapt, bare, toPattern, walk } from "../support/walked-document.ts";
import { WorkerFunction } from "../support/worker-function.ts";

const document = "docs/check-function.md";
const HEALTH = "/api/edgecheck/health";

let folder: string;
let bundle: string;
let key: string;
const ending: (() => Promise<void>)[] = [];

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "waypost-function-"));
  bundle = await bundled();
  const [said = ""] = await walk([stopOf(document, "openssl rand")], { folder });
  key = said.trim();
});
afterEach(async () => {
  for (const end of ending.splice(0).toReversed()) await end();
});
afterAll(() => rm(folder, { recursive: true }));

/** Runs the function on Node until it listens. */
async function start(text: string, env: Record<string, string>, directory: string) {
  const shown = await ShownCommand.start(text, { WAYPOST_PORT: "0", ...env }, directory);
  onTestFailed(() => console.error(shown.said));
  const listens = /listens on (\S+)\n/;
  await expect.poll(() => shown.said).toMatch(listens);
  const origin = listens.exec(shown.said)?.[1] ?? "";
  const client = new Client(() => origin);
  ending.push(async () => {
    client.close();
    await shown.stop();
  });
  return { said: shown.said, client };
}

test("its first command starts it with its key, and the service is pointed at it", async () => {
  expect(key).toMatch(/^[0-9a-f]{64}$/);
  const stop = stopOf(document, "WAYPOST_CHECK_API_KEY=");
  const { said, client } = await start(adapt(stop.commands, { "…": key }), {}, bundle);
  const host = new URL(client.origin).host;
  const expected = adapt(stop.expected, { "127.0.0.1:8080": host });
  expect(bare(said)).toMatch(toPattern(expected));
  expect((await client.request("GET", HEALTH)).status).toBe(401);

  const text = blockOf(document, "WAYPOST_CHECK_REMOTE_URL=").text;
  const here = { "https://waypost-check.example.workers.dev": client.origin, "…": key };
  const env = Object.entries(parseEnv(adapt(text, here))).map(([name, value = ""]) => [
    name.replace("WAYPOST_", ""),
    value,
  ]);
  const service = await startTestService({ env: Object.fromEntries(env) });
  ending.push(() => service.stop());
  expect((await service.request("GET", HEALTH)).body).toMatchObject({ mode: "remote" });
  const { status, body } = await check(service, nodeOf("tcp://127.0.0.1:1"));
  expect([status, body.is_online, body.connection_count]).toEqual([200, false, 0]);
});

test("its unit for systemd states settings that it takes", async () => {
  await mkdir(join(folder, "opt/waypost"), { recursive: true });
  await mkdir(join(folder, "etc/waypost"), { recursive: true });
  const file = "check-function.node.mjs";
  await copyFile(join(bundle, file), join(folder, "opt/waypost", file));
  await writeFile(join(folder, "etc/waypost/check-key"), `${key}\n`);
  const { command, env } = await readUnit(blockOf(document, "[Unit]").text, folder);
  expect(env).toMatchObject({ WAYPOST_TRUST_PROXY: "true", WAYPOST_RATE_LIMIT: "off" });
  const { client } = await start(command, env, folder);
  expect((await client.request("GET", HEALTH)).status).toBe(401);
  const headers = { "x-api-key": key };
  expect((await client.request("GET", HEALTH, { headers })).status).toBe(200);
});

test("its proxy is one for Caddy", async () => {
  const file = join(folder, "Caddyfile");
  await writeFile(file, blockOf(document, "checks.example.org {").text);
  const caddy = ["adapt", "--adapter", "caddyfile", "--config", file];
  const { stdout, stderr } = await promisify(execFile)("caddy", caddy);
  expect([stderr, stdout]).toEqual(["", expect.stringContaining('"dial":"127.0.0.1:8080"')]);
  expect(stdout).toContain('"host":["checks.example.org"]');
});

test("its configuration of a Worker names the file and settings that the function takes", async () => {
  const text = blockOf(document, "{\n").text.replaceAll(/^ *\/\/.*\n/gm, "");
  const config = JSON.parse(text) as {
    main: string;
    compatibility_date: string;
    vars: Record<string, string>;
  };
  const vars = Object.entries(config.vars).map(([name, value]) => [
    name.replace("WAYPOST_", ""),
    value,
  ]);
  const script = join(bundle, config.main);
  expect(await readFile(script, "utf8")).toContain("cloudflare:sockets");
  const settings = { ...Object.fromEntries(vars), CHECK_API_KEY: key } as Record<string, string>;
  const worker = await WorkerFunction.start(script, settings, config.compatibility_date);
  ending.push(() => worker.stop());
  expect((await worker.request("GET", HEALTH)).status).toBe(401);
  const headers = { "x-api-key": key };
  expect((await worker.request("GET", HEALTH, { headers })).status).toBe(200);
});
