import Database from "better-sqlite3";

export interface SqliteResult {
  rows: unknown[];
  changes: number;
  lastInsertRowid: number;
}

/** The connection of the thread: prepared statements are kept by their text. */
export interface SqliteConnection {
  readonly raw: Database.Database;
  query(sql: string, parameters: readonly unknown[]): SqliteResult;
  /** Called once the transaction that is open now has ended, at once when there is none. */
  whenIdle(callback: () => void): void;
  close(): void;
}

const STATEMENTS_KEPT = 500;

/**
 * Opens the file with the settings that a durable acknowledgement needs: write-ahead log,
 * `synchronous=FULL` (the build's own default in WAL mode is NORMAL, which a power cut can undo).
 * Only one process may hold a file: the lock is an open transaction on `<file>-lock`.
 * @param beside without the lock, for short transactions next to the process that holds it
 * @throws an error with an SQLite code
 */
export function openSqlite(file: string, beside = false): SqliteConnection {
  const lock = beside ? undefined : lockFile(`${file}-lock`);
  const raw = new Database(file);
  const mode = raw.pragma("journal_mode = WAL", { simple: true });
  raw.pragma("synchronous = FULL");
  raw.pragma("foreign_keys = ON");
  raw.pragma("cache_size = -16384");
  raw.pragma("wal_autocheckpoint = 4000");
  raw.pragma("busy_timeout = 5000");
  if (mode !== "wal" || raw.pragma("synchronous", { simple: true }) !== 2) {
    throw new Error("SQLite refused the write-ahead log or synchronous=FULL");
  }
  return new Connection(raw, lock);
}

function lockFile(file: string): Database.Database {
  const lock = new Database(file, { timeout: 0 });
  try {
    lock.exec("BEGIN EXCLUSIVE");
  } catch (error) {
    lock.close();
    throw error;
  }
  return lock;
}

class Connection implements SqliteConnection {
  readonly raw: Database.Database;
  readonly #lock: Database.Database | undefined;
  readonly #statements = new Map<string, Database.Statement>();
  #onIdle: (() => void)[] = [];

  constructor(raw: Database.Database, lock: Database.Database | undefined) {
    this.raw = raw;
    this.#lock = lock;
  }

  query(sql: string, parameters: readonly unknown[]): SqliteResult {
    try {
      const statement = this.#prepare(sql);
      const values = parameters.map(toBindable);
      if (statement.reader) return { rows: statement.all(values), changes: 0, lastInsertRowid: 0 };
      const { changes, lastInsertRowid } = statement.run(values);
      return { rows: [], changes, lastInsertRowid: Number(lastInsertRowid) };
    } finally {
      if (!this.raw.inTransaction) this.#becomeIdle();
    }
  }

  whenIdle(callback: () => void): void {
    if (this.raw.inTransaction) this.#onIdle.push(callback);
    else callback();
  }

  close(): void {
    this.raw.close();
    this.#lock?.close();
  }

  #becomeIdle(): void {
    if (this.#onIdle.length === 0) return;
    const waiting = this.#onIdle;
    this.#onIdle = [];
    for (const callback of waiting) callback();
  }

  #prepare(sql: string): Database.Statement {
    let statement = this.#statements.get(sql);
    if (!statement) {
      statement = this.raw.prepare(sql);
      if (this.#statements.size >= STATEMENTS_KEPT) this.#statements.clear();
      this.#statements.set(sql, statement);
    }
    return statement;
  }
}

/** Bytes lose their class on the way between threads. */
function toBindable(value: unknown): unknown {
  return value instanceof Uint8Array && !Buffer.isBuffer(value)
    ? Buffer.from(value.buffer, value.byteOffset, value.byteLength)
    : value;
}
