import type { MessagePort } from "node:worker_threads";
import type { SqliteThread } from "../database/sqlite-thread.ts";
import { JournalError, type Journal } from "./journal.ts";
import { moduleBeside } from "../lib/module-beside.ts";

export type JournalRequest =
  | { kind: "append"; id: number; batch: Uint8Array }
  | { kind: "fold"; id: number };

/** `id` 0 is a notice that nobody asked for. */
export interface JournalReply {
  id: number;
  error?: { code: string; message: string };
}

/** Instance name in the journal's key: one process owns an SQLite file. */
export const SQLITE_INSTANCE = "sqlite";

/** The journal in the SQLite thread. Opening it folds what a crash left behind. */
export class SqliteJournal implements Journal {
  readonly #port: MessagePort;
  readonly #onTrouble: (error: Error) => void;
  readonly #waiting = new Map<number, PromiseWithResolvers<void>>();
  #nextId = 1;
  #closed = false;

  private constructor(port: MessagePort, onTrouble: (error: Error) => void) {
    this.#port = port;
    this.#onTrouble = onTrouble;
    port.on("message", (reply: JournalReply) => this.#settle(reply));
    port.on("close", () => this.#abandon());
  }

  /** @param onTrouble told when folding in the background failed and will be tried again */
  static async open(
    thread: SqliteThread,
    onTrouble: (error: Error) => void,
  ): Promise<SqliteJournal> {
    const module = moduleBeside("./journal-sqlite-thread", import.meta.url);
    return new SqliteJournal(await thread.attach(module), onTrouble);
  }

  append(batch: Buffer): Promise<void> {
    const id = this.#nextId++;
    return this.#request({ kind: "append", id, batch }, [batch.buffer as ArrayBuffer]);
  }

  fold(): Promise<void> {
    const id = this.#nextId++;
    return this.#request({ kind: "fold", id }, []);
  }

  /** The thread folds the rest before its connection closes. */
  async close(): Promise<void> {
    this.#abandon();
    this.#port.close();
  }

  #request(request: JournalRequest, transferred: ArrayBuffer[]): Promise<void> {
    if (this.#closed) return Promise.reject(new JournalError("the journal is closed", false));
    const waiting = Promise.withResolvers<void>();
    this.#waiting.set(request.id, waiting);
    this.#port.postMessage(request, transferred);
    return waiting.promise;
  }

  #settle(reply: JournalReply): void {
    const waiting = this.#waiting.get(reply.id);
    this.#waiting.delete(reply.id);
    if (!reply.error) {
      waiting?.resolve();
      return;
    }
    const { code, message } = reply.error;
    const error = new JournalError(`${code}: ${message}`, isFatal(code));
    if (waiting) waiting.reject(error);
    else this.#onTrouble(error);
  }

  #abandon(): void {
    this.#closed = true;
    for (const waiting of this.#waiting.values()) {
      waiting.reject(new JournalError("the database thread has ended", true));
    }
    this.#waiting.clear();
  }
}

/**
 * After a failed flush nobody knows what the disk holds, and trying again can report success for
 * data that is gone: the process must end and recover from the file.
 */
function isFatal(code: string): boolean {
  return /^SQLITE_(IOERR_(FSYNC|DIR_FSYNC|TRUNCATE)|CORRUPT|NOTADB)/.test(code);
}
