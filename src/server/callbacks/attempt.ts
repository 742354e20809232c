import { SealError } from "../lib/sealed-box.ts";
import type { Clock } from "../lib/clock.ts";
import type { Exchange } from "../lib/exchange.ts";
import type { Logger } from "../lib/logger.ts";
import type { OutgoingHttp } from "../lib/outgoing-http.ts";
import type { AccountConfigs } from "./account-configs.ts";
import { ActionError, type ActionOutcome } from "./actions/action.ts";
import { toStoredText, type AttemptRecord } from "./attempt-record.ts";
import type { Claim } from "./claims.ts";
import { classify, type Failure } from "./classification.ts";
import type { AttemptEnd } from "./run.ts";
import { toTemplateValues } from "./template-values.ts";

/** What a try says that was cut off by the end of the process. */
export const INTERRUPTED =
  "The service ended while this was under way; whether it reached the target is not known";
const BROKEN_OFF =
  "It was broken off while it was under way; whether it reached the target is not known";

/** Why a try is broken off: the reason of its signal. */
export class BrokenOff extends Error {
  constructor(by: "cancel" | "stop") {
    super(by === "stop" ? INTERRUPTED : BROKEN_OFF);
  }
}

/** What came of a try. */
export interface AttemptResult {
  end: AttemptEnd;
  record: AttemptRecord;
  /** Of the last answer. */
  httpStatus: number | null;
  responseBody: string | null;
  error: string | null;
}

export interface AttemptParts {
  configs: AccountConfigs;
  http: Pick<OutgoingHttp, "exchange">;
  clock: Clock;
  /** Milliseconds of a monotonic clock. */
  elapsed: () => number;
  logger: Logger;
}

/** Tries a run once. Never throws. */
export async function attempt(
  parts: AttemptParts,
  claim: Claim,
  signal: AbortSignal,
): Promise<AttemptResult> {
  const { clock, elapsed } = parts;
  const trial = new Trial(claim, clock.now(), elapsed);
  try {
    const outcome = await trial.run(parts, signal);
    return trial.succeeded(outcome);
  } catch (error) {
    if (signal.aborted) return trial.interrupted(signal.reason);
    const failure = toFailure(error);
    if (failure) return trial.failed(failure);
    parts.logger.error({ err: error, run: claim.run.id }, "a callback action failed by a defect");
    return trial.failed(defect);
  }
}

const defect: Failure = {
  kind: "permanent",
  errorClass: "internal",
  message: "A defect of this service; its log says more",
};

function toFailure(error: unknown): Failure | undefined {
  if (!(error instanceof SealError)) return classify(error);
  return { kind: "permanent", errorClass: "sealed", message: error.message };
}

class Trial {
  readonly #claim: Claim;
  readonly #startedAt: number;
  readonly #elapsed: () => number;
  readonly #begun: number;
  #exchange: Exchange | undefined;

  constructor(claim: Claim, startedAt: number, elapsed: () => number) {
    this.#claim = claim;
    this.#startedAt = startedAt;
    this.#elapsed = elapsed;
    this.#begun = elapsed();
  }

  async run({ configs, http, clock }: AttemptParts, signal: AbortSignal): Promise<ActionOutcome> {
    const { run, held, account } = this.#claim;
    if (!account) throw new ActionError("permanent", "no_account", "The account is gone");
    const { action, config, secrets } = configs.open(account);
    const exchange = http.exchange(secrets, signal);
    this.#exchange = exchange;
    const { rule, mapping, previous, event, createdAt } = run;
    return action.run({
      config,
      mapping,
      previous: held,
      values: toTemplateValues({ rule, mapping, previous, event, runId: run.id, at: createdAt }),
      exchange,
      run: { id: run.id, attempt: run.attempts },
      now: () => clock.now(),
    });
  }

  succeeded({ status, note, httpStatus, responseBody }: ActionOutcome): AttemptResult {
    const said = this.#said(httpStatus, responseBody);
    return {
      end: { kind: "done", status },
      record: this.#record(null, null),
      ...said,
      // Where nobody was asked, the reason is all there is to show.
      responseBody: said.responseBody ?? (note === undefined ? null : this.#stored(note)),
      error: null,
    };
  }

  failed(failure: Failure): AttemptResult {
    const { errorClass, message, httpStatus, responseBody } = failure;
    const error = this.#stored(message);
    return {
      end: { kind: "failed", failure },
      record: this.#record(errorClass, error),
      ...this.#said(httpStatus, responseBody),
      error,
    };
  }

  interrupted(reason: unknown): AttemptResult {
    const error = reason instanceof BrokenOff ? reason.message : BROKEN_OFF;
    return {
      end: { kind: "interrupted" },
      record: this.#record("interrupted", error),
      ...this.#said(undefined, undefined),
      error,
    };
  }

  #record(errorClass: string | null, error: string | null): AttemptRecord {
    return {
      number: this.#claim.run.attempts,
      stages: this.#exchange?.records ?? [],
      errorClass,
      error,
      startedAt: this.#startedAt,
      durationMs: Math.max(0, Math.round(this.#elapsed() - this.#begun)),
    };
  }

  /** What the action says was answered, else the last answer on record. */
  #said(httpStatus: number | undefined, responseBody: string | undefined) {
    const last = this.#exchange?.records.findLast((record) => record.response_body !== null);
    const body = responseBody === undefined ? undefined : this.#stored(responseBody);
    return {
      httpStatus: httpStatus ?? last?.status ?? null,
      responseBody: body ?? last?.response_body ?? null,
    };
  }

  #stored(text: string): string {
    return toStoredText(this.#exchange ? this.#exchange.redact(text) : text);
  }
}
