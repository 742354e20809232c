import { Attempts } from "../../shared/attempts.ts";
import { toCallerKey } from "../../shared/caller-key.ts";
import type { Clock } from "../lib/clock.ts";
import { AppError, tooManyAttempts } from "../lib/errors.ts";
import { hashToken, sameHash } from "../lib/tokens.ts";

/** Wrong keys per caller. */
const GUESSES = { burst: 30, intervalMs: 2_000 } as const;

/** Who may call the check endpoints. */
export class CheckAccess {
  /** Of the key; undefined: everybody may call. */
  readonly #keyHash: Buffer | undefined;
  readonly #guesses: Attempts | undefined;

  constructor(apiKey: string | undefined, rateLimit: boolean, clock: Clock) {
    this.#keyHash = apiKey === undefined ? undefined : hashToken(apiKey);
    this.#guesses = rateLimit ? new Attempts(clock, GUESSES) : undefined;
  }

  /**
   * Takes as long for a wrong key as for the right one. After too many wrong ones the right one is
   * refused as well, or guessing could go on.
   * @throws AppError unauthorized, rate_limited
   */
  admit(key: string | undefined, address: string): void {
    if (this.#keyHash === undefined) return;
    const caller = toCallerKey(address);
    const waitMs = this.#guesses?.waitMs(caller) ?? 0;
    if (waitMs > 0) throw tooManyAttempts(waitMs);
    if (sameHash(hashToken(key ?? ""), this.#keyHash)) return;
    if (key) this.#guesses?.take(caller);
    throw new AppError(
      "unauthorized",
      key
        ? "The key in X-API-Key is wrong"
        : "Send the key of the online checks in the header X-API-Key",
    );
  }
}
