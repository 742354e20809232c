import { pagePaths } from "../shared/pages.ts";
import { loadConfig, type Config } from "./config.ts";
import { DatabaseOpenError } from "./database/database.ts";
import { SchemaTooNewError } from "./database/migrate.ts";
import { createLogger, type Logger } from "./lib/logger.ts";
import { createService, type Service } from "./service.ts";
import { ConfigError } from "./settings.ts";
import { VERSION } from "./version.ts";

/** Environment to configuration, to a service that listens, to a signal, to the end. */
export async function run(): Promise<void> {
  let lines: string[];
  try {
    const config = loadConfig(process.env, process.cwd());
    const logger = createLogger(config.logLevel);
    for (const name of config.unknownSettings) logger.warn(`${name} is not a setting`);
    const service = await createService(config, {
      logger,
      // oxlint-disable-next-line unicorn/no-process-exit -- nothing may be acknowledged any more
      onFatal: () => process.exit(1),
    });
    stopOnSignals(service, logger);
    await service.start();
    const { instance, database } = config;
    const about = { version: VERSION, instance, database: database.dialect };
    logger.info({ ...about, origin: service.origin }, "the service has started");
    lines = await welcome(service, config);
  } catch (error) {
    fail(error);
  }
  process.stdout.write(`${lines.join("\n")}\n`);
}

/** What a person sees after the start, in at most five lines. */
async function welcome(service: Service, config: Config): Promise<string[]> {
  const { origin } = service;
  const { fresh, place } = service.setupSecret;
  const listens = `Waypost listens on ${origin}`;
  if (await service.isInitialized()) {
    return [listens, `It is set up; the API is described at ${origin}/docs`];
  }
  const body = { jwt_secret: fresh ?? `SEE ${place}`, email: "YOUR ADDRESS", password: "CHANGE" };
  return [
    listens,
    `Next, create the administrator at ${config.publicUrl ?? origin}${pagePaths.setUp}`,
    `Set-up secret: ${fresh ? `${fresh} (kept in ${place})` : `see ${place}`}`,
    "Or without a browser, with an address and a password of your own:",
    `curl ${origin}/api/system/initialize -H 'Content-Type: application/json' -d '${JSON.stringify(body)}'`,
  ];
}

/** The first signal ends the service in order, a second one at once. */
function stopOnSignals(service: Service, logger: Logger): void {
  let asked = false;
  const stop = (signal: NodeJS.Signals): void => {
    // oxlint-disable-next-line unicorn/no-process-exit -- asked twice
    if (asked) process.exit(1);
    asked = true;
    logger.info({ signal }, "the service is stopping");
    void service.stop().then(() => {
      logger.info("the service has stopped");
      // oxlint-disable-next-line unicorn/no-process-exit -- everything that must end has ended
      process.exit(0);
    });
  };
  process.on("SIGTERM", stop);
  process.on("SIGINT", stop);
}

function fail(error: unknown): never {
  const line = explain(error);
  process.stderr.write(`${line ?? (error instanceof Error ? error.stack : String(error))}\n`);
  // oxlint-disable-next-line unicorn/no-process-exit -- whatever still runs has no purpose
  process.exit(1);
}

/** One line for what an operator can put right; undefined for a defect of ours. */
function explain(error: unknown): string | undefined {
  if (
    error instanceof ConfigError ||
    error instanceof DatabaseOpenError ||
    error instanceof SchemaTooNewError
  ) {
    return error.message;
  }
  const { code, port, address } = error as NodeJS.ErrnoException & {
    port?: number;
    address?: string;
  };
  switch (code) {
    case "EADDRINUSE":
      return `Port ${port} is in use already; choose another with WAYPOST_PORT`;
    case "EACCES":
      return `Port ${port} may not be opened by this user; choose another with WAYPOST_PORT`;
    case "EADDRNOTAVAIL":
    case "ENOTFOUND":
      return `${address ?? "The address"} is not an address of this machine; see WAYPOST_HOST`;
    default:
      return undefined;
  }
}
