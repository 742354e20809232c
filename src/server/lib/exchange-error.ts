export type ExchangeFailure = "network" | "timeout" | "tls" | "refused_by_policy" | "too_large";

/**
 * Why there is no answer. The message is a sentence for administrators; it names the target's host,
 * never a secret. `refused_by_policy` covers whatever was refused before anything was sent.
 */
export class ExchangeError extends Error {
  readonly kind: ExchangeFailure;

  constructor(kind: ExchangeFailure, message: string, cause?: unknown) {
    super(message, { cause });
    this.name = "ExchangeError";
    this.kind = kind;
  }
}
