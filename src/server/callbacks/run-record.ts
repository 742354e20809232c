import type { Selectable } from "kysely";
import type { AccountType, Run, RunStatus, Trigger } from "../../shared/api/callbacks.ts";
import type { CallbackRunTable } from "../database/schema-callbacks.ts";
import { toIso } from "../lib/clock.ts";
import type { EventWord, Mapping } from "./change.ts";
import type { RunState } from "./run.ts";

/** A stored run. */
export interface RunRecord {
  id: number;
  task: { id: number; name: string };
  account: { id: number; name: string; type: AccountType };
  rule: { id: number; name: string; transport: "udp" | "tcp" };
  trigger: Trigger | "manual";
  event: EventWord;
  mapping: Mapping;
  previous: Mapping | null;
  status: RunStatus;
  attempts: number;
  httpStatus: number | null;
  responseBody: string | null;
  error: string | null;
  createdAt: number;
  startedAt: number | null;
  finishedAt: number | null;
  /** Null when finished. */
  dueAt: number | null;
  leaseOwner: string | null;
  cancelRequested: boolean;
}

export function toRun(row: Selectable<CallbackRunTable>): RunRecord {
  const { previous_ip: ip, previous_port: port } = row;
  return {
    id: row.id,
    task: { id: row.task_id, name: row.task_name },
    account: {
      id: row.account_id,
      name: row.account_name,
      type: row.account_type as AccountType,
    },
    rule: { id: row.rule_id, name: row.rule_name, transport: row.transport },
    trigger: row.trigger as RunRecord["trigger"],
    event: row.event as EventWord,
    mapping: { publicIp: row.public_ip, publicPort: row.public_port },
    previous: ip === null || port === null ? null : { publicIp: ip, publicPort: port },
    status: row.status as RunStatus,
    attempts: row.attempt_count,
    httpStatus: row.http_status,
    responseBody: row.response_body,
    error: row.error,
    createdAt: row.created_at,
    startedAt: row.started_at,
    finishedAt: row.finished_at,
    dueAt: row.due_at,
    leaseOwner: row.lease_owner,
    cancelRequested: row.cancel_requested === 1,
  };
}

/** @param isOutdated whether a newer mapping is on its way to the same target */
export function stateOf(run: RunRecord, isOutdated: boolean): RunState {
  const { status, attempts, cancelRequested } = run;
  return { status, attempts, cancelRequested, isOutdated, retries: run.trigger !== "manual" };
}

export function toWireRun(run: RunRecord): Run {
  const { startedAt, finishedAt } = run;
  return {
    id: run.id,
    task_id: run.task.id,
    task_name: run.task.name,
    account_id: run.account.id,
    account_name: run.account.name,
    account_type: run.account.type,
    rule_id: run.rule.id,
    rule_name: run.rule.name,
    trigger: run.trigger,
    public_ip: run.mapping.publicIp,
    public_port: run.mapping.publicPort,
    previous_ip: run.previous?.publicIp ?? null,
    previous_port: run.previous?.publicPort ?? null,
    status: run.status,
    attempt_count: run.attempts,
    http_status: run.httpStatus,
    response_body: run.responseBody,
    error: run.error,
    created_at: toIso(run.createdAt),
    started_at: startedAt === null ? null : toIso(startedAt),
    finished_at: finishedAt === null ? null : toIso(finishedAt),
    duration_ms: startedAt === null || finishedAt === null ? null : finishedAt - startedAt,
  };
}
