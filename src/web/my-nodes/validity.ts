const A_DAY_MS = 86_400_000;
const SOON_DAYS = 14;

export type Validity = "forever" | "valid" | "soon" | "past";

/**
 * How long a node is valid yet. It is through the whole of its last day, in UTC.
 * @param validUntil `YYYY-MM-DD`; null: for ever
 */
export function judgeValidity(validUntil: string | null, now: number): Validity {
  if (validUntil === null) return "forever";
  const leftMs = endOfDay(validUntil) - now;
  if (leftMs <= 0) return "past";
  return leftMs <= SOON_DAYS * A_DAY_MS ? "soon" : "valid";
}

/** ms since 1970 */
export function endOfDay(day: string): number {
  return Date.parse(`${day}T00:00:00Z`) + A_DAY_MS;
}
