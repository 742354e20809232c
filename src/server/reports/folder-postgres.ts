import { Worker } from "node:worker_threads";
import type { FolderData, FolderReply, FolderRequest } from "./fold-postgres-worker.ts";
import { moduleBeside } from "../lib/module-beside.ts";

/** Folds in a thread with a connection of its own, so that unpacking never stops the event loop. */
export class PostgresFolder {
  readonly #worker: Worker;
  readonly #waiting = new Map<number, PromiseWithResolvers<void>>();
  #nextId = 1;

  constructor(url: string) {
    const data: FolderData = { url };
    this.#worker = new Worker(moduleBeside("./fold-postgres-worker", import.meta.url), {
      workerData: data,
      name: "fold",
    });
    this.#worker.on("message", (reply: FolderReply) => this.#settle(reply));
    this.#worker.on("error", (error) => this.#fail(error as Error));
    this.#worker.on("exit", () => this.#fail(new Error("the fold thread has ended")));
  }

  /**
   * Resolves when every journal row that was there before the call is in the tables. Without `hurry`
   * it takes several times as long as it could, and reports are committed the quicker meanwhile.
   */
  fold(hurry: boolean): Promise<void> {
    const request: FolderRequest = { id: this.#nextId++, hurry };
    const waiting = Promise.withResolvers<void>();
    this.#waiting.set(request.id, waiting);
    this.#worker.postMessage(request);
    return waiting.promise;
  }

  async close(): Promise<void> {
    await this.#worker.terminate();
  }

  #settle(reply: FolderReply): void {
    const waiting = this.#waiting.get(reply.id);
    this.#waiting.delete(reply.id);
    if (reply.error === undefined) waiting?.resolve();
    else waiting?.reject(new Error(reply.error));
  }

  #fail(error: Error): void {
    for (const waiting of this.#waiting.values()) waiting.reject(error);
    this.#waiting.clear();
  }
}
