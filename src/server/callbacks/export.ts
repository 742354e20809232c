import type { Run } from "../../shared/api/callbacks.ts";

const RUNS_AT_ONCE = 200;

/** Reads a page of the history, newest first. */
export type ReadRuns = (page: { limit: number; before?: number | undefined }) => Promise<Run[]>;

/** @returns the text in parts. The first page has been read when it resolves. */
export async function exportRuns(
  format: "csv" | "json",
  read: ReadRuns,
): Promise<AsyncIterable<string>> {
  const first = await read({ limit: RUNS_AT_ONCE });
  const pages = readOn(first, read);
  return format === "csv" ? toCsv(pages) : toJson(pages);
}

async function* readOn(first: Run[], read: ReadRuns): AsyncGenerator<Run[]> {
  let page = first;
  while (page.length > 0) {
    yield page;
    if (page.length < RUNS_AT_ONCE) return;
    page = await read({ limit: RUNS_AT_ONCE, before: page.at(-1)?.id });
  }
}

async function* toJson(pages: AsyncIterable<Run[]>): AsyncGenerator<string> {
  let separator = '{"runs":[\n';
  for await (const page of pages) {
    yield separator + page.map((run) => JSON.stringify(run)).join(",\n");
    separator = ",\n";
  }
  yield separator.startsWith(",") ? "\n]}\n" : `${separator}]}\n`;
}

const columns: readonly (keyof Run)[] = [
  "id",
  "task_id",
  "task_name",
  "account_id",
  "account_name",
  "account_type",
  "rule_id",
  "rule_name",
  "trigger",
  "public_ip",
  "public_port",
  "previous_ip",
  "previous_port",
  "status",
  "attempt_count",
  "http_status",
  "response_body",
  "error",
  "created_at",
  "started_at",
  "finished_at",
  "duration_ms",
];

/** RFC 4180. */
async function* toCsv(pages: AsyncIterable<Run[]>): AsyncGenerator<string> {
  yield `${columns.join(",")}\r\n`;
  for await (const page of pages) {
    yield page.map((run) => `${columns.map((name) => toCell(run[name])).join(",")}\r\n`).join("");
  }
}

/** A text of a target must not become a formula where the file is opened. */
function toCell(value: string | number | null): string {
  if (value === null) return "";
  const text = typeof value === "string" && /^[=+\-@\t\r]/.test(value) ? `'${value}` : `${value}`;
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}
