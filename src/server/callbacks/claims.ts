import type { AccountType } from "../../shared/api/callbacks.ts";
import type { Database, Db } from "../database/database.ts";
import type { Clock } from "../lib/clock.ts";
import type { AccountRecord } from "./account.ts";
import { readAccountsOf } from "./account-store.ts";
import { noteEnds } from "./alert-store.ts";
import { INTERRUPTED } from "./attempt.ts";
import { toAttemptRow } from "./attempt-record.ts";
import { changedParts, eventOf, type EventWord, type Mapping } from "./change.ts";
import * as store from "./claim-store.ts";
import { OUTDATED } from "./outbox.ts";
import { stateOf, type RunRecord } from "./run-record.ts";
import { insertAttempts } from "./run-store.ts";
import { takeUp, type FinishedStatus } from "./run.ts";

/** A run that is ours to try once. */
export interface Claim {
  /** With the newest mapping; `attempts` counts this try. */
  run: RunRecord;
  /** What the target holds, as far as is known. */
  held: Mapping | null;
  account: AccountRecord | undefined;
}

export interface ClaimParts {
  database: Database;
  clock: Clock;
  /** `<instance>:<process>`, of this process alone. */
  owner: string;
  leaseMs: number;
}

export interface Taken {
  claims: Claim[];
  /** Runs that were ended instead: newer ones may wait behind them. */
  ended: number;
}

/** Types whose actions ask what the target holds. */
const curiousTypes: ReadonlySet<AccountType> = new Set(["domain_account", "registry_node"]);

export const CANCELLED = "It was cancelled";

const reasons: Readonly<Record<FinishedStatus, string>> = {
  superseded: OUTDATED,
  cancelled: CANCELLED,
  failed: INTERRUPTED,
  succeeded: "",
  skipped: "",
};

/** Takes up what is due, for a time that is prolonged as long as this process lives. */
export class Claims {
  readonly #parts: ClaimParts;

  constructor(parts: ClaimParts) {
    this.#parts = parts;
  }

  /**
   * What an earlier life of this instance had taken up may be taken up at once. In an SQLite file
   * nobody else can have.
   */
  async recover(): Promise<void> {
    const { database, clock, owner } = this.#parts;
    const prefix = database.kind === "sqlite" ? "" : owner.slice(0, owner.indexOf(":") + 1);
    await store.endLeases(database.db, prefix, clock.now());
  }

  /** @param isHere whether a run is still being tried by this process */
  async take(limit: number, isHere: (runId: number) => boolean): Promise<Taken> {
    const { database } = this.#parts;
    const { runs, ended, isLost } = await this.#takeInTurn(limit, isHere);
    if (isLost) return this.take(limit, isHere);
    if (runs.length === 0) return { claims: [], ended };
    const accounts = await readAccountsOf(database.db, unique(runs.map((run) => run.account.id)));
    const curious = runs.filter((run) => curiousTypes.has(run.account.type));
    const held = await store.readHeldMappings(
      database.db,
      curious.map((run) => run.task.id),
    );
    const claims = runs.map((run) => ({
      run,
      held: held.get(run.task.id) ?? run.previous,
      account: accounts.get(run.account.id),
    }));
    return { claims, ended };
  }

  /** When something will be due that is not due yet. */
  nextDue(): Promise<number | undefined> {
    return store.nextDueAfter(this.#parts.database.db, this.#parts.clock.now());
  }

  /** @returns those of the runs that are still ours */
  async renew(ids: readonly number[]): Promise<{ id: number; cancelRequested: boolean }[]> {
    if (ids.length === 0) return [];
    const { database, clock, owner, leaseMs } = this.#parts;
    return store.renewLeases(database.db, ids, { owner, until: clock.now() + leaseMs });
  }

  /** Another instance may take up another run of the same task at the same time: one of the two wins. */
  async #takeInTurn(limit: number, isHere: (runId: number) => boolean) {
    const { db, dialect } = this.#parts.database;
    try {
      const taken = await db.transaction().execute((tx) => this.#take(tx, limit, isHere));
      return { ...taken, isLost: false };
    } catch (error) {
      if (!dialect.isUniqueViolation(error)) throw error;
      return { runs: [], ended: 0, isLost: true };
    }
  }

  async #take(tx: Db, limit: number, isHere: (runId: number) => boolean) {
    const { database, clock, owner, leaseMs } = this.#parts;
    const now = clock.now();
    const locked = await store.lockDueRuns(tx, database.dialect, now, limit);
    const due = onePerTask(locked.filter(({ run }) => !isHere(run.id)));
    if (due.length === 0) return { runs: [], ended: 0 };
    const abandoned = due.flatMap(({ run }) => (run.status === "running" ? run : []));
    const ends = await this.#endAbandoned(tx, abandoned, now);
    const goingOn = due.filter(({ run }) => !ends.has(run.id));
    if (goingOn.length === 0) return { runs: [], ended: ends.size };
    const ids = goingOn.map(({ run }) => run.id);
    await store.leaseRuns(tx, database.dialect, ids, { owner, now, until: now + leaseMs });
    return { runs: await withNewestMappings(tx, goingOn, now), ended: ends.size };
  }

  /** Puts the tries on record that were under way. @returns the runs that are not tried again */
  async #endAbandoned(tx: Db, abandoned: readonly RunRecord[], now: number) {
    const ended = new Set<number>();
    if (abandoned.length === 0) return ended;
    await insertAttempts(
      tx,
      this.#parts.database.dialect,
      abandoned.map((run) => toAttemptRow(run.id, interruptedAttempt(run, now))),
    );
    const newest = await store.newestRuns(
      tx,
      abandoned.map((run) => run.task.id),
    );
    for (const run of abandoned) {
      const next = takeUp(stateOf(run, (newest.get(run.task.id) ?? 0) > run.id));
      if (next === "attempt") continue;
      const error = reasons[next];
      await store.endAbandoned(tx, [run.id], { status: next, error, at: now });
      await noteEnds(tx, [{ run, status: next, error }], now);
      ended.add(run.id);
    }
    return ended;
  }
}

function interruptedAttempt(run: RunRecord, now: number) {
  return {
    number: run.attempts,
    stages: [],
    errorClass: "interrupted",
    error: INTERRUPTED,
    startedAt: run.startedAt ?? now,
    durationMs: 0,
  };
}

/** The mapping may have changed in a way that starts no new run of the same task. */
async function withNewestMappings(
  tx: Db,
  due: readonly store.DueRun[],
  now: number,
): Promise<RunRecord[]> {
  const updated: RunRecord[] = [];
  for (const { run, newest } of due) {
    const mapping = newest ?? run.mapping;
    const isSame = changedParts(run.mapping, mapping).length === 0;
    const event = isSame ? run.event : eventFor(run, mapping);
    if (!isSame) await store.updateMapping(tx, run.id, mapping, event);
    const attempts = run.attempts + 1;
    const startedAt = run.startedAt ?? now;
    updated.push({ ...run, status: "running", mapping, event, attempts, startedAt });
  }
  return updated;
}

function eventFor(run: RunRecord, mapping: Mapping): EventWord {
  if (run.trigger === "manual") return run.event;
  const changed = changedParts(run.previous, mapping);
  return changed.length === 0 ? run.event : eventOf(changed);
}

function onePerTask(due: readonly store.DueRun[]): store.DueRun[] {
  const tasks = new Set<number>();
  return due.filter(({ run }) => !tasks.has(run.task.id) && tasks.add(run.task.id));
}

function unique(ids: readonly number[]): number[] {
  return [...new Set(ids)];
}
