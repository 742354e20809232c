import { setTimeout as sleep } from "node:timers/promises";
import type { Clock } from "../lib/clock.ts";
import type { Part } from "../lib/lifecycle.ts";
import type { Logger } from "../lib/logger.ts";
import { PeriodicWorker } from "../lib/worker.ts";
import { BrokenOff, INTERRUPTED, type AttemptResult } from "./attempt.ts";
import type { Claim, Claims } from "./claims.ts";
import { Places } from "./places.ts";
import type { RunRecord } from "./run-record.ts";
import type { Ended, Settler } from "./settler.ts";

export interface DispatcherParts {
  claims: Claims;
  settler: Settler;
  /** Never rejects. */
  attempt: (claim: Claim, signal: AbortSignal) => Promise<AttemptResult>;
  clock: Clock;
  logger: Logger;
  leaseMs: number;
  options?: Partial<DispatcherOptions>;
}

export interface DispatcherOptions {
  /** Tries at once, of targets that answer. */
  quickPlaces: number;
  /** Tries at once, those that wait for a slow target included. */
  places: number;
  /** What other instances have stored is found after this time. */
  pollMs: number;
  /** How long a stop waits for tries that are under way. */
  drainMs: number;
}

const defaults: DispatcherOptions = {
  quickPlaces: 128,
  places: 1024,
  pollMs: 2_000,
  drainMs: 2_500,
};
/** What a storage that hangs may take of the time that the whole service has to stop. */
const LAST_SETTLING_MS = 1_500;
const AFTER_FAILURE_MS = 1_000;
/** In as many rounds all places are taken anew where many runs wait. */
const ROUNDS = 4;

/** A try that is under way, or whose end is not stored yet. */
interface Active {
  run: RunRecord;
  abort: AbortController;
  isOver: boolean;
  settled: PromiseWithResolvers<void>;
}

/**
 * Takes up runs that are due and tries them: runs of different tasks side by side, those of one task
 * one after the other. Woken when runs have been stored, and by time.
 */
export class Dispatcher implements Part {
  readonly name = "callbacks";
  readonly #parts: DispatcherParts;
  readonly #options: DispatcherOptions;
  readonly #places: Places;
  readonly #active = new Map<number, Active>();
  readonly #tries = new Set<Promise<void>>();
  readonly #renewing: PeriodicWorker;
  #timer: NodeJS.Timeout | undefined;
  #isWanted = false;
  /** Where many runs wait, they are taken up in larger numbers. */
  #leastRoom = 1;
  #pumping: Promise<void> | undefined;
  #isRunning = false;
  #isAway = false;

  constructor(parts: DispatcherParts) {
    this.#parts = parts;
    this.#options = { ...defaults, ...parts.options };
    const { quickPlaces, places } = this.#options;
    this.#places = new Places(quickPlaces, places, () => this.wake());
    const { leaseMs, logger } = parts;
    this.#renewing = new PeriodicWorker("leases", leaseMs / 3, () => this.renew(), logger);
  }

  /** Tries that are under way. */
  get active(): number {
    return this.#places.taken;
  }

  async start(): Promise<void> {
    await this.#parts.claims.recover();
    this.#isRunning = true;
    this.#renewing.start();
    this.wake();
  }

  /** There may be something to do. */
  wake(): void {
    if (!this.#isRunning) return;
    this.#isWanted = true;
    this.#pumping ??= this.#pump().finally(() => {
      this.#pumping = undefined;
      if (this.#isWanted && this.#places.free >= this.#leastRoom) this.wake();
    });
  }

  /** Breaks a run off, if it is tried here. Resolves when its end is stored. */
  async cancel(runId: number): Promise<void> {
    const active = this.#active.get(runId);
    active?.abort.abort(new BrokenOff("cancel"));
    await active?.settled.promise;
  }

  /** Resolves when nothing is under way and nothing was due when last looked. */
  async idle(): Promise<void> {
    while (this.#pumping !== undefined || this.#tries.size > 0 || this.#active.size > 0) {
      await this.#pumping;
      await Promise.all(this.#tries);
      await this.#parts.settler.idle();
    }
  }

  /** Keeps what is under way ours, and breaks off what is not any more. */
  async renew(): Promise<void> {
    const { claims, settler } = this.#parts;
    const ids = [...this.#active.keys()];
    const renewed = await settler.inTurn(() => claims.renew(ids));
    const ours = new Map(renewed.map((each) => [each.id, each.cancelRequested]));
    for (const id of ids) {
      const active = this.#active.get(id);
      if (!active || active.isOver) continue;
      // Somebody wants it to end, or it is no longer ours.
      if (ours.get(id) !== false) active.abort.abort(new BrokenOff("cancel"));
    }
  }

  /** Lets what is under way end for a while; the rest stays queued. May be called twice. */
  async stop(): Promise<void> {
    if (!this.#isRunning) return;
    this.#isRunning = false;
    clearTimeout(this.#timer);
    await inTime(this.#options.drainMs, this.#drained());
    for (const { abort } of this.#active.values()) abort.abort(new BrokenOff("stop"));
    const settled = this.#drained().then(() => this.#parts.settler.idle());
    await inTime(LAST_SETTLING_MS, Promise.all([settled, this.#renewing.stop()]));
  }

  async #drained(): Promise<void> {
    await this.#pumping;
    await Promise.all(this.#tries);
  }

  /** Called when the ends of tries are stored. */
  settled(ended: readonly Ended[]): void {
    for (const { run } of ended) {
      const active = this.#active.get(run.id);
      if (active?.run !== run) continue;
      this.#active.delete(run.id);
      active.settled.resolve();
    }
    // The next run of the same task may go now.
    this.wake();
  }

  async #pump(): Promise<void> {
    while (this.#isRunning && this.#isWanted && this.#places.free >= this.#leastRoom) {
      this.#isWanted = false;
      try {
        const room = this.#places.free;
        const { claims, ended } = await this.#parts.claims.take(room, (id) => this.#active.has(id));
        for (const claim of claims) this.#begin(claim);
        this.#noteBack();
        const isMore = claims.length === room;
        this.#leastRoom = isMore ? this.#options.quickPlaces / ROUNDS : 1;
        if (isMore) this.#wakeIn(this.#options.pollMs);
        if (ended > 0 || isMore) this.#isWanted = true;
        else if (!this.#isWanted) await this.#sleepUntilDue();
      } catch (error) {
        this.#noteAway(error);
        this.#wakeIn(AFTER_FAILURE_MS);
        return;
      }
    }
  }

  #begin(claim: Claim): void {
    const active: Active = {
      run: claim.run,
      abort: new AbortController(),
      isOver: false,
      settled: Promise.withResolvers(),
    };
    this.#active.set(claim.run.id, active);
    const trial = this.#try(claim, active).finally(() => this.#tries.delete(trial));
    this.#tries.add(trial);
  }

  async #try(claim: Claim, active: Active): Promise<void> {
    const place = this.#places.take();
    const result = this.#isRunning
      ? await this.#parts.attempt(claim, active.abort.signal)
      : givenBack(claim.run, this.#parts.clock.now());
    active.isOver = true;
    this.#parts.settler.add(claim.run, result);
    place.giveBack();
  }

  async #sleepUntilDue(): Promise<void> {
    const due = await this.#parts.claims.nextDue();
    const now = this.#parts.clock.now();
    this.#wakeIn(due === undefined ? this.#options.pollMs : Math.max(0, due - now));
  }

  #wakeIn(ms: number): void {
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => this.#look(), Math.min(ms, this.#options.pollMs));
    this.#timer.unref();
  }

  #look(): void {
    this.#leastRoom = 1;
    this.wake();
  }

  #noteAway(error: unknown): void {
    if (this.#isAway) return;
    this.#isAway = true;
    this.#parts.logger.warn({ err: error }, "callback runs wait for the database");
  }

  #noteBack(): void {
    if (!this.#isAway) return;
    this.#isAway = false;
    this.#parts.logger.info("callback runs are taken up again");
  }
}

/** Waits for `work`, but not for longer than that. */
async function inTime(limitMs: number, work: Promise<unknown>): Promise<void> {
  await Promise.race([work, sleep(limitMs, undefined, { ref: false })]);
}

/** A try that never began. */
function givenBack(run: RunRecord, now: number): AttemptResult {
  return {
    end: { kind: "given back" },
    record: {
      number: run.attempts,
      stages: [],
      errorClass: "interrupted",
      error: INTERRUPTED,
      startedAt: now,
      durationMs: 0,
    },
    httpStatus: null,
    responseBody: null,
    error: null,
  };
}
