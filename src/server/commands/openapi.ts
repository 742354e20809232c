import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseConfig } from "../config.ts";
import { DOCUMENT_PATH } from "../http/openapi.ts";
import { createLogger } from "../lib/logger.ts";
import { createService } from "../service.ts";
import { UsageError, type Command } from "./command.ts";

export const openapi: Command = {
  name: "openapi",
  summary: "print the description of the API",
  help: `Usage: waypost openapi

Prints the OpenAPI 3.1 document as JSON, the same as a running service answers at
${DOCUMENT_PATH}. Needs no settings and touches no data.

Ends with 0 when done, 2 when called in a wrong way.`,
  async run(parameters, terminal) {
    if (parameters.length > 0) throw new UsageError("openapi takes nothing");
    terminal.out(await describeApi());
    return 0;
  },
};

/** The document as a service answers it, which runs for as long as that takes in an empty folder. */
export async function describeApi(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), "waypost-openapi-"));
  const config = parseConfig({ WAYPOST_DATA_DIR: folder, WAYPOST_PORT: "0" });
  const service = await createService(config, { logger: createLogger("warn") });
  try {
    await service.start();
    const response = await fetch(`${service.origin}${DOCUMENT_PATH}`);
    return JSON.stringify(await response.json(), null, 2);
  } finally {
    await service.stop();
    await rm(folder, { recursive: true });
  }
}
