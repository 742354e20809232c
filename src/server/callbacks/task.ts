import type { Selectable } from "kysely";
import type { Trigger } from "../../shared/api/callbacks.ts";
import type { CallbackTaskTable } from "../database/schema-callbacks.ts";

/** What an administrator decides about a task. */
export interface TaskSettings {
  name: string;
  enabled: boolean;
  trigger: Trigger;
  ruleId: number;
  accountId: number;
}

export interface TaskRecord extends TaskSettings {
  id: number;
}

export function toTask(row: Selectable<CallbackTaskTable>): TaskRecord {
  return {
    id: row.id,
    name: row.name,
    enabled: row.enabled === 1,
    trigger: row.trigger as Trigger,
    ruleId: row.stun_rule_id,
    accountId: row.account_id,
  };
}

export function toTaskColumns(settings: TaskSettings) {
  return {
    name: settings.name,
    enabled: settings.enabled ? 1 : 0,
    trigger: settings.trigger,
    stun_rule_id: settings.ruleId,
    account_id: settings.accountId,
  };
}
