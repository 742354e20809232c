import { mkdir } from "node:fs/promises";
import { dirname } from "node:path";
import { Kysely, PostgresDialect } from "kysely";
import type pg from "pg";
import type { DatabaseTarget } from "../config.ts";
import type { Clock } from "../lib/clock.ts";
import type { Logger } from "../lib/logger.ts";
import { postgres, sqlite, type Dialect } from "./dialect.ts";
import { migrate, requireCurrentSchema } from "./migrate.ts";
import { discardingLateConnections, openPool } from "./postgres-pool.ts";
import { readIntegersAsNumbers } from "./postgres-types.ts";
import { QueryMeter } from "./query-meter.ts";
import type { Schema } from "./schema.ts";
import { SqliteThreadDialect } from "./sqlite-driver.ts";
import { SqliteError, SqliteThread } from "./sqlite-thread.ts";

export type Db = Kysely<Schema>;

interface Opened {
  readonly db: Db;
  readonly dialect: Dialect;
  readonly queries: QueryMeter;
  /** Answers when the storage does. */
  ping(): Promise<void>;
  close(): Promise<void>;
}

export interface SqliteDatabase extends Opened {
  readonly kind: "sqlite";
  readonly thread: SqliteThread;
  readonly file: string;
}

export interface PostgresDatabase extends Opened {
  readonly kind: "postgres";
  readonly pool: pg.Pool;
  readonly url: string;
}

export type Database = SqliteDatabase | PostgresDatabase;

/** The storage cannot be opened; the message says what to do. */
export class DatabaseOpenError extends Error {}

/** Another process has the SQLite file. */
class DatabaseInUseError extends DatabaseOpenError {}

/**
 * Opens the storage and brings its schema up to date.
 * @throws DatabaseOpenError, SchemaTooNewError
 */
export async function openDatabase(
  target: DatabaseTarget,
  clock: Clock,
  logger: Logger,
): Promise<Database> {
  const database =
    target.dialect === "sqlite" ? await openSqlite(target.file) : openPostgres(target.url, logger);
  return prepared(database, () => migrate(database.db, database.dialect, clock));
}

/**
 * Opens the storage for a short task, also while a service runs on it. Nobody changes the schema
 * under a running service: it must be that of this program then.
 * @throws DatabaseOpenError, SchemaTooNewError, SchemaNotCurrentError
 */
export async function openDatabaseBeside(
  target: DatabaseTarget,
  clock: Clock,
  logger: Logger,
): Promise<Database> {
  if (target.dialect === "postgres") {
    const database = openPostgres(target.url, logger);
    return prepared(database, async () => {
      const isInUse = (await database.dialect.countOtherProcesses(database.db)) > 0;
      if (isInUse) await requireCurrentSchema(database.db);
      else await migrate(database.db, database.dialect, clock);
    });
  }
  try {
    return await openDatabase(target, clock, logger);
  } catch (error) {
    if (!(error instanceof DatabaseInUseError)) throw error;
  }
  const database = await openSqlite(target.file, true);
  return prepared(database, () => requireCurrentSchema(database.db));
}

/** @throws DatabaseOpenError when the storage does not answer; what `prepare` throws */
async function prepared<T extends Database>(
  database: T,
  prepare: () => Promise<unknown>,
): Promise<T> {
  try {
    await prepare();
    return database;
  } catch (error) {
    await database.close().catch(() => {});
    if (database.dialect.isUnavailable(error)) {
      throw new DatabaseOpenError(`The database does not answer: ${(error as Error).message}`);
    }
    throw error;
  }
}

/** Opens an SQLite file that nobody else uses, whatever its schema. @throws DatabaseOpenError */
export function openAsItIs(file: string): Promise<SqliteDatabase> {
  return openSqlite(file, true);
}

async function openSqlite(file: string, beside = false): Promise<SqliteDatabase> {
  try {
    await mkdir(dirname(file), { recursive: true, mode: 0o700 });
  } catch (error) {
    throw new DatabaseOpenError(`${dirname(file)} cannot be made: ${(error as Error).message}`);
  }
  const thread = await openThread(file, beside);
  const queries = new QueryMeter();
  const db = new Kysely<Schema>({ dialect: new SqliteThreadDialect(thread), log: queries.note });
  return {
    kind: "sqlite",
    db,
    dialect: sqlite,
    queries,
    thread,
    file,
    ping: async () => {
      await thread.query("select 1", []);
    },
    close: () => thread.close(),
  };
}

async function openThread(file: string, beside: boolean): Promise<SqliteThread> {
  try {
    return await SqliteThread.open(file, beside);
  } catch (error) {
    if (error instanceof SqliteError && error.code === "SQLITE_BUSY") {
      throw new DatabaseInUseError(`${file} is in use by another Waypost process`);
    }
    throw new DatabaseOpenError(`${file} cannot be opened: ${(error as Error).message}`);
  }
}

function openPostgres(url: string, logger: Logger): PostgresDatabase {
  readIntegersAsNumbers();
  const pool = openPool(url, logger);
  const queries = new QueryMeter();
  const db = new Kysely<Schema>({
    dialect: new PostgresDialect({ pool: discardingLateConnections(pool) }),
    log: queries.note,
  });
  return {
    kind: "postgres",
    db,
    dialect: postgres,
    queries,
    pool,
    url,
    ping: async () => {
      await pool.query("select 1");
    },
    close: () => db.destroy(),
  };
}
