import type { Readable } from "node:stream";
import { setTimeout as sleep } from "node:timers/promises";
import type { Metric } from "prom-client";
import { eventLimits, type ServerEvent } from "../../shared/api/events.ts";
import type { CallbackService } from "../callbacks/service.ts";
import { AppError } from "../lib/errors.ts";
import type { Part } from "../lib/lifecycle.ts";
import type { Logger } from "../lib/logger.ts";
import { PeriodicWorker } from "../lib/worker.ts";
import type { StunService } from "../stun/service.ts";
import { EventStream } from "./event-stream.ts";
import { eventMetrics } from "./metrics.ts";
import { RuleFeed } from "./rule-feed.ts";

export interface EventParts {
  rules: Pick<StunService, "follow" | "listOf">;
  runs: Pick<CallbackService, "subscribe">;
  logger: Logger;
  options: Partial<EventOptions>;
}

export interface EventOptions {
  streams: number;
  waitingBytes: number;
  heartbeatMs: number;
  /** Between two views of the same rule. */
  rulesMs: number;
  /** How soon the end of a session is noticed. */
  sessionsMs: number;
}

const defaults: EventOptions = {
  streams: eventLimits.streams,
  waitingBytes: eventLimits.waitingBytes,
  heartbeatMs: eventLimits.heartbeatSeconds * 1000,
  rulesMs: 1_000,
  sessionsMs: 2_000,
};

/** With less than this part of its limit waiting, a reader keeps up. */
const KEEPS_UP = 1 / 8;
const PATIENCE_MS = 1_000;
const LOOK_AGAIN_MS = 25;

/** Tells readers of what happens, as long as there are any. */
export class EventService implements Part {
  readonly name = "events";
  readonly metrics: Metric[] = eventMetrics(this);
  readonly #parts: EventParts;
  readonly #options: EventOptions;
  readonly #streams = new Set<EventStream>();
  readonly #workers: PeriodicWorker[];
  #listening: Promise<() => void> | undefined;
  #isStopped = false;

  constructor(parts: EventParts) {
    const { logger } = parts;
    this.#parts = parts;
    this.#options = { ...defaults, ...parts.options };
    const { heartbeatMs, sessionsMs } = this.#options;
    this.#workers = [
      new PeriodicWorker("heartbeats", heartbeatMs, () => this.#beat(), logger),
      new PeriodicWorker("sessions of readers", sessionsMs, () => this.#dismiss(), logger),
    ];
  }

  /** Streams that are open. */
  get open(): number {
    return this.#streams.size;
  }

  start(): void {
    for (const worker of this.#workers) worker.start();
  }

  /** Ends every stream. */
  async stop(): Promise<void> {
    this.#isStopped = true;
    for (const stream of this.#streams) stream.finish();
    await Promise.all(this.#workers.map((worker) => worker.stop()));
  }

  /**
   * A stream of what happens from now on; what is read when its first bytes have come misses nothing.
   * @param mayStay asked now and then whether the reader's session still holds
   * @throws AppError overloaded, not_ready
   */
  async read(mayStay: () => Promise<boolean>): Promise<Readable> {
    const { streams, waitingBytes } = this.#options;
    if (this.#isStopped) throw new AppError("not_ready", "The service is stopping");
    if (this.#streams.size >= streams) {
      throw new AppError("overloaded", `There are ${streams} readers of events already`, {
        retryAfterSeconds: eventLimits.retrySeconds,
      });
    }
    const stream = new EventStream({ waitingBytes, mayStay });
    this.#streams.add(stream);
    stream.once("close", () => this.#forget(stream));
    // Whoever sends it on is told of an early end by its destruction.
    stream.on("error", () => {});
    try {
      this.#listening ??= this.#listen();
      await this.#listening;
    } catch (error) {
      stream.destroy();
      this.#listening = undefined;
      throw error;
    }
    stream.send(`retry: ${eventLimits.retrySeconds * 1000}\n\n`);
    if (this.#isStopped) stream.finish();
    return stream;
  }

  /** @returns what ends it */
  async #listen(): Promise<() => void> {
    const { rules, runs, logger } = this.#parts;
    const tell = (event: ServerEvent) => this.#tell(event);
    const feed = new RuleFeed({
      read: (ids) => rules.listOf(ids),
      tell,
      everyMs: this.#options.rulesMs,
      logger,
    });
    const endRules = await rules.follow((news) => {
      if (news.kind === "change") void tell({ event: "stun_change", data: news.change });
      else feed.note(news.ruleId);
    });
    const end = () => {
      endRules();
      feed.close();
    };
    try {
      const endRuns = await runs.subscribe((data) => tell({ event: "callback_run", data }));
      return () => {
        endRuns();
        end();
      };
    } catch (error) {
      end();
      throw error;
    }
  }

  #forget(stream: EventStream): void {
    this.#streams.delete(stream);
    if (this.#streams.size > 0) return;
    const { logger } = this.#parts;
    this.#listening?.then(
      (end) => end(),
      (error: unknown) => logger.debug({ err: error }, "there was nothing to end"),
    );
    this.#listening = undefined;
  }

  /** Resolves when those who keep up can take more. Never rejects. */
  async #tell({ event, data }: ServerEvent): Promise<void> {
    const text = `event: ${event}\ndata: ${JSON.stringify(data)}\n\n`;
    for (const stream of this.#streams) stream.send(text);
    const room = this.#options.waitingBytes * KEEPS_UP;
    const isFull = (stream: EventStream) => stream.readableLength > room;
    for (const stream of this.#streams) stream.isLate &&= isFull(stream);
    const deadline = performance.now() + PATIENCE_MS;
    const late = () => [...this.#streams].filter((stream) => !stream.isLate && isFull(stream));
    while (late().length > 0 && performance.now() < deadline) await sleep(LOOK_AGAIN_MS);
    for (const stream of late()) stream.isLate = true;
  }

  #beat(): void {
    for (const stream of this.#streams) stream.beat();
  }

  /** Ends the streams of those whose sessions have ended. */
  async #dismiss(): Promise<void> {
    for (const stream of this.#streams) if (!(await stream.mayStay())) stream.finish();
  }
}
