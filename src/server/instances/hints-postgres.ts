import { setTimeout as sleep } from "node:timers/promises";
import pg from "pg";
import { connectionSettings } from "../database/postgres-pool.ts";
import type { Logger } from "../lib/logger.ts";

const CHANNEL = "waypost";
/** The first of the two numbers of the locks on names of instances. */
const NAME_LOCKS = 7_791_003;
const CONNECT_AGAIN_MS = 1_000;
/** Of all that is committed, others are told so often at most. */
const BETWEEN_HINTS_MS = 100;

export interface HintsParts {
  url: string;
  instance: string;
  logger: Logger;
  /** Another instance may have committed something, or hints may have been missed. */
  onHint(): void;
  /** Whether there is anybody to tell. */
  isHeard(): boolean;
}

/**
 * Tells other instances that there is something to read, and hears it from them. A hint may be lost:
 * whoever hears none looks by time. The connection also holds the name of the instance.
 */
export class Hints {
  readonly #parts: HintsParts;
  readonly #closing = new AbortController();
  #client: pg.Client | undefined;
  #opening: Promise<pg.Client> | undefined;
  #connecting: Promise<void> | undefined;
  #toldAt = Number.NEGATIVE_INFINITY;
  #timer: NodeJS.Timeout | undefined;

  constructor(parts: HintsParts) {
    this.#parts = parts;
  }

  /** Whether the name is this connection's: no process that lives has it beside this one. */
  async claimName(): Promise<boolean> {
    const client = await this.#open();
    return this.#lock(client);
  }

  /** Something was committed here. */
  tell(): void {
    if (this.#timer !== undefined || !this.#parts.isHeard()) return;
    const wait = this.#toldAt + BETWEEN_HINTS_MS - performance.now();
    if (wait <= 0) this.#send();
    else this.#timer = setTimeout(() => this.#send(), wait);
  }

  async close(): Promise<void> {
    this.#closing.abort();
    clearTimeout(this.#timer);
    await this.#connecting;
    const client = this.#client;
    this.#client = undefined;
    await client?.end();
  }

  #send(): void {
    this.#timer = undefined;
    this.#toldAt = performance.now();
    // A hint that is lost is made up for by time.
    this.#client
      ?.query("select pg_notify($1, $2)", [CHANNEL, this.#parts.instance])
      .catch(() => {});
  }

  /** One connection, however many ask for it at once. */
  async #open(): Promise<pg.Client> {
    if (this.#client) return this.#client;
    this.#opening ??= this.#connect().finally(() => (this.#opening = undefined));
    return this.#opening;
  }

  async #connect(): Promise<pg.Client> {
    const client = new pg.Client({
      ...connectionSettings(this.#parts.url),
      application_name: "waypost hints",
      keepAlive: true,
    });
    client.on("error", () => this.#lose(client));
    client.on("end", () => this.#lose(client));
    client.on("notification", ({ payload }) => {
      if (payload !== this.#parts.instance) this.#parts.onHint();
    });
    try {
      await client.connect();
      await client.query(`listen ${CHANNEL}`);
    } catch (error) {
      client.end().catch(() => {});
      throw error;
    }
    this.#client = client;
    return client;
  }

  async #lock(client: pg.Client): Promise<boolean> {
    const { rows } = await client.query<{ locked: boolean }>(
      "select pg_try_advisory_lock($1, hashtext($2)) as locked",
      [NAME_LOCKS, this.#parts.instance],
    );
    return rows[0]?.locked ?? false;
  }

  #lose(client: pg.Client): void {
    if (this.#client !== client) return;
    this.#client = undefined;
    this.#connecting ??= this.#connectAgain().finally(() => (this.#connecting = undefined));
  }

  /** What was told meanwhile was not heard. */
  async #connectAgain(): Promise<void> {
    const { signal } = this.#closing;
    while (!signal.aborted) {
      try {
        await sleep(CONNECT_AGAIN_MS, undefined, { signal, ref: false });
        await this.#lock(await this.#open());
        this.#parts.onHint();
        return;
      } catch (error) {
        if (!signal.aborted) {
          this.#parts.logger.debug(
            { reason: (error as Error).message },
            "no hints from PostgreSQL",
          );
        }
      }
    }
  }
}
