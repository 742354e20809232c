import { runStatuses, type RunStatus } from "../../shared/api/callbacks.ts";

/** Which runs are shown; what is left out is not looked at. */
export interface RunFilter {
  task_id?: number | undefined;
  rule_id?: number | undefined;
  status?: RunStatus | undefined;
}

/** Of the query of an address; what makes no sense there is ignored. */
export function parseRunFilter(query: string): RunFilter & { before?: number | undefined } {
  const words = new URLSearchParams(query);
  return {
    task_id: toId(words.get("task_id")),
    rule_id: toId(words.get("rule_id")),
    status: runStatuses.find((each) => each === words.get("status")),
    before: toId(words.get("before")),
  };
}

function toId(text: string | null): number | undefined {
  const id = Number(text);
  return text !== null && Number.isSafeInteger(id) && id >= 1 ? id : undefined;
}
