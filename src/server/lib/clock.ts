/** Wall-clock time, injected so that tests can move it. */
export interface Clock {
  /** Milliseconds since 1970, UTC. */
  now(): number;
}

export const systemClock: Clock = { now: () => Date.now() };

export const MINUTE_MS = 60_000;
export const HOUR_MS = 3_600_000;
export const DAY_MS = 86_400_000;

/** The start of the UTC day that holds `at`. */
export function startOfDay(at: number): number {
  return at - (((at % DAY_MS) + DAY_MS) % DAY_MS);
}

export function toIso(at: number): string {
  return new Date(at).toISOString();
}
