import {
  CompiledQuery,
  SqliteAdapter,
  SqliteIntrospector,
  SqliteQueryCompiler,
  type DatabaseConnection,
  type Dialect as KyselyDialect,
  type Driver,
  type Kysely,
  type QueryResult,
} from "kysely";
import type { SqliteThread } from "./sqlite-thread.ts";

/** Lets Kysely speak to the connection in the SQLite thread. */
export class SqliteThreadDialect implements KyselyDialect {
  readonly #thread: SqliteThread;

  constructor(thread: SqliteThread) {
    this.#thread = thread;
  }

  createDriver = (): Driver => new ThreadDriver(this.#thread);
  createQueryCompiler = () => new SqliteQueryCompiler();
  createAdapter = () => new SqliteAdapter();
  // oxlint-disable-next-line typescript/no-explicit-any -- Kysely's signature
  createIntrospector = (db: Kysely<any>) => new SqliteIntrospector(db);
}

/** One connection, handed out to one user at a time: a transaction never sees another's query. */
class ThreadDriver implements Driver {
  readonly #connection: ThreadConnection;
  readonly #waiting: (() => void)[] = [];
  #taken = false;

  constructor(thread: SqliteThread) {
    this.#connection = new ThreadConnection(thread);
  }

  init = async (): Promise<void> => {};
  destroy = async (): Promise<void> => {};

  async acquireConnection(): Promise<DatabaseConnection> {
    if (this.#taken) await new Promise<void>((resolve) => this.#waiting.push(resolve));
    this.#taken = true;
    return this.#connection;
  }

  async releaseConnection(): Promise<void> {
    const next = this.#waiting.shift();
    if (next) next();
    else this.#taken = false;
  }

  async beginTransaction(connection: DatabaseConnection): Promise<void> {
    await connection.executeQuery(CompiledQuery.raw("begin immediate"));
  }

  async commitTransaction(connection: DatabaseConnection): Promise<void> {
    await connection.executeQuery(CompiledQuery.raw("commit"));
  }

  /** What could not be written, for want of space for example, SQLite has rolled back itself. */
  async rollbackTransaction(connection: DatabaseConnection): Promise<void> {
    try {
      await connection.executeQuery(CompiledQuery.raw("rollback"));
    } catch (error) {
      if (!(error as Error).message.includes("no transaction is active")) throw error;
    }
  }
}

class ThreadConnection implements DatabaseConnection {
  readonly #thread: SqliteThread;

  constructor(thread: SqliteThread) {
    this.#thread = thread;
  }

  async executeQuery<R>(query: CompiledQuery): Promise<QueryResult<R>> {
    const result = await this.#thread.query(query.sql, query.parameters);
    return {
      rows: result.rows as R[],
      numAffectedRows: BigInt(result.changes),
      insertId: BigInt(result.lastInsertRowid),
    };
  }

  // oxlint-disable-next-line require-yield -- the interface asks for a generator
  async *streamQuery<R>(): AsyncIterableIterator<QueryResult<R>> {
    throw new Error("Rows are read in pages, not streamed");
  }
}
