import { HOUR_MS } from "../lib/clock.ts";

/** What happened to a node's clients between two of its reports. */
export interface ClientChange {
  before: number;
  after: number;
  /** Answers that named the node in between, less those that would have left again. */
  asked: number;
  elapsedMs: number;
  at: number;
}

const MEMORY_MS = 4 * HOUR_MS;
const FIRST_PICK_UP = 1;
const FIRST_LEAVING = 2;
/** How much evidence the first guesses count as: a few reports of a busy node. */
const PICK_UP_WEIGHT = 50;
const LEAVING_WEIGHT = 5;
/** Standard deviations beyond which a change has another cause than chance. */
const OUTLIER = 4;

/**
 * Learns from reports which part of our answers become clients (`pickUp`) and how long clients
 * stay, by weighted least squares on: clients after = clients before − left + pickUp · asked.
 *
 * Instances that share nothing and clients that come without asking need no model of their own:
 * what they send goes where we send, so it appears as a larger pick-up and a longer stay.
 */
export class ClientModel {
  pickUp = FIRST_PICK_UP;
  stayMs = HOUR_MS / FIRST_LEAVING;
  #at = 0;
  // Sums over products of the two regressors, asked and leaving, and of both with the outcome.
  #askedAsked = 0;
  #askedLeaving = 0;
  #leavingLeaving = 0;
  #askedOutcome = 0;
  #leavingOutcome = 0;

  learn(change: ClientChange): void {
    const { before, asked, at } = change;
    const hours = change.elapsedMs / HOUR_MS;
    const perHour = HOUR_MS / this.stayMs;
    const staying = before * Math.exp(-hours * perHour);
    const joined = this.pickUp * asked;
    // Arrivals and departures are chance: their variance is their number.
    const variance = 1 + joined + (before - staying);
    const bound = OUTLIER * Math.sqrt(variance);
    const surprise = Math.min(bound, Math.max(-bound, change.after - staying - joined));
    const leaving = -hours * (staying + joined / 2);
    this.#forget(at);
    const outcome = (surprise + joined + perHour * leaving) / variance;
    this.#askedAsked += (asked * asked) / variance;
    this.#askedLeaving += (asked * leaving) / variance;
    this.#leavingLeaving += (leaving * leaving) / variance;
    this.#askedOutcome += asked * outcome;
    this.#leavingOutcome += leaving * outcome;
  }

  /** Adopts what has been learnt. */
  update(): void {
    const aa = this.#askedAsked + PICK_UP_WEIGHT;
    const al = this.#askedLeaving;
    const ll = this.#leavingLeaving + LEAVING_WEIGHT;
    const ao = this.#askedOutcome + PICK_UP_WEIGHT * FIRST_PICK_UP;
    const lo = this.#leavingOutcome + LEAVING_WEIGHT * FIRST_LEAVING;
    const determinant = aa * ll - al * al;
    this.pickUp = Math.min(5, Math.max(0.05, (ao * ll - al * lo) / determinant));
    const perHour = Math.min(60, Math.max(1 / 12, (aa * lo - al * ao) / determinant));
    this.stayMs = HOUR_MS / perHour;
  }

  #forget(now: number): void {
    const kept = this.#at === 0 ? 0 : Math.exp(Math.min(0, this.#at - now) / MEMORY_MS);
    this.#at = now;
    this.#askedAsked *= kept;
    this.#askedLeaving *= kept;
    this.#leavingLeaving *= kept;
    this.#askedOutcome *= kept;
    this.#leavingOutcome *= kept;
  }
}
