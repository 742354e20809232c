import { HOUR_MS, type Clock } from "../lib/clock.ts";
import type { AppliedReport } from "../nodes/node.ts";
import type { Fleet } from "../nodes/fleet.ts";
import { ClientModel } from "./client-model.ts";

/** The chance that a client takes the first, second, third node of its answer. */
const TAKEN = [0.7, 0.2, 0.1] as const;

/** A loss of more than half of at least so many clients is an outage, not chance. */
const COLLAPSE_FROM = 10;
/** A node that collapses more often is not believed, or a liar could have itself refilled. */
const COLLAPSE_EVERY_MS = HOUR_MS;

/** Far inside what a double's exponent holds. */
const LARGEST_EXPONENT = 200;
const TOLERATED = 1.1;

/**
 * The answers that named each node, from which load is estimated between reports (`pending`:
 * since the node's last one) and against reports that say too little (`own`: whatever they say).
 * Both fade as clients leave.
 *
 * The columns hold answers as of a common moment in the past, grown instead of faded, so that time
 * passing costs one factor for the whole fleet and not a power per node.
 */
export class HandedOut {
  readonly #fleet: Fleet;
  readonly #model = new ClientModel();
  readonly #beganAt: number;
  #stayMs: number;
  #since: number;
  #fadedAt = Number.NaN;
  #faded = 1;

  /** Takes the fleet's reports as evidence from now on. */
  constructor(fleet: Fleet, clock: Clock) {
    this.#fleet = fleet;
    this.#beganAt = this.#since = clock.now();
    this.#stayMs = this.#model.stayMs;
    fleet.reportObserver = (slot, report) => this.#observe(slot, report);
  }

  /** How long a client typically stays. */
  get stayMs(): number {
    return this.#stayMs;
  }

  /** Clients per answer. */
  get pickUp(): number {
    return this.#model.pickUp;
  }

  /** Times the columns `pending` and `own`: clients, as of `now`. */
  clientFactor(now: number): number {
    return this.#model.pickUp * this.#fadeFactor(now);
  }

  /** Counts an answer: its nodes in order, of which the client takes one. */
  add(slots: readonly number[], now: number): void {
    const { pending, own } = this.#fleet.columns;
    const all = slots.length === 1 ? 0.7 : slots.length === 2 ? 0.9 : 1;
    const unit = all * this.#fadeFactor(now);
    for (let at = 0; at < slots.length && at < TAKEN.length; at++) {
      const slot = slots[at] as number;
      const answers = (TAKEN[at] as number) / unit;
      pending[slot] = (pending[slot] as number) + answers;
      own[slot] = (own[slot] as number) + answers;
    }
  }

  /** Adopts what reports have taught since the last time. */
  learn(now: number): void {
    this.#model.update();
    const { stayMs } = this.#model;
    if (stayMs < this.#stayMs * TOLERATED && this.#stayMs < stayMs * TOLERATED) return;
    this.#rebase(now);
    this.#stayMs = stayMs;
    this.#setFade(now);
  }

  #observe(slot: number, report: AppliedReport): void {
    const c = this.#fleet.columns;
    const reportedAt = c.reportedAt[slot] as number;
    // What was handed out before we began, or during an outage, is unknown.
    if (c.online[slot] !== 1 || reportedAt < this.#beganAt || report.at <= reportedAt) return;
    const before = c.connections[slot] as number;
    const after = report.connections;
    if (before >= COLLAPSE_FROM && after < before / 2) {
      this.#collapse(slot, after / before, report.at);
      return;
    }
    // Who never reports a client teaches nothing.
    if (report.status !== "online" || before + after === 0) return;
    const asked = (c.pending[slot] as number) * this.#fadeFactor(report.at);
    this.#model.learn({ before, after, asked, elapsedMs: report.at - reportedAt, at: report.at });
  }

  #collapse(slot: number, remaining: number, at: number): void {
    const c = this.#fleet.columns;
    if (at - (c.collapsedAt[slot] as number) < COLLAPSE_EVERY_MS) return;
    c.collapsedAt[slot] = at;
    c.own[slot] = (c.own[slot] as number) * remaining;
  }

  #fadeFactor(now: number): number {
    if (now !== this.#fadedAt) {
      if (Math.abs(now - this.#since) > LARGEST_EXPONENT * this.#stayMs) this.#rebase(now);
      this.#setFade(now);
    }
    return this.#faded;
  }

  #setFade(now: number): void {
    this.#faded = Math.exp((this.#since - now) / this.#stayMs);
    this.#fadedAt = now;
  }

  /** Brings the columns forward to `now`. */
  #rebase(now: number): void {
    this.#setFade(now);
    const { pending, own } = this.#fleet.columns;
    for (let slot = 0; slot < this.#fleet.end; slot++) {
      pending[slot] = (pending[slot] as number) * this.#faded;
      own[slot] = (own[slot] as number) * this.#faded;
    }
    this.#since = now;
    this.#setFade(now);
  }
}
