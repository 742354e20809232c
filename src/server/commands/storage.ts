import { existsSync } from "node:fs";
import { loadConfig, type Config } from "../config.ts";
import { DatabaseOpenError, openDatabaseBeside, type Database } from "../database/database.ts";
import { SchemaNotCurrentError, SchemaTooNewError } from "../database/migrate.ts";
import { systemClock } from "../lib/clock.ts";
import { AppError } from "../lib/errors.ts";
import { createLogger } from "../lib/logger.ts";
import { CommandFailed, type Terminal } from "./command.ts";

/**
 * Works on the storage that the settings name, also while a service runs on it.
 * @param mayBeNew whether a database that is not there is made
 * @throws ConfigError, CommandFailed for what an operator can put right
 */
export async function withStorage<T>(
  { environment, directory }: Terminal,
  { mayBeNew }: { mayBeNew: boolean },
  work: (database: Database, config: Config) => Promise<T>,
): Promise<T> {
  const config = loadConfig(environment, directory);
  const target = config.database;
  if (!mayBeNew && target.dialect === "sqlite" && !existsSync(target.file)) {
    throw new CommandFailed(`There is no database at ${target.file}; see WAYPOST_DATA_DIR`);
  }
  try {
    const database = await openDatabaseBeside(target, systemClock, createLogger(config.logLevel));
    try {
      return await work(database, config);
    } finally {
      await database.close();
    }
  } catch (error) {
    throw isForOperator(error) ? new CommandFailed(error.message) : error;
  }
}

const kinds = [DatabaseOpenError, SchemaTooNewError, SchemaNotCurrentError, AppError];

function isForOperator(error: unknown): error is Error {
  return kinds.some((kind) => error instanceof kind);
}
