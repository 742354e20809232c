import { randomBytes } from "node:crypto";

/** Names requests, so that an answer, a log line and a caller's own trace can be matched. */
export class RequestIds {
  readonly #prefix = randomBytes(6).toString("base64url");
  #count = 0;

  /** The caller's own id when it is a plain word, else a new one. */
  of(given: string | string[] | undefined): string {
    if (typeof given === "string" && /^[\w.:-]{1,64}$/.test(given)) return given;
    return `${this.#prefix}-${(this.#count++).toString(36)}`;
  }
}
