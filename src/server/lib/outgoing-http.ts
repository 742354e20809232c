import { Agent } from "undici";
import { checkedConnector } from "./checked-connector.ts";
import type { Egress } from "./egress.ts";
import { Exchange } from "./exchange.ts";
import { Redactor } from "./redaction.ts";

/** For resolving, connecting and the TLS handshake together. */
const CONNECT_TIMEOUT_MS = 5000;

export interface OutgoingHttpParts {
  egress: Egress;
  /** Milliseconds of a monotonic clock. */
  now: () => number;
  connectTimeoutMs?: number;
}

/**
 * Connections to targets, kept open per origin as long as they are used. Whether a target is allowed
 * is decided anew for each connection.
 */
export class OutgoingHttp {
  readonly name = "outgoing HTTP";
  readonly egress: Egress;
  readonly #now: () => number;
  readonly #agent: Agent;
  readonly #redactors = new WeakMap<readonly string[], Redactor>();

  constructor({ egress, now, connectTimeoutMs = CONNECT_TIMEOUT_MS }: OutgoingHttpParts) {
    this.egress = egress;
    this.#now = now;
    this.#agent = new Agent({
      connect: checkedConnector(egress, connectTimeoutMs),
      allowH2: false,
      // Each exchange has a limit for all of it.
      headersTimeout: 0,
      bodyTimeout: 0,
    });
  }

  /**
   * For one attempt.
   * @param secrets values that its records do not show; the same list again costs less
   */
  exchange(secrets: readonly string[], signal: AbortSignal): Exchange {
    const redactor = this.#redactors.get(secrets) ?? new Redactor(secrets);
    this.#redactors.set(secrets, redactor);
    return new Exchange({ agent: this.#agent, redactor, signal, now: this.#now });
  }

  /** Ends every exchange that is under way. May be called twice. */
  async stop(): Promise<void> {
    if (!this.#agent.destroyed) await this.#agent.destroy();
  }
}
