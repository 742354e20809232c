/** Loaded into the SQLite thread by SqliteJournal. */
import type { MessagePort } from "node:worker_threads";
import type { SqliteConnection } from "../database/sqlite-connection.ts";
import { SqliteFolder, type FoldCycle } from "./fold-sqlite.ts";
import { SQLITE_INSTANCE, type JournalReply, type JournalRequest } from "./journal-sqlite.ts";
import { decodeBatch } from "./record.ts";

/** How long latest values are gathered before they are written to the tables. */
const FOLD_INTERVAL_MS = 10_000;
/** Folded earlier when this many reports wait, so that a start never replays for long. */
const FOLD_AFTER_REPORTS = 400_000;

export function attach(connection: SqliteConnection, port: MessagePort): () => void {
  const writer = new JournalWriter(connection, port);
  return () => writer.close();
}

/** Appends batches and, between them, folds earlier ones in small steps. */
class JournalWriter {
  readonly #connection: SqliteConnection;
  readonly #port: MessagePort;
  readonly #folder: SqliteFolder;
  readonly #insert;
  readonly #timer: NodeJS.Timeout;
  #cycle: FoldCycle | undefined;
  /** Ids of the requests that are answered when everything is folded. */
  readonly #foldRequests: number[] = [];

  constructor(connection: SqliteConnection, port: MessagePort) {
    this.#connection = connection;
    this.#port = port;
    this.#folder = new SqliteFolder(connection.raw);
    this.#insert = connection.raw.prepare(
      "insert into report_journal (instance, seq, batch) values (?, ?, ?)",
    );
    this.#timer = setInterval(() => this.#startCycle(), FOLD_INTERVAL_MS);
    port.on("message", (request: JournalRequest) => this.#handle(request));
  }

  /** Folds what is left; no request may follow. */
  close(): void {
    clearInterval(this.#timer);
    this.#port.close();
    const cycles = [this.#cycle, this.#folder.startCycle()];
    for (const cycle of cycles) while (cycle?.step());
  }

  #handle(request: JournalRequest): void {
    if (request.kind === "append") {
      this.#connection.whenIdle(() => this.#append(request.id, request.batch));
    } else {
      this.#foldRequests.push(request.id);
      // What a running cycle does not include is left to the one that follows it.
      if (!this.#cycle) this.#startCycle();
    }
  }

  #append(id: number, bytes: Uint8Array): void {
    const batch = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
    const seq = this.#folder.lastSeq + 1;
    try {
      this.#insert.run(SQLITE_INSTANCE, seq, batch);
    } catch (error) {
      this.#answer(id, error);
      return;
    }
    this.#answer(id);
    this.#folder.take(seq, decodeBatch(batch));
    if (this.#folder.waiting > FOLD_AFTER_REPORTS) this.#startCycle();
  }

  #answer(id: number, error?: unknown): void {
    const reply: JournalReply = { id };
    if (error !== undefined) {
      const { code = "SQLITE_ERROR", message } = error as Error & { code?: string };
      reply.error = { code, message };
    }
    this.#port.postMessage(reply);
  }

  #startCycle(): void {
    if (this.#cycle) return;
    const requests = this.#foldRequests.splice(0);
    const cycle = this.#folder.startCycle();
    this.#cycle = cycle;
    this.#schedule(cycle, requests);
  }

  /** One step, then whatever else is waiting, then the next. */
  #schedule(cycle: FoldCycle, requests: number[]): void {
    setImmediate(() => this.#connection.whenIdle(() => this.#step(cycle, requests)));
  }

  #step(cycle: FoldCycle, requests: number[]): void {
    if (this.#cycle !== cycle) return;
    try {
      if (cycle.step()) {
        this.#schedule(cycle, requests);
        return;
      }
      for (const id of requests) this.#answer(id);
    } catch (error) {
      // Nothing is lost: the journal keeps the rows, and the next cycle writes the same states.
      this.#folder.putBack(cycle);
      for (const id of requests.length > 0 ? requests : [0]) this.#answer(id, error);
    }
    this.#cycle = undefined;
    if (this.#foldRequests.length > 0) this.#startCycle();
  }
}
