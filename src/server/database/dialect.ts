import {
  sql,
  type ColumnDataType,
  type ColumnDefinitionBuilder,
  type CreateTableBuilder,
  type Kysely,
  type RawBuilder,
  type SelectQueryBuilder,
} from "kysely";
import { APPLICATION_NAME, isLate } from "./postgres-pool.ts";

/** Everything the two databases do differently, by name. Nothing else asks which one it is. */
export interface Dialect {
  readonly name: "sqlite" | "postgres";
  readonly types: ColumnTypes;
  /** Held until the end of the transaction. */
  // oxlint-disable-next-line typescript/no-explicit-any -- any schema will do
  lockForMigration(transaction: Kysely<any>): Promise<void>;
  /** Other processes of ours that have this storage open. */
  // oxlint-disable-next-line typescript/no-explicit-any -- any schema will do
  countOtherProcesses(db: Kysely<any>): Promise<number>;
  /** Keeps the selected rows from changing until the end of the transaction. */
  readonly lockRows: <DB, TB extends keyof DB, O>(
    query: SelectQueryBuilder<DB, TB, O>,
  ) => SelectQueryBuilder<DB, TB, O>;
  /** As `lockRows`, for rows that nobody else holds; the others are passed over. */
  readonly lockFreeRows: Dialect["lockRows"];
  /**
   * Rows of the program as a table in parentheses, by one parameter: the text of the statement stays
   * the same however many they are.
   */
  readonly tableOf: <C extends string>(
    columns: Readonly<Record<C, "integer" | "text">>,
    rows: readonly Readonly<Record<C, number | string | null>>[],
  ) => RawBuilder<unknown>;
  /** The storage's own clock, in milliseconds since 1970. */
  readonly now: RawBuilder<number>;
  /**
   * The number of the running transaction and the lowest one that may not have ended, both as seen
   * by the statement; undefined where one process has the storage to itself.
   */
  readonly transactions:
    | { current: RawBuilder<number>; oldestOpen: RawBuilder<number> }
    | undefined;
  isUniqueViolation(error: unknown): boolean;
  /** The storage cannot be used now (gone, full, read-only); the request may be tried again. */
  isUnavailable(error: unknown): boolean;
}

export interface ColumnTypes {
  id: ColumnDataType;
  integer: ColumnDataType;
  real: ColumnDataType;
  bytes: ColumnDataType | RawBuilder<unknown>;
  asId: (column: ColumnDefinitionBuilder) => ColumnDefinitionBuilder;
  /** Rows that are rewritten often. */
  hotRows: <T extends string, C extends string>(
    table: CreateTableBuilder<T, C>,
  ) => CreateTableBuilder<T, C>;
  /** Rows that are stored in the order of their key. */
  clustered: <T extends string, C extends string>(
    table: CreateTableBuilder<T, C>,
  ) => CreateTableBuilder<T, C>;
}

function codeOf(error: unknown): string {
  return error instanceof Error && "code" in error ? String(error.code) : "";
}

export const sqlite: Dialect = {
  name: "sqlite",
  types: {
    id: "integer",
    integer: "integer",
    real: "real",
    bytes: "blob",
    asId: (column) => column.primaryKey().autoIncrement(),
    hotRows: (table) => table,
    clustered: (table) => table.modifyEnd(sql`without rowid`),
  },
  // The one connection runs one transaction at a time, and the folder has one process.
  lockForMigration: async () => {},
  countOtherProcesses: async () => 0,
  lockRows: (query) => query,
  lockFreeRows: (query) => query,
  tableOf: (columns, rows) => {
    const fields = Object.keys(columns).map(
      (name) => sql`value ->> ${sql.lit(`$.${name}`)} as ${sql.id(name)}`,
    );
    return sql`(select ${sql.join(fields)} from json_each(${JSON.stringify(rows)}))`;
  },
  now: sql<number>`cast(unixepoch('subsec') * 1000 as integer)`,
  transactions: undefined,
  isUniqueViolation: (error) =>
    ["SQLITE_CONSTRAINT_UNIQUE", "SQLITE_CONSTRAINT_PRIMARYKEY"].includes(codeOf(error)),
  isUnavailable: (error) =>
    /^SQLITE_(FULL|READONLY|BUSY|LOCKED|CANTOPEN|IOERR)/.test(codeOf(error)),
};

const MIGRATION_LOCK = 7_791_001;

export const postgres: Dialect = {
  name: "postgres",
  types: {
    id: "bigint",
    integer: "bigint",
    real: "double precision",
    bytes: sql`bytea`,
    asId: (column) => column.primaryKey().generatedAlwaysAsIdentity(),
    hotRows: (table) => table.modifyEnd(sql`with (fillfactor = 50)`),
    clustered: (table) => table,
  },
  lockForMigration: async (transaction) => {
    await sql`select pg_advisory_xact_lock(${MIGRATION_LOCK})`.execute(transaction);
  },
  countOtherProcesses: async (db) => {
    const found = await sql<{ count: number }>`select count(*) as count from pg_stat_activity
      where datname = current_database() and application_name = ${APPLICATION_NAME}
      and pid <> pg_backend_pid()`.execute(db);
    return found.rows[0]?.count ?? 0;
  },
  lockRows: (query) => query.forUpdate(),
  lockFreeRows: (query) => query.forUpdate().skipLocked(),
  tableOf: (columns, rows) => {
    const fields = Object.entries(columns).map(
      ([name, type]) => sql`${sql.id(name)} ${sql.raw(type === "integer" ? "bigint" : "text")}`,
    );
    const json = sql`cast(${JSON.stringify(rows)} as json)`;
    return sql`(select * from json_to_recordset(${json}) as rows(${sql.join(fields)}))`;
  },
  now: sql<number>`cast(extract(epoch from clock_timestamp()) * 1000 as bigint)`,
  transactions: {
    current: sql<number>`cast(cast(pg_current_xact_id() as text) as bigint)`,
    oldestOpen: sql<number>`cast(cast(pg_snapshot_xmin(pg_current_snapshot()) as text) as bigint)`,
  },
  isUniqueViolation: (error) => codeOf(error) === "23505",
  isUnavailable: (error) =>
    /^(08|53|57|58|25006|25P03)/.test(codeOf(error)) ||
    /^(ECONN|EPIPE|ETIMEDOUT|ENOTFOUND|EAI_AGAIN)/.test(codeOf(error)) ||
    isLate(error) ||
    (error instanceof Error &&
      /Connection terminated|timeout exceeded when trying to connect|not queryable/.test(
        error.message,
      )),
};
