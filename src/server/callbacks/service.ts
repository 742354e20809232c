import { setTimeout as sleep } from "node:timers/promises";
import type {
  DryRunAnswer,
  NextAttempt,
  PreviewAnswer,
  PreviewBody,
  Run,
  RunWithAttempts,
} from "../../shared/api/callbacks.ts";
import type { Database, Db } from "../database/database.ts";
import { toIso, type Clock } from "../lib/clock.ts";
import { AppError, invalidFields } from "../lib/errors.ts";
import { recordAudit } from "../system/audit.ts";
import { actorOf, type Caller } from "../users/caller.ts";
import { findAccount } from "./account-store.ts";
import { CANCELLED } from "./claims.ts";
import { readHeldMappings } from "./claim-store.ts";
import type { Dispatcher } from "./dispatcher.ts";
import type { Occasions } from "./occasions.ts";
import type { Rehearsal } from "./rehearsal.ts";
import * as store from "./run-store.ts";
import type { RunListener, RunNews } from "./run-news.ts";
import { toWireRun, type RunRecord } from "./run-record.ts";
import { mayCancel, mayRetry } from "./run.ts";
import { noSuchTask } from "./tasks.ts";
import { findTask, lockTask } from "./task-store.ts";
import { compileTemplate } from "./template.ts";
import { TemplateError } from "./template-error.ts";
import { toTemplateValues, type Occasion } from "./template-values.ts";

export interface CallbackServiceParts {
  database: Database;
  clock: Clock;
  occasions: Occasions;
  rehearsal: Rehearsal;
  dispatcher: Dispatcher;
  news: RunNews;
}

/** How long an answer waits for a run that is being broken off. */
const CANCELLED_IN_MS = 2_000;

/** What administrators do with runs. */
export class CallbackService {
  readonly #parts: CallbackServiceParts;
  readonly #db: Db;

  constructor(parts: CallbackServiceParts) {
    this.#parts = parts;
    this.#db = parts.database.db;
  }

  /** Newest first. */
  async list(
    filter: store.RunFilter,
    page: { limit: number; before?: number | undefined },
  ): Promise<Run[]> {
    return (await store.listRuns(this.#db, filter, page)).map(toWireRun);
  }

  /** @throws AppError not_found */
  async get(id: number): Promise<RunWithAttempts> {
    const run = await this.#find(id);
    return { ...toWireRun(run), attempts: await store.readAttempts(this.#db, id) };
  }

  /** @throws AppError not_found */
  async nextAttempt(id: number): Promise<NextAttempt> {
    const { status, dueAt } = await this.#find(id);
    return { next_attempt_at: status === "retrying" && dueAt !== null ? toIso(dueAt) : null };
  }

  /**
   * A run with the live mapping of the rule, tried once.
   * @throws AppError not_found; conflict when the rule has no live mapping
   */
  async runNow(caller: Caller, taskId: number): Promise<Run> {
    const task = await findTask(this.#db, taskId);
    if (!task) throw noSuchTask();
    const { rule, mapping } = await this.#parts.occasions.live(task.ruleId);
    return this.#start(caller, taskId, "callback_task.run", async (tx, target) => ({
      ...target,
      rule,
      mapping,
      trigger: "manual",
      event: "manual",
      previous: null,
    }));
  }

  /**
   * What a run would change, without changing it.
   * @throws AppError not_found; conflict without a live mapping, or when the target cannot be read
   */
  async dryRun(taskId: number): Promise<DryRunAnswer["dry_run"]> {
    const { occasions, rehearsal, clock } = this.#parts;
    const task = await findTask(this.#db, taskId);
    if (!task) throw noSuchTask();
    const account = await findAccount(this.#db, task.accountId);
    if (!account) throw new AppError("conflict", "The account of the task is gone");
    const live = await occasions.live(task.ruleId);
    const held = (await readHeldMappings(this.#db, [taskId])).get(taskId) ?? null;
    const occasion: Occasion = {
      ...live,
      previous: null,
      event: "manual",
      runId: null,
      at: clock.now(),
    };
    return rehearsal.dryRun(account, occasion, held);
  }

  /**
   * A new run that says what an earlier one said, with the mapping as it is now.
   * @throws AppError not_found; conflict when it is still on its way, or there is no live mapping
   */
  async retry(caller: Caller, id: number): Promise<Run> {
    const { database, occasions, clock } = this.#parts;
    const run = await this.#find(id);
    const task = await findTask(this.#db, run.task.id);
    if (!task) throw new AppError("conflict", `The task ${run.task.name} is gone`);
    const { rule, mapping } = await occasions.live(task.ruleId);
    return this.#start(caller, task.id, "callback_run.retry", async (tx, target) => {
      const locked = await store.lockRun(tx, database.dialect, id);
      if (!locked) throw noSuchRun();
      if (!mayRetry(locked.status)) {
        throw new AppError("conflict", `The run is ${locked.status}: it is on its way already`);
      }
      const error = "It was tried again by hand";
      await store.supersedeWaiting(tx, task.id, { error, at: clock.now() });
      const { trigger, event, previous } = locked;
      return { ...target, rule, mapping, trigger, event, previous };
    });
  }

  /**
   * Ends a run that waits, and breaks off one that is being tried: what the target has heard by then,
   * it has heard.
   * @throws AppError not_found; conflict when it is finished
   */
  async cancel(caller: Caller, id: number): Promise<Run> {
    const { database, clock, dispatcher } = this.#parts;
    await this.#find(id);
    const isRunning = await this.#db.transaction().execute(async (tx) => {
      const run = await store.lockRun(tx, database.dialect, id);
      if (!run) throw noSuchRun();
      if (!mayCancel(run.status)) {
        throw new AppError(
          "conflict",
          `The run is finished: it ${hasEnded[run.status] ?? "ended"}`,
        );
      }
      const running = run.status === "running";
      if (running) await store.requestCancel(tx, id);
      else {
        const end = { status: "cancelled" as const, error: CANCELLED, at: clock.now() };
        await store.endWaiting(tx, id, end);
      }
      const details = { task: run.task.name };
      await recordAudit(
        tx,
        clock,
        actorOf(caller),
        "callback_run.cancel",
        `callback_run:${id}`,
        details,
      );
      return running;
    });
    if (isRunning) {
      await Promise.race([
        dispatcher.cancel(id),
        sleep(CANCELLED_IN_MS, undefined, { ref: false }),
      ]);
    }
    return toWireRun(await this.#find(id));
  }

  /** What a template becomes. @throws AppError invalid_request, not_found */
  async preview(given: PreviewBody): Promise<PreviewAnswer["preview"]> {
    const { occasions } = this.#parts;
    const { occasion, isLive } = await occasions.forPreview(given.stun_rule_id);
    const values = toTemplateValues(occasion);
    try {
      const text = compileTemplate(given.template, given.place).render(values);
      return { text, is_live: isLive, values: { ...values } };
    } catch (error) {
      if (!(error instanceof TemplateError)) throw error;
      throw invalidFields([{ path: "template", message: error.message }]);
    }
  }

  /** News of all runs, from its resolution on. @returns what ends it */
  subscribe(listener: RunListener): Promise<() => void> {
    return this.#parts.news.subscribe(listener);
  }

  async #find(id: number): Promise<RunRecord> {
    const run = await store.findRun(this.#db, id);
    if (!run) throw noSuchRun();
    return run;
  }

  async #start(
    caller: Caller,
    taskId: number,
    action: "callback_task.run" | "callback_run.retry",
    describe: (
      tx: Db,
      target: Pick<store.NewRun, "task" | "account">,
    ) => Promise<Omit<store.NewRun, "createdAt">>,
  ): Promise<Run> {
    const { database, clock, dispatcher } = this.#parts;
    const run = await this.#db.transaction().execute(async (tx) => {
      const task = await lockTask(tx, database.dialect, taskId);
      if (!task) throw noSuchTask();
      const account = await findAccount(tx, task.accountId);
      if (!account) throw new AppError("conflict", "The account of the task is gone");
      const described = await describe(tx, {
        task: { id: task.id, name: task.name },
        account: { id: account.id, name: account.name, type: account.type },
      });
      const stored = await store.insertRun(tx, { ...described, createdAt: clock.now() });
      const subject = `callback_task:${task.id}`;
      const details = { name: task.name, run: stored.id };
      await recordAudit(tx, clock, actorOf(caller), action, subject, details);
      return stored;
    });
    dispatcher.wake();
    return toWireRun(run);
  }
}

const hasEnded: Partial<Record<RunRecord["status"], string>> = {
  succeeded: "has succeeded",
  skipped: "had nothing to do",
  failed: "has failed",
  superseded: "was superseded",
  cancelled: "was cancelled",
};

function noSuchRun(): AppError {
  return new AppError("not_found", "There is no run with this id");
}
