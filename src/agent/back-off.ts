const FIRST_MS = 500;
const LONGEST_MS = 60_000;
/** After a refusal, from and to. */
const REFUSED_MS = [240_000, 360_000] as const;

/** Evenly spread over `0 <= x < 1`. */
export type Chance = () => number;

/** How long to wait after the `failures`-th failure in a row, at least what was asked for. */
export function waitAfterFailure(
  failures: number,
  retryAfterMs: number | undefined,
  chance: Chance,
): number {
  const whole = Math.min(FIRST_MS * 2 ** Math.min(failures - 1, 16), LONGEST_MS);
  const wait = whole / 2 + (whole / 2) * chance();
  if (retryAfterMs === undefined) return wait;
  // Not all at the very moment that was named.
  return Math.max(wait, retryAfterMs + FIRST_MS * chance());
}

/** A person has to do something first. */
export function waitAfterRefusal(chance: Chance): number {
  const [shortest, longest] = REFUSED_MS;
  return shortest + (longest - shortest) * chance();
}
