/** Longer is not believed: a clock or a server is wrong. */
const LONGEST_MS = 86_400_000;

/**
 * `Retry-After` (RFC 9110 §10.2.3), seconds or a date, in milliseconds from `now`; undefined when
 * there is none or it cannot be read. A date that has passed is 0.
 */
export function parseRetryAfter(value: string | undefined, now: number): number | undefined {
  const text = value?.trim() ?? "";
  if (/^\d{1,9}$/.test(text)) return Math.min(Number(text) * 1000, LONGEST_MS);
  const at = /^[A-Za-z]{3}/.test(text) ? Date.parse(text) : Number.NaN;
  if (Number.isNaN(at)) return undefined;
  return Math.min(Math.max(0, at - now), LONGEST_MS);
}
