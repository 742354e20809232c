import { once } from "node:events";
import { MessageChannel, Worker, type MessagePort } from "node:worker_threads";
import type { SqliteResult } from "./sqlite-connection.ts";
import type { SqliteReply, SqliteRequest, SqliteThreadData } from "./sqlite-worker.ts";
import { moduleBeside } from "../lib/module-beside.ts";

/** A failure inside SQLite; `code` is its extended result code, `SQLITE_FULL` for example. */
export class SqliteError extends Error {
  readonly code: string;

  constructor(code: string, message: string) {
    super(message);
    this.name = "SqliteError";
    this.code = code;
  }
}

/** Its garbage is short-lived; the default would keep three times as much memory for it. */
const YOUNG_GENERATION_MB = 16;

/**
 * The thread that owns the only connection to the SQLite file, so that no disk flush ever stops
 * the event loop. Modules that must work beside the connection (the report journal) are loaded
 * into the thread by URL and talk over a port of their own.
 */
export class SqliteThread {
  readonly #worker: Worker;
  readonly #waiting = new Map<number, PromiseWithResolvers<SqliteResult>>();
  #nextId = 1;
  #failure: Error | undefined;

  private constructor(worker: Worker) {
    this.#worker = worker;
    worker.on("message", (reply: SqliteReply) => this.#settle(reply));
    worker.on("error", (error) => this.#fail(error as Error));
    worker.on("exit", () => this.#fail(new SqliteError("SQLITE_CLOSED", "The database is closed")));
  }

  /**
   * @param beside next to another process that has the file
   * @throws SqliteError when the file cannot be opened, or is in use by another process
   */
  static async open(file: string, beside = false): Promise<SqliteThread> {
    const data: SqliteThreadData = { file, beside };
    const worker = new Worker(moduleBeside("./sqlite-worker", import.meta.url), {
      workerData: data,
      name: "sqlite",
      resourceLimits: { maxYoungGenerationSizeMb: YOUNG_GENERATION_MB },
    });
    const [opened] = (await once(worker, "message")) as [SqliteReply];
    if (opened.error) {
      await worker.terminate();
      throw new SqliteError(opened.error.code, opened.error.message);
    }
    return new SqliteThread(worker);
  }

  /** Statements that were sent and not answered yet. */
  get waiting(): number {
    return this.#waiting.size;
  }

  /** Loads `module` into the thread and hands its `attach` one end of a new channel. */
  async attach(module: URL): Promise<MessagePort> {
    const { port1, port2 } = new MessageChannel();
    await this.#request({ kind: "attach", module: module.href, port: port2 }, [port2]);
    return port1;
  }

  async query(sql: string, parameters: readonly unknown[]): Promise<SqliteResult> {
    return this.#request({ kind: "query", sql, parameters });
  }

  async close(): Promise<void> {
    if (this.#failure) return;
    const exited = once(this.#worker, "exit");
    await this.#request({ kind: "close" });
    await exited;
  }

  #request(request: SqliteRequest, transfer: MessagePort[] = []): Promise<SqliteResult> {
    if (this.#failure) return Promise.reject(this.#failure);
    const id = this.#nextId++;
    const waiting = Promise.withResolvers<SqliteResult>();
    this.#waiting.set(id, waiting);
    this.#worker.postMessage({ ...request, id }, transfer);
    return waiting.promise;
  }

  #settle(reply: SqliteReply): void {
    const waiting = this.#waiting.get(reply.id);
    this.#waiting.delete(reply.id);
    if (reply.error) waiting?.reject(new SqliteError(reply.error.code, reply.error.message));
    else waiting?.resolve(reply.result ?? { rows: [], changes: 0, lastInsertRowid: 0 });
  }

  #fail(error: Error): void {
    this.#failure ??= error;
    for (const waiting of this.#waiting.values()) waiting.reject(this.#failure);
    this.#waiting.clear();
  }
}
