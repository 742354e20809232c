import { setTimeout as sleep } from "node:timers/promises";
import type { Database, Db } from "../database/database.ts";
import type { Chance } from "../lib/chance.ts";
import type { Clock } from "../lib/clock.ts";
import type { Logger } from "../lib/logger.ts";
import { noteEnds } from "./alert-store.ts";
import type { AttemptResult } from "./attempt.ts";
import { toAttemptRow } from "./attempt-record.ts";
import { newestRuns } from "./claim-store.ts";
import { OUTDATED } from "./outbox.ts";
import { stateOf, type RunRecord } from "./run-record.ts";
import { insertAttempts } from "./run-store.ts";
import { afterAttempt } from "./run.ts";
import { endOlder, lockOwn, settleRuns, type Settlement } from "./settle-store.ts";

export interface SettlerParts {
  database: Database;
  clock: Clock;
  chance: Chance;
  owner: string;
  logger: Logger;
  /** These runs are stored as they ended, or are no longer ours. */
  onSettled(ended: readonly Ended[]): void;
}

export interface Ended {
  run: RunRecord;
  result: AttemptResult;
  /** What became of it; undefined: it was no longer ours. */
  status: Settlement["next"]["status"] | undefined;
}

interface Pending {
  run: RunRecord;
  result: AttemptResult;
}

/** A report of a node that arrives meanwhile waits for no more than these. */
const RUNS_AT_ONCE = 128;
const PAUSE_MS = 500;
/** What ends at about the same time is stored together. */
const GATHERED_FOR_MS = 2;

/**
 * Brings what came of tries to the storage: what ends while one batch is being written forms the
 * next. Tries until it succeeds, and only for runs that are still ours.
 */
export class Settler {
  readonly #parts: SettlerParts;
  #pending: Pending[] = [];
  #writing: Promise<void> | undefined;
  #turn: Promise<unknown> = Promise.resolve();
  #isAway = false;

  constructor(parts: SettlerParts) {
    this.#parts = parts;
  }

  /** Tries whose end is not stored yet. */
  get waiting(): number {
    return this.#pending.length;
  }

  add(run: RunRecord, result: AttemptResult): void {
    this.#pending.push({ run, result });
    this.#writing ??= this.#write().finally(() => (this.#writing = undefined));
  }

  /** Resolves when nothing waits any more. */
  async idle(): Promise<void> {
    while (this.#writing) await this.#writing;
  }

  /** Runs `work` while nothing is being settled: both may change the same runs. */
  inTurn<T>(work: () => Promise<T>): Promise<T> {
    const turn = this.#turn.then(work);
    this.#turn = turn.catch(() => {});
    return turn;
  }

  async #write(): Promise<void> {
    await sleep(GATHERED_FOR_MS);
    while (this.#pending.length > 0) {
      const batch = this.#pending.slice(0, RUNS_AT_ONCE);
      const ended = await this.#tryBatch(batch);
      if (!ended) {
        await sleep(PAUSE_MS, undefined, { ref: false });
        continue;
      }
      this.#pending = this.#pending.slice(batch.length);
      this.#parts.onSettled(ended);
    }
  }

  /** @returns undefined when the storage is away */
  async #tryBatch(batch: readonly Pending[]): Promise<Ended[] | undefined> {
    const { database, logger } = this.#parts;
    try {
      const ended = await this.#store(batch);
      if (this.#isAway) logger.info("the ends of callback runs are stored again");
      this.#isAway = false;
      return ended;
    } catch (error) {
      if (!database.dialect.isUnavailable(error) && batch.length > 1) return this.#oneByOne(batch);
      if (!this.#isAway) {
        logger.warn({ err: error }, "the ends of callback runs wait for the database");
      }
      this.#isAway = true;
      return undefined;
    }
  }

  /** One that cannot be stored must not hold up the others. */
  async #oneByOne(batch: readonly Pending[]): Promise<Ended[]> {
    const ended: Ended[] = [];
    for (const each of batch) {
      try {
        ended.push(...(await this.#store([each])));
      } catch (error) {
        this.#parts.logger.error(
          { err: error, run: each.run.id },
          "the end of a callback run could not be stored: it is tried again",
        );
        ended.push({ ...each, status: undefined });
      }
    }
    return ended;
  }

  #store(batch: readonly Pending[]): Promise<Ended[]> {
    return this.inTurn(() =>
      this.#parts.database.db.transaction().execute((tx) => this.#settle(tx, batch)),
    );
  }

  async #settle(tx: Db, batch: readonly Pending[]): Promise<Ended[]> {
    const { database, clock, owner } = this.#parts;
    const now = clock.now();
    const planned = await this.#plan(tx, batch, now);
    const settlements = planned.map(({ settlement }) => settlement);
    const own = await settleRuns(tx, database.dialect, owner, settlements, now);
    // A try that was made is put on record even when the run has gone on without us.
    const made = batch.filter(({ result }) => result.end.kind !== "given back");
    await insertAttempts(
      tx,
      database.dialect,
      made.map(({ run, result }) => toAttemptRow(run.id, result.record)),
    );
    const ended = planned.map(({ pending: { run, result }, settlement }) => {
      const status = own.has(run.id) ? settlement.next.status : undefined;
      return { run, result, status };
    });
    await noteEnds(tx, finishedOf(ended), now);
    await endWhatIsDelivered(tx, ended, now);
    return ended;
  }

  /** How each of them goes on, if it is still ours. Only where a try has failed it depends on others. */
  async #plan(tx: Db, batch: readonly Pending[], now: number) {
    const { database, owner, chance } = this.#parts;
    const failed = batch.filter(({ result }) => result.end.kind !== "done");
    const ids = failed.map(({ run }) => run.id);
    const stored = await lockOwn(tx, database.dialect, ids, owner);
    const newest = await newestRuns(tx, [...new Set(failed.map(({ run }) => run.task.id))]);
    return batch.map((pending) => {
      const { run, result } = pending;
      const isOutdated = (newest.get(run.task.id) ?? 0) > run.id;
      const cancelRequested = stored.get(run.id)?.cancelRequested ?? false;
      const state = { ...stateOf(run, isOutdated), cancelRequested };
      const next = afterAttempt(state, result.end, now, chance);
      return { pending, settlement: toSettlement(run, result, next) };
    });
  }
}

function toSettlement(run: RunRecord, result: AttemptResult, next: Settlement["next"]): Settlement {
  const isGivenBack = result.end.kind === "given back";
  const { httpStatus, responseBody } = result;
  const hasAnswer = httpStatus !== null || responseBody !== null;
  return {
    id: run.id,
    attempt: run.attempts,
    next,
    attempts: isGivenBack ? run.attempts - 1 : run.attempts,
    httpStatus: hasAnswer ? httpStatus : run.httpStatus,
    responseBody: hasAnswer ? responseBody : run.responseBody,
    error: isGivenBack ? run.error : next.status === "superseded" ? OUTDATED : result.error,
  };
}

function finishedOf(ended: readonly Ended[]) {
  return ended.flatMap(({ run, status, result }) =>
    status === undefined || status === "queued" || status === "retrying"
      ? []
      : [{ run, status, error: result.error }],
  );
}

/** A person may have asked for a run while an older one waited for its next try. */
async function endWhatIsDelivered(tx: Db, ended: readonly Ended[], now: number): Promise<void> {
  for (const { run, result } of ended) {
    if (run.trigger !== "manual" || result.end.kind !== "done") continue;
    await endOlder(
      tx,
      { taskId: run.task.id, runId: run.id },
      { error: "A later run has delivered the mapping", at: now },
    );
  }
}
