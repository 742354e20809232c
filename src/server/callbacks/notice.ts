import { toIso } from "../lib/clock.ts";
import type { Alert } from "./alert-store.ts";

/** What people are told, for machines and in words. */
export interface Notice {
  subject: string;
  text: string;
  body: {
    event: "callback_tasks";
    message: string;
    failing: NoticeEntry[];
    recovered: NoticeEntry[];
  };
}

interface NoticeEntry {
  task_id: number;
  task_name: string;
  run_id: number;
  error: string | null;
  at: string;
}

/** More are counted and not named. */
const MOST_NAMED = 50;
/** Of an error; the history has all of it. */
const MOST_CHARACTERS = 300;

/** @param baseUrl where people reach the service */
export function toNotice(alerts: readonly Alert[], baseUrl: string): Notice {
  const failing = alerts.filter(({ state }) => state === "failing");
  const recovered = alerts.filter(({ state }) => state === "recovered");
  const parts = [
    ...(failing.length > 0 ? [`${counted(failing.length)} failing`] : []),
    ...(recovered.length > 0 ? [`${counted(recovered.length)} well again`] : []),
  ];
  const subject = `Waypost: ${parts.join(", ")}`;
  const sections = [
    ...section("These callbacks have failed and will not be tried again by themselves:", failing),
    ...section("These callbacks have succeeded again:", recovered),
    `The runs and what the targets answered are in the history at ${baseUrl}`,
  ];
  return {
    subject,
    text: `${sections.join("\n")}\n`,
    body: {
      event: "callback_tasks",
      message: subject,
      failing: failing.map(toEntry),
      recovered: recovered.map(toEntry),
    },
  };
}

function counted(count: number): string {
  return count === 1 ? "1 callback task is" : `${count} callback tasks are`;
}

function section(title: string, alerts: readonly Alert[]): string[] {
  if (alerts.length === 0) return [];
  const named = alerts.slice(0, MOST_NAMED).map(toLine);
  const rest = alerts.length - named.length;
  return [title, "", ...named, ...(rest > 0 ? [`- and ${rest} more`] : []), ""];
}

function toLine({ taskName, runId, error }: Alert): string {
  const reason = error === null ? "" : `: ${shortened(error)}`;
  return `- ${taskName} (run ${runId})${reason}`;
}

function toEntry({ taskId, taskName, runId, error, at }: Alert): NoticeEntry {
  return {
    task_id: taskId,
    task_name: taskName,
    run_id: runId,
    error: error === null ? null : shortened(error),
    at: toIso(at),
  };
}

function shortened(text: string): string {
  return text.length <= MOST_CHARACTERS ? text : `${text.slice(0, MOST_CHARACTERS)}…`;
}
