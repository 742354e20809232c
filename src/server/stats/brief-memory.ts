import type { Clock } from "../lib/clock.ts";

/** Answers that are worked out once for all who ask within a short time. */
export class BriefMemory<Answer> {
  readonly #clock: Clock;
  readonly #keptMs: number;
  readonly #size: number;
  readonly #answers = new Map<string, { at: number; answer: Promise<Answer> }>();

  /** @param size how many answers are kept; the oldest is forgotten for a new one */
  constructor(clock: Clock, keptMs: number, size: number) {
    this.#clock = clock;
    this.#keptMs = keptMs;
    this.#size = size;
  }

  /** A failure is told to those who wait for it, and then forgotten. */
  get(key: string, work: () => Promise<Answer>): Promise<Answer> {
    const now = this.#clock.now();
    const known = this.#answers.get(key);
    if (known && now >= known.at && now < known.at + this.#keptMs) return known.answer;
    const entry = { at: now, answer: work() };
    this.#answers.delete(key);
    this.#answers.set(key, entry);
    if (this.#answers.size > this.#size) {
      const [oldest] = this.#answers.keys();
      if (oldest !== undefined) this.#answers.delete(oldest);
    }
    entry.answer.catch(() => {
      if (this.#answers.get(key) === entry) this.#answers.delete(key);
    });
    return entry.answer;
  }
}
