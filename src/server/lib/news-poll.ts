import type { Logger } from "./logger.ts";

/** Resolves when it can take more. */
export type NewsListener<T> = (news: T) => Promise<void> | void;

export interface NewsPollParts<T> {
  /** Takes down what is known already: it is no news. */
  begin: () => Promise<void>;
  /** Finds what is new since then and tells it. */
  find: (tell: NewsListener<T>) => Promise<void>;
  everyMs: number;
  /** For the log. */
  what: string;
  logger: Logger;
}

/** Looks for news by time and when told to, as long as anybody listens. */
export class NewsPoll<T> {
  readonly #parts: NewsPollParts<T>;
  readonly #listeners = new Set<NewsListener<T>>();
  #turn: Promise<void> = Promise.resolve();
  #isWanted = false;
  #timer: NodeJS.Timeout | undefined;

  constructor(parts: NewsPollParts<T>) {
    this.#parts = parts;
  }

  get isHeard(): boolean {
    return this.#listeners.size > 0;
  }

  /** From its resolution on nothing is missed. @returns what ends it */
  async subscribe(listener: NewsListener<T>): Promise<() => void> {
    await this.#inTurn(async () => {
      if (!this.isHeard) await this.#parts.begin();
      this.#listeners.add(listener);
      this.#timer ??= setInterval(() => this.look(), this.#parts.everyMs).unref();
    });
    return () => {
      this.#listeners.delete(listener);
      if (this.isHeard) return;
      clearInterval(this.#timer);
      this.#timer = undefined;
    };
  }

  /** Something may have changed just now. */
  look(): void {
    if (!this.isHeard || this.#isWanted) return;
    this.#isWanted = true;
    const { find, what, logger } = this.#parts;
    this.#inTurn(async () => {
      this.#isWanted = false;
      await find((news) => this.#tell(news));
    }).catch((error: unknown) => {
      logger.debug({ err: error, what }, "news could not be read for those who listen");
    });
  }

  async #tell(news: T): Promise<void> {
    for (const listener of this.#listeners) await listener(news);
  }

  #inTurn(work: () => Promise<void>): Promise<void> {
    const turn = this.#turn.then(work);
    this.#turn = turn.catch(() => {});
    return turn;
  }
}
