import type { CallbackTask, NewTask, TaskChange, Trigger } from "../../shared/api/callbacks.ts";
import { changesOf } from "../lib/changes.ts";

/** What stands in the form of a task. Ids are "" while nothing is chosen. */
export interface TaskValues {
  name: string;
  enabled: boolean;
  trigger: Trigger;
  stun_rule_id: string;
  account_id: string;
}

export function toTaskValues({ name, enabled, trigger, ...ids }: CallbackTask): TaskValues {
  return {
    name,
    enabled,
    trigger,
    stun_rule_id: String(ids.stun_rule_id),
    account_id: String(ids.account_id),
  };
}

export function toTaskBody({ name, enabled, trigger, ...ids }: TaskValues): NewTask {
  return {
    name: name.trim(),
    enabled,
    trigger,
    stun_rule_id: Number(ids.stun_rule_id),
    account_id: Number(ids.account_id),
  };
}

/** What differs. */
export function toTaskChange(before: TaskValues, after: TaskValues): TaskChange {
  return changesOf(toTaskBody(before), toTaskBody(after));
}
