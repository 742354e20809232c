import { createHash } from "node:crypto";

const GROWTH = 1.5;

/** Collects a long body piece by piece, so that no single step takes long. */
export class BodyWriter {
  readonly #digest = createHash("sha256");
  #bytes: Buffer;
  #length = 0;

  /** @param expectedBytes how long the body is likely to become */
  constructor(expectedBytes: number) {
    this.#bytes = Buffer.allocUnsafeSlow(expectedBytes);
  }

  append(text: string): void {
    const end = this.#length + Buffer.byteLength(text);
    if (end > this.#bytes.length) this.#grow(end);
    this.#bytes.write(text, this.#length);
    this.#digest.update(this.#bytes.subarray(this.#length, end));
    this.#length = end;
  }

  /** To be called once. */
  finish(): { body: Buffer; digest: string } {
    return {
      body: this.#bytes.subarray(0, this.#length),
      digest: this.#digest.digest("base64url"),
    };
  }

  #grow(needed: number): void {
    const bytes = Buffer.allocUnsafeSlow(Math.ceil(Math.max(needed, this.#bytes.length * GROWTH)));
    this.#bytes.copy(bytes, 0, 0, this.#length);
    this.#bytes = bytes;
  }
}
