import { Attempts } from "../../shared/attempts.ts";
import { toCallerKey } from "../../shared/caller-key.ts";
import { MINUTE_MS, type Clock } from "../lib/clock.ts";
import { tooManyAttempts } from "../lib/errors.ts";

interface Counted {
  attempts: Attempts;
  key: string;
}

const TRUSTED_KEPT = 20_000;

/**
 * How often strangers may try. Every attempt counts alike whether the address has an account or
 * not, so a refusal tells nothing about that.
 *
 * The strict limits are per address and caller together, and per caller; the looser one per
 * address alone stops guessing from many places, and does not hold for callers that have logged in
 * to the address before, so that a stranger cannot lock its owner out.
 */
export class AccountLimits {
  readonly #enabled: boolean;
  readonly #logInPairs: Attempts;
  readonly #logInCallers: Attempts;
  readonly #logInAddresses: Attempts;
  readonly #registrations: Attempts;
  readonly #mailPairs: Attempts;
  readonly #mailCallers: Attempts;
  readonly #mailAddresses: Attempts;
  /** Pairs of address and caller, the one that logged in most recently last. */
  readonly #trusted = new Set<string>();

  constructor(clock: Clock, enabled: boolean) {
    this.#enabled = enabled;
    this.#logInPairs = new Attempts(clock, { burst: 10, intervalMs: MINUTE_MS });
    this.#logInCallers = new Attempts(clock, { burst: 50, intervalMs: 10_000 });
    this.#logInAddresses = new Attempts(clock, { burst: 100, intervalMs: 6_000 });
    this.#registrations = new Attempts(clock, { burst: 100, intervalMs: 30_000 });
    this.#mailPairs = new Attempts(clock, { burst: 5, intervalMs: 5 * MINUTE_MS });
    this.#mailCallers = new Attempts(clock, { burst: 30, intervalMs: MINUTE_MS });
    this.#mailAddresses = new Attempts(clock, { burst: 10, intervalMs: 10 * MINUTE_MS });
  }

  /**
   * Counts an attempt at a password before it is checked, so that attempts at one moment count too.
   * @returns what to call when the password was right: the attempt counts no more
   * @throws AppError rate_limited
   */
  tryPassword(emailKey: string, address: string): () => void {
    const caller = toCallerKey(address);
    const pair = pairOf(emailKey, caller);
    const counted = [
      { attempts: this.#logInPairs, key: pair },
      { attempts: this.#logInCallers, key: caller },
    ];
    if (!this.#trusted.has(pair)) {
      counted.push({ attempts: this.#logInAddresses, key: emailKey });
    }
    this.#take(counted);
    return () => {
      for (const { attempts, key } of counted) attempts.giveBack(key);
      this.#trust(pair);
    };
  }

  /** @throws AppError rate_limited */
  register(address: string): void {
    this.#take([{ attempts: this.#registrations, key: toCallerKey(address) }]);
  }

  /**
   * Asking for a mail to an address.
   * @throws AppError rate_limited
   */
  askForMail(emailKey: string, address: string): void {
    const caller = toCallerKey(address);
    this.#take([
      { attempts: this.#mailPairs, key: pairOf(emailKey, caller) },
      { attempts: this.#mailCallers, key: caller },
    ]);
  }

  /** Whether one more mail to the address is no nuisance to its owner; counts it when it is not. */
  mayMail(emailKey: string): boolean {
    if (!this.#enabled) return true;
    if (this.#mailAddresses.waitMs(emailKey) > 0) return false;
    this.#mailAddresses.take(emailKey);
    return true;
  }

  #take(counted: readonly Counted[]): void {
    if (!this.#enabled) return;
    const waitMs = Math.max(...counted.map(({ attempts, key }) => attempts.waitMs(key)));
    if (waitMs > 0) throw tooManyAttempts(waitMs);
    for (const { attempts, key } of counted) attempts.take(key);
  }

  #trust(pair: string): void {
    this.#trusted.delete(pair);
    this.#trusted.add(pair);
    const [oldest] = this.#trusted;
    if (this.#trusted.size > TRUSTED_KEPT && oldest !== undefined) this.#trusted.delete(oldest);
  }
}

function pairOf(emailKey: string, caller: string): string {
  return `${emailKey}\n${caller}`;
}
