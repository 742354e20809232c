import { sameEndpoint } from "./endpoint.ts";
import type { Observation } from "./observation.ts";
import type { ObservationStore, RuleObservation } from "./observation-store.ts";
import type { Logger } from "../lib/logger.ts";

/** Repetitions of the same are kept so often, all rules together: 6 million of a week. */
const REPETITIONS_PER_SECOND = 10;
const ROWS_AT_ONCE = 200;
/** What may wait for the storage. */
const MOST_WAITING = 20_000;

export interface ObservationWriterParts {
  store: Pick<ObservationStore, "add">;
  /** How many rules are watched. */
  ruleCount: () => number;
  /** Tells failures of the storage that may pass from defects. */
  isUnavailable: (error: unknown) => boolean;
  logger: Logger;
}

/**
 * Brings what probes show to the storage, now and then. Whatever is new is kept; of the same answer
 * of the same server again and again the more, the fewer rules there are.
 */
export class ObservationWriter {
  readonly #parts: ObservationWriterParts;
  /** What each server said last, of what was kept, by rule. */
  readonly #last = new Map<number, Map<string, Observation>>();
  #waiting: RuleObservation[] = [];
  #lost = 0;
  #isAway = false;
  #lastFlush: Promise<void> = Promise.resolve();

  constructor(parts: ObservationWriterParts) {
    this.#parts = parts;
  }

  note(ruleId: number, observation: Observation): void {
    const said = this.#last.get(ruleId) ?? new Map<string, Observation>();
    const last = said.get(observation.server);
    if (last && this.#isRepetition(last, observation)) return;
    said.set(observation.server, observation);
    this.#last.set(ruleId, said);
    if (this.#waiting.length >= MOST_WAITING) this.#lost++;
    else this.#waiting.push({ ruleId, ...observation });
  }

  forget(ruleId: number): void {
    this.#last.delete(ruleId);
  }

  /** One after the other. Never rejects. */
  flush(): Promise<void> {
    this.#lastFlush = this.#lastFlush.then(() => this.#flush());
    return this.#lastFlush;
  }

  #isRepetition(last: Observation, { at, mapped, error }: Observation): boolean {
    const isSame = mapped && last.mapped ? sameEndpoint(mapped, last.mapped) : error === last.error;
    // After a jump of the clock backwards everything counts as new.
    const ageMs = Math.abs(at - last.at);
    return isSame && ageMs * REPETITIONS_PER_SECOND < this.#parts.ruleCount() * 1000;
  }

  async #flush(): Promise<void> {
    const { store, isUnavailable, logger } = this.#parts;
    while (this.#waiting.length > 0) {
      const batch = this.#waiting.slice(0, ROWS_AT_ONCE);
      try {
        await store.add(batch);
      } catch (error) {
        if (isUnavailable(error)) {
          if (!this.#isAway) logger.warn({ err: error }, "observations wait for the database");
          this.#isAway = true;
          return;
        }
        logger.error({ err: error }, "observations are lost: they could not be written");
      }
      this.#waiting = this.#waiting.slice(batch.length);
    }
    if (!this.#isAway) return;
    this.#isAway = false;
    logger.info({ lost: this.#lost }, "observations are written again");
  }
}
