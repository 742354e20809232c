import type { ReportAnswer } from "../shared/api/reports.ts";
import type { Answer } from "./ledger.ts";

/** What became of sending a report. */
export type Outcome =
  | { kind: "accepted"; answer: Answer }
  /** Something must be put right before it can be taken. */
  | { kind: "refused"; why: string }
  /** It may be otherwise in a moment; whether the report was taken may be unknown. */
  | { kind: "failed"; why: string; retryAfterMs: number | undefined };

/** Statuses at which nobody is at fault for long. */
const PASSING = new Set([408, 425, 429]);

const meanings: Readonly<Record<number, string>> = {
  401: "The service, or a proxy before it, asks for a log-in",
  403: "The service refuses this node",
  404: "The service knows no node with this name and e-mail, or --url is not the service's address",
  405: "What answers at --url takes no reports",
  410: "What answers at --url takes no reports any more",
};

/**
 * What an HTTP answer means.
 * @param retryAfterMs what it asks for, read already
 * @param location where it sends us instead
 */
export function outcomeOf(
  status: number,
  text: string,
  retryAfterMs: number | undefined,
  location: string | null,
): Outcome {
  const body = parse(text);
  if (status === 200) {
    if (isReportAnswer(body)) {
      const answer = { usedTraffic: body.used_traffic, resetDate: body.reset_date };
      return { kind: "accepted", answer };
    }
    return { kind: "refused", why: "What answers at --url is no Waypost service" };
  }
  if (status >= 300 && status < 400) {
    // Not followed: the token goes to the place that was named and to no other.
    return { kind: "refused", why: `The service has moved to ${location ?? "nowhere"}: set --url` };
  }
  const said = sentenceIn(body);
  if (status >= 500 || PASSING.has(status)) {
    return { kind: "failed", why: withSaid(`The service answered ${status}`, said), retryAfterMs };
  }
  const meaning = meanings[status] ?? "The service refuses the report";
  return { kind: "refused", why: withSaid(`${meaning} (${status})`, said) };
}

function withSaid(sentence: string, said: string | undefined): string {
  return said === undefined ? sentence : `${sentence}: ${said}`;
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

const SENTENCE_LENGTH = 300;

function sentenceIn(body: unknown): string | undefined {
  const { error } = (body ?? {}) as { error?: unknown };
  return typeof error === "string" ? error.slice(0, SENTENCE_LENGTH) : undefined;
}

function isReportAnswer(body: unknown): body is ReportAnswer {
  const { used_traffic: used, reset_date: reset } = (body ?? {}) as Partial<ReportAnswer>;
  return typeof used === "number" && typeof reset === "string";
}
