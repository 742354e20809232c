import { openDatabase } from "./database/database.ts";
import type { Config } from "./config.ts";
import { buildApp, type HttpOptions } from "./http/app.ts";
import { systemClock, type Clock } from "./lib/clock.ts";
import { Lifecycle, type Part } from "./lib/lifecycle.ts";
import { createLogger, type Logger } from "./lib/logger.ts";

/** What a test may put in place of the real thing. */
export interface ServiceOptions {
  clock?: Clock;
  logger?: Logger;
  http?: Partial<HttpOptions>;
}

export interface Service {
  /** `http://host:port` once started. */
  readonly origin: string;
  /** Listens once everything else runs. */
  start(): Promise<void>;
  /** Ends requests and work that have begun, within a deadline, and closes the storage. */
  stop(): Promise<void>;
}

const CLOSE_DEADLINE_MS = 5_000;

/**
 * Builds every part; the only place that knows them all.
 * @throws DatabaseOpenError, SchemaTooNewError
 */
export async function createService(
  config: Config,
  options: ServiceOptions = {},
): Promise<Service> {
  const clock = options.clock ?? systemClock;
  const logger = options.logger ?? createLogger(config.logLevel);
  const database = await openDatabase(config.database, clock, logger);

  const readiness = [{ fault: "the database does not answer", check: () => database.ping() }];
  const { app, listener } = await buildApp({
    http: { trustProxy: config.trustProxy, publicUrl: config.publicUrl, ...options.http },
    logger,
    isUnavailable: (error) => database.dialect.isUnavailable(error),
    readiness,
  });

  let origin = "";
  const parts: Part[] = [
    { name: "database", stop: () => database.close() },
    {
      name: "http",
      start: async () => {
        const port = await listener.listen(config.host, config.port);
        origin = `http://${config.host.includes(":") ? `[${config.host}]` : config.host}:${port}`;
      },
      stop: async () => {
        const closed = listener.close(CLOSE_DEADLINE_MS);
        await app.close();
        await closed;
      },
    },
  ];
  const lifecycle = new Lifecycle(parts, logger);
  return {
    get origin() {
      return origin;
    },
    start: () => lifecycle.start(),
    stop: () => lifecycle.stop(),
  };
}
