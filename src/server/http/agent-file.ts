import { createHash } from "node:crypto";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { AppError } from "../lib/errors.ts";
import { isNamedBy } from "../lib/entity-tag.ts";
import type { App } from "./typed-app.ts";

/** Where `npm run build:agent` puts the agent. */
const AGENT_FILE = join(import.meta.dirname, "../../../dist/waypost-agent.mjs");

const TAG_LENGTH = 22;

/** The agent as one file, for nodes to fetch from the service that they report to. */
export function registerAgentFile(app: App, file = AGENT_FILE): void {
  app.get("/agent.mjs", { schema: { hide: true } }, async (request, reply) => {
    const content = await read(file);
    const tag = `"${createHash("sha256").update(content).digest("base64url").slice(0, TAG_LENGTH)}"`;
    reply.headers({ etag: tag, "cache-control": "no-cache" });
    const known = request.headers["if-none-match"];
    if (known !== undefined && isNamedBy(tag, known)) return reply.code(304).send();
    return reply.type("text/javascript; charset=utf-8").send(content);
  });
}

/** @throws AppError not_found when it is not built */
async function read(file: string): Promise<Buffer> {
  try {
    return await readFile(file);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "ENOENT") throw error;
    throw new AppError("not_found", "The agent is not built; `npm run build:agent` builds it");
  }
}
