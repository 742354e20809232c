import { ConfigError, parseConfig, readEnvironment } from "./config.ts";
import { DatabaseOpenError } from "./database/database.ts";
import { SchemaTooNewError } from "./database/migrate.ts";
import { createLogger } from "./lib/logger.ts";
import { createService, type Service } from "./service.ts";

await run();

async function run(): Promise<void> {
  let service: Service;
  try {
    const config = parseConfig(readEnvironment(process.env, process.cwd()));
    const logger = createLogger(config.logLevel);
    for (const name of config.unknownSettings) logger.warn(`${name} is not a setting`);
    service = await createService(config, {
      logger,
      // oxlint-disable-next-line unicorn/no-process-exit -- nothing may be acknowledged any more
      onFatal: () => process.exit(1),
    });
    stopOnSignals(service);
    await service.start();
  } catch (error) {
    fail(error);
    return;
  }
  process.stdout.write(`${welcome(service).join("\n")}\n`);
}

/** What a person sees after the start, in at most five lines. */
function welcome(service: Service): string[] {
  return [`Waypost listens on ${service.origin}`];
}

/** The first signal ends the service in order, a second one at once. */
function stopOnSignals(service: Service): void {
  let asked = false;
  const stop = (): void => {
    // oxlint-disable-next-line unicorn/no-process-exit -- asked twice
    if (asked) process.exit(1);
    asked = true;
    // oxlint-disable-next-line unicorn/no-process-exit -- everything that must end has ended
    void service.stop().then(() => process.exit(0));
  };
  process.on("SIGTERM", stop);
  process.on("SIGINT", stop);
}

function fail(error: unknown): void {
  process.exitCode = 1;
  const line = explain(error);
  process.stderr.write(`${line ?? (error instanceof Error ? error.stack : String(error))}\n`);
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
