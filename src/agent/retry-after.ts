/** Longer is not believed: a clock or a server is wrong. */
const LONGEST_MS = 86_400_000;

/** `Retry-After` (RFC 9110 §10.2.3) in milliseconds from `now`; undefined when it says nothing. */
export function readRetryAfter(value: string | null, now: number): number | undefined {
  const text = value?.trim() ?? "";
  const waitMs = /^\d{1,9}$/.test(text) ? Number(text) * 1_000 : Date.parse(text) - now;
  return Number.isNaN(waitMs) ? undefined : Math.min(Math.max(waitMs, 0), LONGEST_MS);
}
