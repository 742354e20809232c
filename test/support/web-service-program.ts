/** The service as its own program runs it, with the web app out of the folder that is named. */
import { loadConfig } from "../../src/server/config.ts";
import { createLogger } from "../../src/server/lib/logger.ts";
import { createService } from "../../src/server/service.ts";

const [, , webFolder = ""] = process.argv;
const config = loadConfig(process.env, process.cwd());
const logger = createLogger(config.logLevel);
const service = await createService(config, { logger, http: { webFolder } });
await service.start();
process.stdout.write(`Waypost listens on ${service.origin}\n`);
