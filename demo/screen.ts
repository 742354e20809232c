import type { WriteStream } from "node:tty";

/** Shows lines in place of the ones before, where the output is a terminal. */
export class Screen {
  readonly #out: WriteStream;
  #shown = 0;

  /** @param onGone told when nobody reads any more, as behind `| head` */
  constructor(out: WriteStream, onGone: () => void) {
    this.#out = out;
    out.on("error", onGone);
  }

  get isTerminal(): boolean {
    return this.#out.isTTY;
  }

  /** Lines that stay. */
  print(...lines: string[]): void {
    this.#out.write(`${lines.join("\n")}\n`);
    this.#shown = 0;
  }

  /** Lines that the next call replaces. */
  replace(lines: readonly string[]): void {
    const back = this.#shown > 0 ? `\u001B[${this.#shown}A` : "";
    const text = lines.map((line) => `${line.slice(0, this.#out.columns - 1)}\u001B[K\n`).join("");
    this.#out.write(back + text);
    this.#shown = lines.length;
  }
}
