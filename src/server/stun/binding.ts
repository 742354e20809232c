import { type Endpoint, formatEndpoint, sameEndpoint } from "./endpoint.ts";
import {
  decodeMessage,
  encodeMessage,
  looksLikeStun,
  newTransactionId,
  transactionIdOf,
  type StunMessage,
  type TransactionId,
} from "./message.ts";
import { describeSystemError } from "./system-error.ts";

/** How requests are repeated (RFC 8489 §6.2.1, cut short: the next server is asked sooner). */
export interface RetransmissionPlan {
  /** After the start of the transaction, the first of them 0. */
  sendsAtMs: readonly [first: number, ...rest: number[]];
  timeoutMs: number;
}

const defaultPlan: RetransmissionPlan = { sendsAtMs: [0, 500, 1500], timeoutMs: 3000 };

/** How a transaction ended. The error is a sentence. */
export type BindingOutcome =
  | { response: StunMessage; from: Endpoint; rttMs: number | null }
  | { error: string };

export interface BindingQuestion {
  server: Endpoint;
  /** Asks the server to answer from its other address or port (RFC 5780 §4.4). */
  change?: { address: boolean; port: boolean };
  /** Where the answer must come from; absent = the server. */
  answersFrom?: Endpoint;
}

export interface BindingParts {
  /** Rejects with what the system says. */
  send: (bytes: Buffer, to: Endpoint) => Promise<void>;
  plan?: RetransmissionPlan;
}

/** Datagrams that were not what they claimed to be. */
export interface StrayAnswers {
  /** To a transaction that had ended. */
  late: number;
  /** The right id from a wrong address, malformed, or no answer at all. */
  forged: number;
}

interface Transaction {
  request: Buffer;
  server: Endpoint;
  answersFrom: Endpoint;
  startedAt: number;
  sends: number;
  sendError: string | undefined;
  timer: NodeJS.Timeout | undefined;
  finish(outcome: BindingOutcome): void;
}

/** Ended transactions whose late answers are still recognised: few, for there are many sockets. */
const REMEMBERED = 8;

/** The Binding transactions of one datagram socket, any number of them at a time. */
export class BindingTransactions {
  readonly strays: StrayAnswers = { late: 0, forged: 0 };
  readonly #send: BindingParts["send"];
  readonly #plan: RetransmissionPlan;
  readonly #open = new Map<TransactionId, Transaction>();
  readonly #ended = new Set<TransactionId>();

  constructor({ send, plan = defaultPlan }: BindingParts) {
    this.#send = send;
    this.#plan = plan;
  }

  /** @throws the reason of `signal` */
  async ask(question: BindingQuestion, signal?: AbortSignal): Promise<BindingOutcome> {
    signal?.throwIfAborted();
    const { server, change, answersFrom = server } = question;
    const transactionId = newTransactionId();
    const request = encodeMessage({
      kind: "request",
      transactionId,
      attributes: change ? { change } : {},
    });
    const ended = Promise.withResolvers<BindingOutcome>();
    const abort = () => ended.reject(signal?.reason);
    signal?.addEventListener("abort", abort, { once: true });
    const transaction: Transaction = {
      request,
      server,
      answersFrom,
      startedAt: performance.now(),
      sends: 0,
      sendError: undefined,
      timer: undefined,
      finish: ended.resolve,
    };
    this.#open.set(transactionId, transaction);
    this.#transmit(transaction);
    try {
      return await ended.promise;
    } finally {
      clearTimeout(transaction.timer);
      signal?.removeEventListener("abort", abort);
      this.#open.delete(transactionId);
      this.#remember(transactionId);
    }
  }

  /** Whether the datagram belongs to a transaction of ours, be it an answer or not. */
  handle(bytes: Buffer, from: Endpoint): boolean {
    if (!looksLikeStun(bytes)) return false;
    const transactionId = transactionIdOf(bytes);
    const transaction = this.#open.get(transactionId);
    if (!transaction) {
      const isLate = this.#ended.has(transactionId);
      if (isLate) this.strays.late++;
      return isLate;
    }
    const response = sameEndpoint(from, transaction.answersFrom) ? decodeMessage(bytes) : undefined;
    if (!response || (response.kind !== "success" && response.kind !== "error")) {
      this.strays.forged++;
      return true;
    }
    const isClear = transaction.sends === 1;
    const rttMs = isClear ? performance.now() - transaction.startedAt : null;
    transaction.finish({ response, from, rttMs });
    return true;
  }

  /** Ends what is open, with this sentence as the error. */
  end(error: string): void {
    for (const transaction of this.#open.values()) transaction.finish({ error });
  }

  #transmit(transaction: Transaction): void {
    transaction.sends++;
    this.#send(transaction.request, transaction.server).then(
      () => (transaction.sendError = undefined),
      (error: unknown) => (transaction.sendError = sendingFailed(error, transaction.server)),
    );
    const { sendsAtMs, timeoutMs } = this.#plan;
    const next = sendsAtMs[transaction.sends];
    const dueMs = (next ?? timeoutMs) - (performance.now() - transaction.startedAt);
    transaction.timer = setTimeout(
      () => (next === undefined ? this.#giveUp(transaction) : this.#transmit(transaction)),
      Math.max(0, dueMs),
    );
  }

  #giveUp(transaction: Transaction): void {
    const { sendError, server } = transaction;
    const silence = `${formatEndpoint(server)} did not answer within ${this.#plan.timeoutMs / 1000} s`;
    transaction.finish({ error: sendError ?? silence });
  }

  #remember(transactionId: TransactionId): void {
    this.#ended.add(transactionId);
    const [oldest] = this.#ended;
    if (this.#ended.size > REMEMBERED && oldest !== undefined) this.#ended.delete(oldest);
  }
}

function sendingFailed(error: unknown, server: Endpoint): string {
  return `Nothing can be sent to ${formatEndpoint(server)}: ${describeSystemError(error)}`;
}
