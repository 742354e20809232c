import { setTimeout as sleep } from "node:timers/promises";
import type { Logger } from "../lib/logger.ts";
import type { Mail } from "./mails.ts";
import { MailError, type MailTransport } from "./smtp.ts";

/** Writes a mail when its turn comes; undefined when there is none to send after all. */
export type WriteMail = () => Promise<Mail | undefined>;

export interface MailQueueOptions {
  /** Pauses before the second and each further attempt. */
  retryAfterMs: readonly number[];
  /** How long a stop waits for the mails that are still to be sent. */
  drainMs: number;
  largestQueue: number;
}

const defaults: MailQueueOptions = {
  retryAfterMs: [1_000, 10_000],
  drainMs: 3_000,
  largestQueue: 1_000,
};

const SENDERS = 2;

/**
 * Writes and sends mails after the requests that asked for them have been answered, so that the
 * time of an answer tells nothing. The queue is in memory: mails that are lost with the process can
 * be asked for again. The log holds neither addresses nor tokens.
 */
export class MailQueue {
  readonly name = "mails";
  /** What has become of the mails that were asked for. */
  readonly outcomes = { sent: 0, failed: 0, dropped: 0 };
  readonly #transport: MailTransport;
  readonly #logger: Logger;
  readonly #options: MailQueueOptions;
  readonly #waiting: WriteMail[] = [];
  readonly #senders = new Set<Promise<void>>();
  readonly #stopping = new AbortController();

  constructor(transport: MailTransport, logger: Logger, options: Partial<MailQueueOptions> = {}) {
    this.#transport = transport;
    this.#logger = logger;
    this.#options = { ...defaults, ...options };
  }

  /** Mails that wait for their turn. */
  get waiting(): number {
    return this.#waiting.length;
  }

  add(write: WriteMail): void {
    if (this.#stopping.signal.aborted || this.#waiting.length >= this.#options.largestQueue) {
      this.outcomes.dropped++;
      this.#logger.error("a mail was dropped: too many wait already, or the service is stopping");
      return;
    }
    this.#waiting.push(write);
    if (this.#senders.size < SENDERS) {
      const sender = this.#work().finally(() => this.#senders.delete(sender));
      this.#senders.add(sender);
    }
  }

  /** Resolves when every mail that was added has been sent or given up. */
  async idle(): Promise<void> {
    while (this.#senders.size > 0) await Promise.all(this.#senders);
  }

  /** Sends what is left for as long as the deadline allows; pauses between attempts end. */
  async stop(): Promise<void> {
    this.#stopping.abort();
    const deadline = new AbortController();
    const drained = await Promise.race([
      this.idle().then(() => true),
      sleep(this.#options.drainMs, false, { signal: deadline.signal }).catch(() => true),
    ]);
    deadline.abort();
    if (!drained) {
      const unsent = this.#waiting.length + this.#senders.size;
      this.#waiting.length = 0;
      this.#logger.warn({ unsent }, "the service stopped before all mails were sent");
    }
    this.#transport.close();
  }

  async #work(): Promise<void> {
    for (let write = this.#waiting.shift(); write; write = this.#waiting.shift()) {
      try {
        const mail = await write();
        if (mail) await this.#send(mail);
      } catch (error) {
        this.outcomes.failed++;
        this.#logger.error({ err: error }, "a mail could not be written");
      }
    }
  }

  async #send(mail: Mail): Promise<void> {
    const { retryAfterMs } = this.#options;
    for (let attempt = 1; ; attempt++) {
      try {
        await this.#transport.send(mail);
        this.outcomes.sent++;
        return;
      } catch (error) {
        if (!(error instanceof MailError)) throw error;
        const pauseMs = retryAfterMs[attempt - 1];
        const about = { mail: mail.kind, attempt, code: error.code, status: error.status };
        if (pauseMs === undefined || error.permanent || this.#stopping.signal.aborted) {
          this.outcomes.failed++;
          this.#logger.error(about, "a mail could not be sent");
          return;
        }
        this.#logger.warn(about, "a mail could not be sent yet");
        await this.#pause(pauseMs);
      }
    }
  }

  async #pause(ms: number): Promise<void> {
    try {
      await sleep(ms, undefined, { signal: this.#stopping.signal });
    } catch (error) {
      if (!this.#stopping.signal.aborted) throw error;
    }
  }
}
