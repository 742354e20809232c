import { Slots, type Reservation } from "../../probe/slots.ts";
import { Attempts } from "../../shared/attempts.ts";
import { toCallerKey } from "../../shared/caller-key.ts";
import type { Clock } from "../lib/clock.ts";
import { AppError } from "../lib/errors.ts";

/** 30 checks a minute for one caller; a batch counts as its nodes. */
const PER_CALLER = { burst: 30, intervalMs: 2_000 } as const;

/** When checks that wait now will have come to an end, about. */
const BUSY_SECONDS = 5;

/** How many checks may be asked for, and how many run at once. */
export class CheckLimits {
  readonly #slots: Slots;
  /** Undefined while the limits per caller are lifted. */
  readonly #attempts: Attempts | undefined;

  constructor(slots: Slots, rateLimit: boolean, clock: Clock) {
    this.#slots = slots;
    this.#attempts = rateLimit ? new Attempts(clock, PER_CALLER) : undefined;
  }

  /**
   * Places for as many checks, which the caller must release. Refused checks do not count.
   * @throws AppError rate_limited
   */
  reserve(address: string, count: number): Reservation {
    const caller = toCallerKey(address);
    const waitMs = this.#attempts?.waitMs(caller, count) ?? 0;
    if (waitMs > 0) throw tooMany("Only 30 checks a minute are done for one caller", waitMs / 1000);
    const reservation = this.#slots.reserve(count);
    if (!reservation) throw tooMany("Too many checks are under way", BUSY_SECONDS);
    this.#attempts?.take(caller, count);
    return reservation;
  }
}

function tooMany(sentence: string, waitSeconds: number): AppError {
  const retryAfterSeconds = Math.ceil(waitSeconds);
  return new AppError("rate_limited", `${sentence}; try again in ${retryAfterSeconds} s`, {
    retryAfterSeconds,
  });
}
