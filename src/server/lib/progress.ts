import { Presets, SingleBar } from "cli-progress";

/** Shows how far something long is. */
export interface Progress {
  /** Begins with the next thing, whose name starts with a capital letter. */
  begin(what: string): void;
  /** How far it is, in whatever unit. */
  show(done: number, total: number): void;
  /** Nothing follows. May be called twice. */
  end(): void;
}

/** On a terminal; where nobody watches, nothing is written. */
export function openProgress(stream: NodeJS.WriteStream): Progress {
  return stream.isTTY ? new Bars(stream) : { begin() {}, show() {}, end() {} };
}

class Bars implements Progress {
  readonly #stream: NodeJS.WriteStream;
  #bar: SingleBar | undefined;

  constructor(stream: NodeJS.WriteStream) {
    this.#stream = stream;
  }

  begin(what: string): void {
    this.end();
    this.#bar = new SingleBar(
      { stream: this.#stream, format: `${what} {bar} {percentage} %`, hideCursor: true },
      Presets.shades_grey,
    );
    this.#bar.start(1, 0);
  }

  show(done: number, total: number): void {
    this.#bar?.setTotal(total);
    this.#bar?.update(done);
  }

  end(): void {
    this.#bar?.update(this.#bar.getTotal());
    this.#bar?.stop();
    this.#bar = undefined;
  }
}
