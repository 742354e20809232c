import type { DomainTestAnswer } from "../../shared/api/domains.ts";
import { ExchangeError } from "../lib/exchange-error.ts";
import type { Exchange } from "../lib/exchange.ts";
import type { OutgoingHttp } from "../lib/outgoing-http.ts";
import { ProviderError } from "../lib/provider-error.ts";
import type { Publisher } from "./publisher.ts";

/** A person waits for it. */
const LIMIT_MS = 45_000;

/** Looks whether an account can be used, without a write. */
export class AccountTest {
  readonly #publisher: Publisher;
  readonly #http: Pick<OutgoingHttp, "exchange">;

  constructor(publisher: Publisher, http: Pick<OutgoingHttp, "exchange">) {
    this.#publisher = publisher;
    this.#http = http;
  }

  async run(accountId: number): Promise<DomainTestAnswer> {
    const exchange = this.#http.exchange([], AbortSignal.timeout(LIMIT_MS));
    try {
      return await this.#publisher.test(accountId, exchange);
    } catch (error) {
      return { ok: false, ...findingOf(error, exchange) };
    }
  }
}

/** @throws what is no failure of the provider */
function findingOf(error: unknown, exchange: Exchange): Omit<DomainTestAnswer, "ok"> {
  if (error instanceof ProviderError) {
    const { errorClass, httpStatus = null } = error;
    const details = { error_class: errorClass, http_status: httpStatus };
    return { message: exchange.redact(error.message), details };
  }
  if (error instanceof ExchangeError) {
    return { message: exchange.redact(error.message), details: { error_class: error.kind } };
  }
  if (error instanceof DOMException && error.name === "TimeoutError") {
    return { message: `There was no result in ${LIMIT_MS / 1000} s` };
  }
  throw error;
}
