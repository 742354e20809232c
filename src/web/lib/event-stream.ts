import type { Api } from "./api.ts";
import { ApiError } from "./api-error.ts";
import { EventReader, type StreamEvent } from "./event-reader.ts";

const FIRST_WAIT_MS = 1_000;
const LONGEST_WAIT_MS = 30_000;
/** The service says something every 15 s. */
const SILENCE_MS = 45_000;

/**
 * Reads `GET /api/events` for as long as somebody listens in a tab that is seen, and again when it
 * breaks off. A browser opens six connections to a service that speaks HTTP/1.1: tabs that nobody
 * looks at must not keep them. It is read by fetch: an EventSource sends no bearer token.
 */
export class EventStream {
  readonly #api: Api;
  readonly #listeners = new Set<(event: StreamEvent) => void>();
  readonly #watchers = new Set<() => void>();
  #reading: AbortController | undefined;
  #isLive = false;

  constructor(api: Api) {
    this.#api = api;
    document.addEventListener("visibilitychange", () => this.#adjust());
  }

  /** Whether news arrive by themselves; else whoever wants them has to ask. */
  readonly isLive = (): boolean => this.#isLive;

  /** Tells when `isLive` changes. */
  readonly watch = (watcher: () => void): (() => void) => {
    this.#watchers.add(watcher);
    return () => this.#watchers.delete(watcher);
  };

  readonly listen = (listener: (event: StreamEvent) => void): (() => void) => {
    this.#listeners.add(listener);
    this.#adjust();
    return () => {
      this.#listeners.delete(listener);
      this.#adjust();
    };
  };

  /** Reads where it is wanted, and not else. */
  #adjust(): void {
    const isWanted = this.#listeners.size > 0 && document.visibilityState === "visible";
    if (isWanted && !this.#reading) {
      this.#reading = new AbortController();
      void this.#keepReading(this.#reading.signal);
    } else if (!isWanted) {
      this.#reading?.abort();
      this.#reading = undefined;
    }
  }

  async #keepReading(signal: AbortSignal): Promise<void> {
    let waitMs = FIRST_WAIT_MS;
    while (!signal.aborted) {
      try {
        await this.#read(signal, () => (waitMs = FIRST_WAIT_MS));
      } catch (error) {
        if (error instanceof ApiError && error.status < 500 && error.status !== 429) break;
        // Otherwise it may pass; meanwhile pages ask by themselves.
      }
      if (!signal.aborted) this.#setLive(false);
      await pause(waitMs, signal);
      waitMs = Math.min(waitMs * 2, LONGEST_WAIT_MS);
    }
    if (!this.#reading || this.#reading.signal === signal) this.#setLive(false);
  }

  async #read(signal: AbortSignal, onOpen: () => void): Promise<void> {
    const silence = new AbortController();
    const response = await this.#api.open("GET", "/api/events", {
      signal: AbortSignal.any([signal, silence.signal]),
    });
    if (!response.body) return;
    onOpen();
    this.#setLive(true);
    const reader = new EventReader();
    const pieces = response.body.pipeThrough(new TextDecoderStream()).getReader();
    for (;;) {
      const timer = setTimeout(() => silence.abort(), SILENCE_MS);
      const { done, value } = await pieces.read().finally(() => clearTimeout(timer));
      if (done) return;
      for (const event of reader.read(value)) this.#tell(event);
    }
  }

  #tell(event: StreamEvent): void {
    for (const listener of this.#listeners) listener(event);
  }

  #setLive(isLive: boolean): void {
    if (this.#isLive === isLive) return;
    this.#isLive = isLive;
    for (const watcher of this.#watchers) watcher();
  }
}

function pause(ms: number, signal: AbortSignal): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>();
  const timer = setTimeout(resolve, ms);
  signal.addEventListener("abort", () => {
    clearTimeout(timer);
    resolve();
  });
  return promise;
}
