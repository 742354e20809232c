import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import Fastify from "fastify";
import { afterAll, beforeAll, expect, test } from "vitest";
import { registerAgentFile } from "../../src/server/http/agent-file.ts";
import type { App } from "../../src/server/http/typed-app.ts";

let folder: string;
let file: string;
const app = Fastify() as unknown as App;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "waypost-agent-file-"));
  file = join(folder, "agent.mjs");
  registerAgentFile(app, file);
});
afterAll(async () => {
  await app.close();
  await rm(folder, { recursive: true });
});

const get = (headers: Record<string, string> = {}) =>
  app.inject({ method: "GET", url: "/agent.mjs", headers });

test("a service without the built agent says what builds it", async () => {
  const { statusCode, body } = await get();
  expect(statusCode).toBe(500);
  expect(body).toContain("npm run build:agent");
});

test("the agent is given as a program, once to whoever has it", async () => {
  await writeFile(file, "console.log('one');\n");
  const first = await get();
  expect(first.statusCode).toBe(200);
  expect(first.headers["content-type"]).toBe("text/javascript; charset=utf-8");
  expect(first.body).toBe("console.log('one');\n");
  const tag = String(first.headers["etag"]);
  expect((await get({ "if-none-match": tag })).statusCode).toBe(304);
  await writeFile(file, "console.log('two');\n");
  const second = await get({ "if-none-match": tag });
  expect([second.statusCode, second.body]).toEqual([200, "console.log('two');\n"]);
});
