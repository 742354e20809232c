import type { Connection } from "../../src/probe/sockets.ts";

/** A connection whose other side says what it was told to, then ends or falls silent. */
export class ScriptedConnection implements Connection {
  readonly written: Uint8Array[] = [];
  closed = false;
  readonly #chunks: Uint8Array[];
  readonly #after: "ends" | "silence";

  constructor(chunks: readonly Uint8Array[], after: "ends" | "silence" = "ends") {
    this.#chunks = [...chunks];
    this.#after = after;
  }

  async read(): Promise<Uint8Array | undefined> {
    const next = this.#chunks.shift();
    return next ?? (this.#after === "ends" ? undefined : new Promise(() => {}));
  }

  async write(bytes: Uint8Array): Promise<void> {
    this.written.push(bytes.slice());
  }

  async secure(_name: string | undefined): Promise<Connection> {
    return this;
  }

  close(): void {
    this.closed = true;
  }

  /** All that was written, in one piece. */
  get sent(): Buffer {
    return Buffer.concat(this.written);
  }
}
