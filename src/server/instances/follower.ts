import { setTimeout as sleep } from "node:timers/promises";
import type { Logger } from "../lib/logger.ts";
import type { Worker } from "../lib/worker.ts";

/** Without a hint, others are looked at so often. */
const LOOK_EVERY_MS = 500;
/** However often it is asked for. */
const BETWEEN_LOOKS_MS = 5;

/** Looks at what other instances have committed: by time, when told to, and when somebody waits. */
export class Follower implements Worker {
  readonly name = "follower";
  readonly #look: () => Promise<void>;
  readonly #logger: Logger;
  #stopping: AbortController | undefined;
  #loop: Promise<void> = Promise.resolve();
  #waiting: PromiseWithResolvers<void> | undefined;
  #waker = Promise.withResolvers<void>();
  #lookedAt = performance.now();
  #isFailing = false;

  /** @param look takes in all that is committed when it is called */
  constructor(look: () => Promise<void>, logger: Logger) {
    this.#look = look;
    this.#logger = logger;
  }

  /** Since what is known of others was whole for the last time. */
  get behindMs(): number {
    return performance.now() - this.#lookedAt;
  }

  start(): void {
    if (this.#stopping) return;
    this.#stopping = new AbortController();
    this.#loop = this.#run(this.#stopping.signal);
  }

  async stop(): Promise<void> {
    this.#stopping?.abort();
    this.wake();
    await this.#loop;
    this.#stopping = undefined;
  }

  wake(): void {
    this.#waker.resolve();
  }

  /** Resolves once all that was committed before the call is taken in; rejects when it cannot be read. */
  catchUp(): Promise<void> {
    if (!this.#stopping || this.#stopping.signal.aborted) {
      return Promise.reject(new Error("other instances are not followed"));
    }
    this.#waiting ??= Promise.withResolvers<void>();
    this.wake();
    return this.#waiting.promise;
  }

  async #run(signal: AbortSignal): Promise<void> {
    while (!signal.aborted) {
      const pause = new AbortController();
      const time = sleep(LOOK_EVERY_MS, undefined, { signal: pause.signal, ref: false });
      await Promise.race([this.#waker.promise, time.catch(() => {})]);
      pause.abort();
      this.#waker = Promise.withResolvers<void>();
      const waiting = this.#waiting;
      this.#waiting = undefined;
      await this.#lookOnce(waiting);
      await sleep(BETWEEN_LOOKS_MS, undefined, { ref: false });
    }
    this.#waiting?.reject(new Error("the service is stopping"));
    this.#waiting = undefined;
  }

  async #lookOnce(waiting: PromiseWithResolvers<void> | undefined): Promise<void> {
    const startedAt = performance.now();
    try {
      await this.#look();
      this.#lookedAt = startedAt;
      if (this.#isFailing) this.#logger.info("other instances are followed again");
      this.#isFailing = false;
      waiting?.resolve();
    } catch (error) {
      if (!this.#isFailing) this.#logger.warn({ err: error }, "other instances cannot be followed");
      this.#isFailing = true;
      waiting?.reject(error);
    }
  }
}
