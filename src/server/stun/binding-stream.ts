import type { Duplex } from "node:stream";
import type { BindingOutcome } from "./binding.ts";
import { formatEndpoint, type Endpoint } from "./endpoint.ts";
import {
  decodeMessage,
  encodeMessage,
  HEADER_BYTES,
  looksLikeStun,
  messageLength,
  newTransactionId,
  type StunMessage,
} from "./message.ts";
import { describeSystemError } from "./system-error.ts";

/** More than any answer to us needs. */
const LONGEST_ANSWER = 4096;

/**
 * Asks on an open connection, which carries one message behind the other (RFC 8489 §6.2.2), and
 * leaves it open.
 * @throws the reason of `signal`
 */
export async function askOverStream(
  stream: Duplex,
  server: Endpoint,
  signal: AbortSignal,
): Promise<BindingOutcome> {
  signal.throwIfAborted();
  const transactionId = newTransactionId();
  const startedAt = performance.now();
  const name = formatEndpoint(server);
  const ended = Promise.withResolvers<BindingOutcome>();
  const fail = (what: string) => ended.resolve({ error: `${name} ${what}` });
  const answers = new AnswerReader((response) => {
    if (response.transactionId !== transactionId) return;
    if (response.kind !== "success" && response.kind !== "error") return;
    ended.resolve({ response, from: server, rttMs: performance.now() - startedAt });
  });
  const onData = (bytes: Buffer) => {
    if (!answers.push(bytes)) fail("does not speak STUN");
  };
  const onError = (error: Error) => fail(`failed: ${describeSystemError(error)}`);
  const onEnd = () => fail("closed the connection without an answer");
  const onAbort = () => ended.reject(signal.reason);
  stream.on("data", onData).on("error", onError).on("end", onEnd).on("close", onEnd);
  signal.addEventListener("abort", onAbort, { once: true });
  stream.write(encodeMessage({ kind: "request", transactionId }));
  try {
    return await ended.promise;
  } finally {
    stream.off("data", onData).off("error", onError).off("end", onEnd).off("close", onEnd);
    signal.removeEventListener("abort", onAbort);
  }
}

/** Cuts a stream into messages, however its bytes arrive. */
class AnswerReader {
  readonly #onMessage: (message: StunMessage) => void;
  #held: Buffer = Buffer.alloc(0);
  #isBroken = false;

  constructor(onMessage: (message: StunMessage) => void) {
    this.#onMessage = onMessage;
  }

  /** False once the stream is none of STUN messages that could be for us. */
  push(bytes: Buffer): boolean {
    if (this.#isBroken) return false;
    this.#held = this.#held.length === 0 ? bytes : Buffer.concat([this.#held, bytes]);
    while (this.#held.length >= HEADER_BYTES && !this.#isBroken) {
      const length = looksLikeStun(this.#held) ? messageLength(this.#held) : Infinity;
      if (length > LONGEST_ANSWER) return this.#break();
      if (this.#held.length < length) return true;
      const message = decodeMessage(this.#held.subarray(0, length));
      if (!message) return this.#break();
      this.#held = this.#held.subarray(length);
      this.#onMessage(message);
    }
    return true;
  }

  #break(): false {
    this.#isBroken = true;
    this.#held = Buffer.alloc(0);
    return false;
  }
}
