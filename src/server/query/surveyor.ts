import type { Fleet } from "../nodes/fleet.ts";
import type { HandedOut } from "./handed-out.ts";
import { surveyFleet, type Survey } from "./survey.ts";

const LONGEST_AGE_MS = 5000;

/** Keeps the survey of the fleet fresh, and what is learnt at that pace. */
export class Surveyor {
  readonly #fleet: Fleet;
  readonly #handedOut: HandedOut;
  #survey: Survey | undefined;
  #takenAt = 0;
  #onlineThen = 0;

  constructor(fleet: Fleet, handedOut: HandedOut) {
    this.#fleet = fleet;
    this.#handedOut = handedOut;
  }

  survey(now: number): Survey {
    const age = now - this.#takenAt;
    const { online } = this.#fleet.totals;
    const resized = Math.abs(online - this.#onlineThen) * 10 > this.#onlineThen;
    if (this.#survey && age >= 0 && age < LONGEST_AGE_MS && !resized) return this.#survey;
    const { columns, end } = this.#fleet;
    this.#survey = surveyFleet(columns, end, now);
    this.#takenAt = now;
    this.#onlineThen = online;
    this.#handedOut.learn(now);
    return this.#survey;
  }
}
