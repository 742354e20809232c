import type { Socket } from "node:net";
import { Duplex } from "node:stream";

/** Passes what is written on in single bytes, each in a turn of the loop and a segment of its own. */
export class ChoppedDuplex extends Duplex {
  readonly #socket: Socket;

  constructor(socket: Socket) {
    super();
    this.#socket = socket;
    socket.on("data", (bytes) => {
      if (!this.push(bytes)) socket.pause();
    });
    socket.on("end", () => this.push(null));
    socket.on("close", () => this.destroy());
  }

  override _read(): void {
    this.#socket.resume();
  }

  override _write(bytes: Buffer, _encoding: string, done: (error?: Error | null) => void): void {
    const writeFrom = (at: number) => {
      if (at === bytes.length) return done();
      this.#socket.write(bytes.subarray(at, at + 1), (error) => {
        if (error) done(error);
        else setImmediate(writeFrom, at + 1);
      });
    };
    writeFrom(0);
  }

  override _final(done: () => void): void {
    this.#socket.end(done);
  }

  override _destroy(error: Error | null, done: (error?: Error | null) => void): void {
    this.#socket.destroy();
    done(error);
  }
}
