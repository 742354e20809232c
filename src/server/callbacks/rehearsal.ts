import type { TestAnswer } from "../../shared/api/callbacks.ts";
import type { Clock } from "../lib/clock.ts";
import { AppError } from "../lib/errors.ts";
import type { Exchange } from "../lib/exchange.ts";
import type { OutgoingHttp } from "../lib/outgoing-http.ts";
import { SealError } from "../lib/sealed-box.ts";
import type { AccountRecord } from "./account.ts";
import type { AccountConfigs } from "./account-configs.ts";
import type { Action, ActionInput, DryRun } from "./actions/action.ts";
import type { Mapping } from "./change.ts";
import { classify } from "./classification.ts";
import { toTemplateValues, type Occasion } from "./template-values.ts";

export interface RehearsalParts {
  configs: AccountConfigs;
  http: Pick<OutgoingHttp, "exchange">;
  clock: Clock;
}

/** A person waits for it. */
const LIMIT_MS = 45_000;

/** Runs that change nothing at the target and leave no history. */
export class Rehearsal {
  readonly #parts: RehearsalParts;

  constructor(parts: RehearsalParts) {
    this.#parts = parts;
  }

  async test(account: AccountRecord, occasion: Occasion): Promise<TestAnswer> {
    try {
      const { result, exchange } = await this.#rehearse(account, occasion, (action, input) =>
        action.test(input),
      );
      const { ok, message, details } = result;
      return {
        ok,
        message: exchange.redact(message),
        ...(details === undefined ? {} : { details: redacted(exchange, details) }),
      };
    } catch (error) {
      return { ok: false, message: sentenceOf(error) };
    }
  }

  /**
   * @param held what the target holds, as far as is known
   * @throws AppError conflict when the target cannot be read
   */
  async dryRun(account: AccountRecord, occasion: Occasion, held: Mapping | null): Promise<DryRun> {
    try {
      const { result, exchange } = await this.#rehearse(account, occasion, (action, input) =>
        action.dryRun({ ...input, previous: held }),
      );
      const { changed, before, after } = result;
      return {
        changed,
        before: redacted(exchange, before),
        after: redacted(exchange, after),
      };
    } catch (error) {
      throw new AppError("conflict", `Nothing can be said: ${sentenceOf(error)}`);
    }
  }

  async #rehearse<T>(
    account: AccountRecord,
    occasion: Occasion,
    work: (action: Action, input: ActionInput) => Promise<T>,
  ): Promise<{ result: T; exchange: Exchange }> {
    const { configs, http, clock } = this.#parts;
    const { action, config, secrets } = configs.open(account);
    const exchange = http.exchange(secrets, AbortSignal.timeout(LIMIT_MS));
    const input: ActionInput = {
      config,
      mapping: occasion.mapping,
      previous: occasion.previous,
      values: toTemplateValues(occasion),
      exchange,
      run: { id: 0, attempt: 1 },
      now: () => clock.now(),
    };
    try {
      return { result: await work(action, input), exchange };
    } catch (error) {
      const failure = classify(error);
      throw failure ? new Failed(exchange.redact(failure.message)) : error;
    }
  }
}

/** What the target did; the message is a sentence without secrets. */
class Failed extends Error {}

/** @throws what is no failure of the target */
function sentenceOf(error: unknown): string {
  if (error instanceof Failed || error instanceof SealError) return error.message;
  if (error instanceof DOMException && error.name === "TimeoutError") {
    return `There was no result in ${LIMIT_MS / 1000} s`;
  }
  throw error;
}

function redacted(exchange: Exchange, value: unknown): unknown {
  const text = JSON.stringify(value);
  return text === undefined ? null : JSON.parse(exchange.redact(text));
}
