import { Worker } from "node:worker_threads";
import { AppError } from "./errors.ts";
import { DUMMY_HASH } from "./password-costs.ts";
import type { PasswordJob, PasswordReply } from "./password-worker.ts";
import { moduleBeside } from "./module-beside.ts";

/** Work that may wait; at about 10 ms each the last one still answers within a second or two. */
const LARGEST_QUEUE = 64;
const RETRY_AFTER_SECONDS = 2;

/**
 * Argon2id in a thread of its own that steps back behind the rest of the process, so that log-ins
 * neither stop the event loop nor slow the reports.
 *
 * Passwords are taken in the Unicode form NFKC (NIST SP 800-63B §3.1.1.2), so that the same
 * characters typed on another keyboard match; apart from that every character counts (OWASP ASVS
 * 6.2.8): nothing is cut off, trimmed or changed in case.
 */
export class PasswordHasher {
  readonly name = "password hasher";
  readonly #waiting = new Map<number, PromiseWithResolvers<string | boolean>>();
  readonly #largestQueue: number;
  #worker: Worker | undefined;
  #stopped = false;
  #lastId = 0;

  constructor(largestQueue = LARGEST_QUEUE) {
    this.#largestQueue = largestQueue;
  }

  /**
   * @returns the hash in PHC form, with its salt and costs
   * @throws AppError overloaded when too many wait already
   */
  async hash(password: string): Promise<string> {
    return (await this.#run({ kind: "hash", password: password.normalize("NFKC") })) as string;
  }

  /**
   * Whether `hash` is the password's. Without a hash (there is no such account) the answer is
   * false and takes the same time.
   * @throws AppError overloaded when too many wait already
   */
  async verify(hash: string | undefined, password: string): Promise<boolean> {
    const job = { password: password.normalize("NFKC"), hash: hash ?? DUMMY_HASH };
    const matches = (await this.#run({ kind: "verify", ...job })) as boolean;
    return matches && hash !== undefined;
  }

  /** Whoever still waits is refused as overloaded. May be called twice. */
  async stop(): Promise<void> {
    this.#stopped = true;
    const worker = this.#worker;
    this.#worker = undefined;
    this.#refuseAll(tooBusy());
    await worker?.terminate();
  }

  #run(job: PasswordJob): Promise<string | boolean> {
    if (this.#stopped || this.#waiting.size >= this.#largestQueue) {
      return Promise.reject(tooBusy());
    }
    const worker = (this.#worker ??= this.#startWorker());
    const id = ++this.#lastId;
    const waiting = Promise.withResolvers<string | boolean>();
    this.#waiting.set(id, waiting);
    worker.ref();
    worker.postMessage({ ...job, id });
    return waiting.promise;
  }

  #startWorker(): Worker {
    const worker = new Worker(moduleBeside("./password-worker", import.meta.url), {
      name: "passwords",
    });
    worker.on("message", (reply: PasswordReply) => this.#settle(worker, reply));
    worker.on("error", (error) => this.#lose(worker, error as Error));
    worker.on("exit", () => this.#lose(worker, new Error("The password thread has ended")));
    return worker;
  }

  #settle(worker: Worker, { id, result, error }: PasswordReply): void {
    const waiting = this.#waiting.get(id);
    this.#waiting.delete(id);
    if (this.#waiting.size === 0) worker.unref();
    if (result === undefined) waiting?.reject(new Error(error));
    else waiting?.resolve(result);
  }

  /** The next request starts a new thread. */
  #lose(worker: Worker, error: Error): void {
    if (this.#worker !== worker) return;
    this.#worker = undefined;
    this.#refuseAll(error);
  }

  #refuseAll(error: Error): void {
    for (const waiting of this.#waiting.values()) waiting.reject(error);
    this.#waiting.clear();
  }
}

function tooBusy(): AppError {
  return new AppError("overloaded", "Too many people are logging in at this moment; try again", {
    retryAfterSeconds: RETRY_AFTER_SECONDS,
  });
}
