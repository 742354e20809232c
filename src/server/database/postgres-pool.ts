import type { PostgresPool, PostgresPoolClient } from "kysely";
import pg from "pg";
import type { Logger } from "../lib/logger.ts";

/** By which the server knows our connections. */
export const APPLICATION_NAME = "waypost";
const CONNECT_TIMEOUT_MS = 5_000;
/** How long the answer to one statement is waited for. */
const QUERY_TIMEOUT_MS = 10_000;
/**
 * After this time the server ends a transaction in which nothing happens. When the network forgets
 * a connection, neither side is told, and its locks would stay for hours.
 */
const IDLE_IN_TRANSACTION_MS = 10_000;

/** What every connection of ours to PostgreSQL has in common. */
export function connectionSettings(url: string): pg.ClientConfig {
  return {
    connectionString: url,
    connectionTimeoutMillis: CONNECT_TIMEOUT_MS,
    query_timeout: QUERY_TIMEOUT_MS,
  };
}

/** Sent as a statement: connection poolers refuse it among the parameters of a connection. */
export async function limitIdleTransactions(client: pg.ClientBase): Promise<void> {
  await client.query(`set idle_in_transaction_session_timeout = ${IDLE_IN_TRANSACTION_MS}`);
}

export function openPool(url: string, logger: Logger): pg.Pool {
  const pool = new pg.Pool({
    ...connectionSettings(url),
    max: 8,
    idleTimeoutMillis: 30_000,
    application_name: APPLICATION_NAME,
    // oxlint-disable-next-line typescript/no-misused-promises -- the pool waits for it
    onConnect: limitIdleTransactions,
  });
  // Whoever uses a connection that breaks learns it from a statement; the event must be heard all
  // the same, or it would end the process.
  pool.on("connect", (client) => client.on("error", () => {}));
  pool.on("error", ({ message }) =>
    logger.warn({ reason: message }, "an idle PostgreSQL connection was lost"),
  );
  return pool;
}

/**
 * The pool as Kysely wants it. Kysely gives connections back without saying how they fared: one
 * whose answer did not come in time is closed here, because the answer may still come, or the
 * connection may be dead without knowing it.
 */
export function discardingLateConnections(pool: pg.Pool): PostgresPool {
  return {
    options: pool.options,
    connect: async () => new Borrowed(await pool.connect()) as unknown as PostgresPoolClient,
    end: () => pool.end(),
  };
}

class Borrowed {
  readonly #client: pg.PoolClient;
  #failure: Error | undefined;

  constructor(client: pg.PoolClient) {
    this.#client = client;
  }

  async query(text: string, values: unknown[]): Promise<pg.QueryResult> {
    if (this.#failure) throw this.#failure;
    try {
      return await this.#client.query(text, values);
    } catch (error) {
      if (isLate(error)) this.#failure = error;
      throw error;
    }
  }

  release(destroy?: boolean): void {
    this.#client.release(this.#failure ?? destroy);
  }
}

/** Whether no answer came in time; the driver gives this failure no code. */
export function isLate(error: unknown): error is Error {
  return error instanceof Error && error.message === "Query read timeout";
}
