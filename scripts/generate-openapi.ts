import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseConfig } from "../src/server/config.ts";
import { DOCUMENT_PATH } from "../src/server/http/openapi.ts";
import { createLogger } from "../src/server/lib/logger.ts";
import { createService } from "../src/server/service.ts";

/** Writes docs/openapi.json as the service itself answers it. */
const folder = await mkdtemp(join(tmpdir(), "waypost-openapi-"));
const config = parseConfig({ WAYPOST_DATA_DIR: folder, WAYPOST_PORT: "0" });
const service = await createService(config, { logger: createLogger("warn") });
try {
  await service.start();
  const response = await fetch(`${service.origin}${DOCUMENT_PATH}`);
  await writeFile("docs/openapi.json", `${JSON.stringify(await response.json(), null, 2)}\n`);
} finally {
  await service.stop();
  await rm(folder, { recursive: true });
}
