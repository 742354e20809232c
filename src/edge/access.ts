import { Attempts } from "../shared/attempts.ts";
import { isKey } from "./api-key.ts";
import { Refusal, tooMany } from "./refusal.ts";

/** 30 checks a minute for one caller; a batch counts as its nodes. The same for wrong keys. */
const PER_CALLER = { burst: 30, intervalMs: 2_000 } as const;

export interface AccessSettings {
  /** Undefined: everybody may call. */
  apiKey: string | undefined;
  /** Whether the limits per caller hold. */
  rateLimit: boolean;
}

/** Who may call, and how often. */
export class Access {
  readonly #apiKey: string | undefined;
  readonly #guesses: Attempts | undefined;
  readonly #checks: Attempts | undefined;

  constructor({ apiKey, rateLimit }: AccessSettings, clock: { now(): number }) {
    this.#apiKey = apiKey;
    this.#guesses = rateLimit ? new Attempts(clock, PER_CALLER) : undefined;
    this.#checks = rateLimit ? new Attempts(clock, PER_CALLER) : undefined;
  }

  /**
   * After too many wrong keys the right one is refused as well, or guessing could go on.
   * @throws Refusal unauthorized, rate_limited
   */
  async admit(word: string | null, caller: string): Promise<void> {
    if (this.#apiKey === undefined) return;
    const waitMs = this.#guesses?.waitMs(caller) ?? 0;
    if (waitMs > 0) throw tooMany("Too many attempts", waitMs / 1000);
    if (await isKey(word ?? "", this.#apiKey)) return;
    if (word) this.#guesses?.take(caller);
    throw new Refusal(
      "unauthorized",
      word
        ? "The key in X-API-Key is wrong"
        : "Send the key of the online checks in the header X-API-Key",
      { headers: { "www-authenticate": "ApiKey" } },
    );
  }

  /**
   * Whether the caller may have so many checks now; they count with `count`.
   * @throws Refusal rate_limited
   */
  refuseExcess(caller: string, checks: number): void {
    const waitMs = this.#checks?.waitMs(caller, checks) ?? 0;
    if (waitMs > 0) throw tooMany("Only 30 checks a minute are done for one caller", waitMs / 1000);
  }

  count(caller: string, checks: number): void {
    this.#checks?.take(caller, checks);
  }
}
