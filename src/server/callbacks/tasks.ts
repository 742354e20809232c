import type { CallbackTask, NewTask, TaskChange } from "../../shared/api/callbacks.ts";
import type { Database, Db } from "../database/database.ts";
import type { Clock } from "../lib/clock.ts";
import { AppError, invalidFields } from "../lib/errors.ts";
import { auditTrail, type AuditTrail } from "../system/audit.ts";
import type { Caller } from "../users/caller.ts";
import type { AccountRecord } from "./account.ts";
import { lockAccount } from "./account-store.ts";
import { forgetAlert } from "./alert-store.ts";
import { readName, refuseTakenName } from "./names.ts";
import { cancelRunsOf, redirectRunsOf } from "./run-store.ts";
import * as store from "./task-store.ts";
import type { TaskRecord, TaskSettings } from "./task.ts";

export interface TaskParts {
  database: Database;
  clock: Clock;
}

/** What administrators decide about tasks. */
export class CallbackTasks {
  readonly #database: Database;
  readonly #db: Db;
  readonly #clock: Clock;
  readonly #audit: AuditTrail;

  constructor({ database, clock }: TaskParts) {
    this.#database = database;
    this.#db = database.db;
    this.#clock = clock;
    this.#audit = auditTrail("callback_task", clock);
  }

  /** By id. */
  async list(): Promise<CallbackTask[]> {
    return (await store.readTasks(this.#db)).map(toWireTask);
  }

  /** @throws AppError not_found */
  async get(id: number): Promise<CallbackTask> {
    const task = await store.findTask(this.#db, id);
    if (!task) throw noSuchTask();
    return toWireTask(task);
  }

  /** @throws AppError invalid_request, name_taken */
  async create(caller: Caller, given: NewTask): Promise<CallbackTask> {
    const settings = { ...toSettings(given), name: readName(given.name) };
    const id = await refuseTakenName(this.#database, "task", settings.name, () =>
      this.#db.transaction().execute(async (tx) => {
        await this.#checkReferences(tx, settings);
        const stored = await store.insertTask(tx, settings, this.#clock.now());
        await this.#audit(tx, caller, "callback_task.create", stored, { ...given });
        return stored;
      }),
    );
    return this.get(id);
  }

  /**
   * Changes what is given. What waits of a task goes to its new account; it is cancelled when the task
   * is switched off or gets another rule.
   * @throws AppError not_found, invalid_request, name_taken
   */
  async change(caller: Caller, id: number, given: TaskChange): Promise<CallbackTask> {
    await this.get(id);
    const wanted = given.name === undefined ? given : { ...given, name: readName(given.name) };
    await refuseTakenName(this.#database, "task", wanted.name ?? "", () =>
      this.#db.transaction().execute(async (tx) => {
        const before = await store.lockTask(tx, this.#database.dialect, id);
        if (!before) throw noSuchTask();
        const after: TaskRecord = { ...toSettings({ ...toWireTask(before), ...wanted }), id };
        const changed = namesOfChanges(before, after);
        if (changed.length === 0) return;
        const account = await this.#checkReferences(tx, after);
        await store.updateTask(tx, after, this.#clock.now());
        await this.#settleRuns(tx, before, after, account);
        await this.#audit(tx, caller, "callback_task.update", id, { name: after.name, changed });
      }),
    );
    return this.get(id);
  }

  /** What waits of it is cancelled; its history stays. @throws AppError not_found */
  async remove(caller: Caller, id: number): Promise<void> {
    await this.#db.transaction().execute(async (tx) => {
      const task = await store.lockTask(tx, this.#database.dialect, id);
      if (!task) throw noSuchTask();
      await cancelRunsOf(tx, id, { error: "The task was deleted", at: this.#clock.now() });
      await forgetAlert(tx, id);
      await store.deleteTask(tx, id);
      await this.#audit(tx, caller, "callback_task.delete", id, { name: task.name });
    });
  }

  async #settleRuns(
    tx: Db,
    before: TaskRecord,
    after: TaskRecord,
    account: AccountRecord,
  ): Promise<void> {
    const at = this.#clock.now();
    if (before.enabled && !after.enabled) {
      await cancelRunsOf(tx, after.id, { error: "The task was switched off", at });
      await forgetAlert(tx, after.id);
    } else if (before.ruleId !== after.ruleId) {
      await cancelRunsOf(tx, after.id, { error: "The task was given another rule", at });
    } else if (before.accountId !== after.accountId) {
      await redirectRunsOf(tx, after.id, account);
    }
  }

  /** Both stay until the transaction ends. @throws AppError invalid_request */
  async #checkReferences(tx: Db, { ruleId, accountId }: TaskSettings) {
    const { dialect } = this.#database;
    const rule = await store.lockRuleName(tx, dialect, ruleId);
    const account = await lockAccount(tx, dialect, accountId);
    if (rule && account) return account;
    throw invalidFields([
      ...(rule ? [] : [{ path: "stun_rule_id", message: "is the id of no rule" }]),
      ...(account ? [] : [{ path: "account_id", message: "is the id of no callback account" }]),
    ]);
  }
}

export function noSuchTask(): AppError {
  return new AppError("not_found", "There is no callback task with this id");
}

function toSettings(task: NewTask): TaskSettings {
  const { name, enabled, trigger, stun_rule_id: ruleId, account_id: accountId } = task;
  return { name, enabled, trigger, ruleId, accountId };
}

function toWireTask(task: TaskRecord): CallbackTask {
  return {
    id: task.id,
    name: task.name,
    enabled: task.enabled,
    trigger: task.trigger,
    stun_rule_id: task.ruleId,
    account_id: task.accountId,
  };
}

function namesOfChanges(before: TaskRecord, after: TaskRecord): string[] {
  const [one, other] = [toWireTask(before), toWireTask(after)];
  const names = Object.keys(one) as (keyof CallbackTask)[];
  return names.filter((name) => one[name] !== other[name]);
}
