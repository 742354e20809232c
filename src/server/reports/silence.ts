import { MINUTE_MS, type Clock } from "../lib/clock.ts";
import type { Logger } from "../lib/logger.ts";
import type { Fleet } from "../nodes/fleet.ts";
import { waitBeforeOffline } from "./interval.ts";

/** Fewer silent nodes than this say nothing about the service itself. */
const FEWEST_TO_SUSPECT = 3;
const SHARE_TO_SUSPECT = 0.5;

interface Suspicion {
  since: number;
  /** Reports from this many nodes show that the fault was not, or is no longer, here. */
  enoughHeard: number;
}

/**
 * Declares nodes offline that have missed three reports. When more than half of the online nodes
 * fall silent together, the likelier cause is here (a lost network, a proxy that went away), so
 * the last known state stands until reports flow again. Then the silent ones get a full wait once
 * more, and whoever misses that is offline.
 */
export class SilenceDetector {
  readonly #fleet: Fleet;
  readonly #clock: Clock;
  readonly #logger: Logger;
  #suspicion: Suspicion | undefined;
  /** Slots that were given another wait; a second silence of theirs is believed. */
  readonly #waitedTwice = new Set<number>();
  /** Nodes that were declared offline lately, to see a wave that is spread over several looks. */
  #recent: { at: number; count: number }[] = [];

  constructor(fleet: Fleet, clock: Clock, logger: Logger) {
    this.#fleet = fleet;
    this.#clock = clock;
    this.#logger = logger;
  }

  get suspectsItself(): boolean {
    return this.#suspicion !== undefined;
  }

  /** Gives every online node a full wait from now: nobody could report while we were away. */
  startWatch(): void {
    const { columns, end } = this.#fleet;
    const now = this.#clock.now();
    for (let slot = 0; slot < end; slot++) {
      if (columns.id[slot] === 0 || this.#fleet.statuses[slot] === "offline") continue;
      columns.silentAt[slot] = now + waitBeforeOffline(columns.intervalMs[slot] as number);
    }
  }

  /** @returns the slots that were declared offline */
  look(): number[] {
    const now = this.#clock.now();
    if (this.#suspicion) {
      if (this.#heardSince(this.#suspicion.since) >= this.#suspicion.enoughHeard) this.#resume(now);
      return [];
    }
    const silent = this.#silentSlots(now);
    if (silent.length === 0) return [];
    const believed = silent.filter((slot) => this.#waitedTwice.has(slot));
    const fresh = silent.filter((slot) => !this.#waitedTwice.has(slot));
    if (this.#isWave(fresh, now)) this.#suspect(fresh.length, now);
    else believed.push(...fresh);
    for (const slot of believed) {
      this.#waitedTwice.delete(slot);
      this.#fleet.silence(slot);
    }
    return believed;
  }

  #silentSlots(now: number): number[] {
    const { silentAt } = this.#fleet.columns;
    const slots: number[] = [];
    for (let slot = 0; slot < this.#fleet.end; slot++) {
      if ((silentAt[slot] as number) <= now) slots.push(slot);
    }
    return slots;
  }

  /** Whether this silence and that of the last interval together are more than half of the fleet. */
  #isWave(silent: readonly number[], now: number): boolean {
    const { columns, totals } = this.#fleet;
    let window = MINUTE_MS;
    let online = 0;
    for (const slot of silent) {
      window = Math.max(window, columns.intervalMs[slot] as number);
      online += columns.online[slot] as number;
    }
    this.#recent = this.#recent.filter((each) => now - each.at < window);
    const before = this.#recent.reduce((sum, each) => sum + each.count, 0);
    this.#recent.push({ at: now, count: online });
    const gone = online + before;
    return gone >= FEWEST_TO_SUSPECT && gone > SHARE_TO_SUSPECT * (totals.online + before);
  }

  #suspect(silent: number, now: number): void {
    const { online } = this.#fleet.totals;
    const rest = Math.max(online - silent, 0);
    this.#suspicion = { since: now, enoughHeard: Math.max(1, Math.ceil(rest * SHARE_TO_SUSPECT)) };
    this.#logger.warn(
      { silent, online },
      "most nodes fell silent at once; their last known state is kept until reports flow again",
    );
  }

  #resume(now: number): void {
    const { columns } = this.#fleet;
    for (const slot of this.#silentSlots(now)) {
      columns.silentAt[slot] = now + waitBeforeOffline(columns.intervalMs[slot] as number);
      this.#waitedTwice.add(slot);
    }
    this.#suspicion = undefined;
    this.#recent = [];
    this.#logger.info("reports flow again");
  }

  #heardSince(since: number): number {
    const { reportedAt } = this.#fleet.columns;
    let heard = 0;
    for (let slot = 0; slot < this.#fleet.end; slot++) {
      if ((reportedAt[slot] as number) > since) heard++;
    }
    return heard;
  }
}
