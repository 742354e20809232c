import { namedCredentials, type Redactor } from "./redaction.ts";

/** What is kept of a body, in characters. */
export const KEPT_CHARACTERS = 65_536;
/** More is read before it is cut, so that no half of a secret is left at the end. */
const OVERLAP = 8192;

export type Stage = "read" | "write" | "verify";

/** One request and its answer as they are stored: without secrets, bodies up to 64 KiB. */
export interface StageRecord {
  stage: Stage;
  method: string;
  url: string;
  request_headers: Record<string, string>;
  request_body: string | null;
  /** Null when no answer came. */
  status: number | null;
  response_headers: Record<string, string> | null;
  response_body: string | null;
  /** Whether the answer was longer than what is kept. */
  truncated: boolean;
  duration_ms: number;
}

export interface RecordedRequest {
  stage: Stage;
  method: string;
  url: URL;
  headers: Readonly<Record<string, string>>;
  body: string | Buffer | undefined;
}

export interface RecordedAnswer {
  status: number;
  headers: Readonly<Record<string, string>>;
  body: Buffer;
  truncated: boolean;
}

export function toStageRecord(
  known: Redactor,
  request: RecordedRequest,
  answer: RecordedAnswer | undefined,
  durationMs: number,
): StageRecord {
  const named = namedCredentials(request.url, request.headers).filter(isTelling);
  const redactor = known.plus(named);
  const kept = (body: string | Buffer) => keep(redactor, body);
  return {
    stage: request.stage,
    method: request.method,
    url: redactor.url(request.url.href),
    request_headers: redactor.headers(request.headers),
    request_body: request.body === undefined ? null : kept(request.body),
    status: answer?.status ?? null,
    response_headers: answer ? redactor.headers(answer.headers) : null,
    response_body: answer ? kept(answer.body) : null,
    truncated: answer ? answer.truncated || answer.body.length > KEPT_CHARACTERS : false,
    duration_ms: durationMs,
  };
}

/** Whether a value that is only named like a secret can be looked for without ruining the text. */
function isTelling(value: string): boolean {
  return value.length >= 8;
}

function keep(redactor: Redactor, body: string | Buffer): string {
  const most = KEPT_CHARACTERS + OVERLAP;
  const text = typeof body === "string" ? body.slice(0, most) : body.toString("utf8", 0, most);
  // PostgreSQL stores no NUL.
  return redactor.text(text).slice(0, KEPT_CHARACTERS).toWellFormed().replaceAll("\0", "\ufffd");
}
