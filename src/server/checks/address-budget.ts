import { createHash, randomBytes } from "node:crypto";
import { toCallerKey } from "../../shared/caller-key.ts";
import type { Clock } from "../lib/clock.ts";

/** Connections to one address in an interval, over all nodes. */
const PER_INTERVAL = 64;
/** Far more than addresses share one: then it is not used up by chance. */
const COUNTERS = 1 << 18;

/**
 * Limits how often background checks come to one address, or one IPv6 network, whoever registers
 * however many nodes there: a registry is no tool to scan or to flood somebody.
 */
export class AddressBudget {
  readonly #clock: Clock;
  readonly #intervalMs: number;
  readonly #counts = new Uint8Array(COUNTERS);
  readonly #key = randomBytes(16);
  #interval = 0;

  constructor(clock: Clock, intervalMs: number) {
    this.#clock = clock;
    this.#intervalMs = intervalMs;
  }

  /** @returns false when the address has been dialled often enough */
  take(address: string): boolean {
    const interval = Math.floor(this.#clock.now() / this.#intervalMs);
    if (interval !== this.#interval) this.#counts.fill(0);
    this.#interval = interval;
    const at = this.#counterOf(address);
    const count = this.#counts[at] as number;
    if (count >= PER_INTERVAL) return false;
    this.#counts[at] = count + 1;
    return true;
  }

  /** Keyed, so that nobody can find an address that shares the counter of another. */
  #counterOf(address: string): number {
    const hash = createHash("sha256").update(this.#key).update(toCallerKey(address)).digest();
    return hash.readUInt32LE(0) % COUNTERS;
  }
}
