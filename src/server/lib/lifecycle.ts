import type { Logger } from "./logger.ts";

/**
 * A part of the service. Parts are started in their order and stopped in reverse; one without
 * `start` runs already.
 */
export interface Part {
  readonly name: string;
  start?(): Promise<void> | void;
  stop?(): Promise<void> | void;
}

/** Where the stop of a part hangs, as on a storage that does not answer, the rest is not waited for. */
const STOP_DEADLINE_MS = 8_000;

/**
 * Starts and stops the parts of the service. Both may be called twice; a stop during the start waits for
 * the part that is starting and then takes back what was started.
 */
export class Lifecycle {
  readonly #parts: Part[] = [];
  readonly #logger: Logger;
  readonly #running = new Set<Part>();
  #run: Promise<void> = Promise.resolve();
  #starting: Promise<void> | undefined;
  #stopping: Promise<void> | undefined;

  constructor(logger: Logger) {
    this.#logger = logger;
  }

  get isStopping(): boolean {
    return this.#stopping !== undefined;
  }

  /** Appends a part, before the start. */
  add(part: Part): void {
    this.#parts.push(part);
    if (!part.start) this.#running.add(part);
  }

  /** Rejects with the failure of the first part that cannot start, after stopping the others. */
  start(): Promise<void> {
    this.#starting ??= this.#startOrStop();
    return this.#starting;
  }

  /** Never rejects: a part that fails to stop is logged and the next one follows. */
  stop(): Promise<void> {
    this.#stopping ??= this.#stopAll();
    return this.#stopping;
  }

  async #startOrStop(): Promise<void> {
    this.#run = this.#startAll();
    try {
      await this.#run;
    } catch (error) {
      await this.stop();
      throw error;
    }
  }

  async #startAll(): Promise<void> {
    for (const part of this.#parts) {
      if (this.isStopping) return;
      await part.start?.();
      this.#running.add(part);
    }
  }

  async #stopAll(): Promise<void> {
    const late = Promise.withResolvers<void>();
    const deadline = setTimeout(() => late.resolve(), STOP_DEADLINE_MS);
    // Whoever called start() is told of its failure.
    await Promise.race([this.#run.catch(() => {}), late.promise]);
    for (const part of this.#parts.toReversed()) {
      if (!this.#running.has(part)) continue;
      await Promise.race([this.#stopPart(part), late.promise]);
    }
    clearTimeout(deadline);
  }

  async #stopPart(part: Part): Promise<void> {
    try {
      await part.stop?.();
    } catch (error) {
      this.#logger.error({ err: error, part: part.name }, "a part of the service failed to stop");
    }
  }
}
