import type { Selectable } from "kysely";
import type { CallbackAttemptTable } from "../database/schema-callbacks.ts";
import { KEPT_CHARACTERS, type StageRecord } from "../lib/stage-record.ts";

export type AttemptRow = Selectable<CallbackAttemptTable>;

/** A try as it goes on record. */
export interface AttemptRecord {
  number: number;
  stages: readonly StageRecord[];
  errorClass: string | null;
  error: string | null;
  startedAt: number;
  durationMs: number;
}

export function toAttemptRow(runId: number, attempt: AttemptRecord): AttemptRow {
  return {
    run_id: runId,
    number: attempt.number,
    stages: JSON.stringify(attempt.stages),
    error_class: attempt.errorClass,
    error: attempt.error,
    started_at: attempt.startedAt,
    duration_ms: attempt.durationMs,
  };
}

/** A text of a target in the form that both databases hold. */
export function toStoredText(text: string): string {
  return text.slice(0, KEPT_CHARACTERS).toWellFormed().replaceAll("\0", "\ufffd");
}
