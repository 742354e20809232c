import { Readable } from "node:stream";

export interface EventStreamParts {
  /** What may wait for the reader. */
  waitingBytes: number;
  /** Whether the reader's session still holds. */
  mayStay: () => Promise<boolean>;
}

/** What one reader gets. A reader that does not keep up is cut off. */
export class EventStream extends Readable {
  /** It has kept the others waiting and has not caught up since. */
  isLate = false;
  readonly mayStay: () => Promise<boolean>;
  readonly #limit: number;
  #written = 0;
  #takenBefore = -1;

  constructor({ waitingBytes, mayStay }: EventStreamParts) {
    super();
    this.#limit = waitingBytes;
    this.mayStay = mayStay;
  }

  /** What there is was pushed already. */
  override _read(): void {}

  send(text: string): void {
    if (this.destroyed || this.readableEnded) return;
    const bytes = Buffer.from(text);
    this.#written += bytes.length;
    this.push(bytes);
    if (this.readableLength > this.#limit) this.#cutOff();
  }

  /** A comment, by which proxies see that the stream lives; without effect twice, it ends. */
  beat(): void {
    const taken = this.#written - this.readableLength;
    const isStuck = this.readableLength > 0 && taken === this.#takenBefore;
    this.#takenBefore = taken;
    if (isStuck) this.#cutOff();
    else this.send(":\n\n");
  }

  /** After what was sent. */
  finish(): void {
    if (!this.destroyed) this.push(null);
  }

  #cutOff(): void {
    this.destroy(new Error("a reader of events does not keep up"));
  }
}
