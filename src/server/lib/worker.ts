import { setTimeout as sleep } from "node:timers/promises";
import type { Logger } from "./logger.ts";

/** Something that runs in the background from `start` to `stop`. Both may be called twice. */
export interface Worker {
  readonly name: string;
  start(): void;
  stop(): Promise<void>;
}

/**
 * Runs `tick` again and again, `intervalMs` after the previous run ended. A failed run is logged
 * and the next one follows: nothing here rejects unobserved.
 */
export class PeriodicWorker implements Worker {
  readonly name: string;
  readonly #intervalMs: number;
  readonly #tick: () => Promise<void> | void;
  readonly #logger: Logger;
  #stopping: AbortController | undefined;
  #loop: Promise<void> = Promise.resolve();

  constructor(name: string, intervalMs: number, tick: () => Promise<void> | void, logger: Logger) {
    this.name = name;
    this.#intervalMs = intervalMs;
    this.#tick = tick;
    this.#logger = logger;
  }

  start(): void {
    if (this.#stopping) return;
    this.#stopping = new AbortController();
    this.#loop = this.#run(this.#stopping.signal);
  }

  async stop(): Promise<void> {
    this.#stopping?.abort();
    await this.#loop;
    this.#stopping = undefined;
  }

  async #run(signal: AbortSignal): Promise<void> {
    while (!signal.aborted) {
      try {
        await sleep(this.#intervalMs, undefined, { signal, ref: false });
      } catch {
        return;
      }
      try {
        await this.#tick();
      } catch (error) {
        this.#logger.error({ err: error, worker: this.name }, "a background worker's run failed");
      }
    }
  }
}
