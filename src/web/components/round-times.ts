const A_MINUTE_MS = 60_000;
const AN_HOUR_MS = 60 * A_MINUTE_MS;
const A_DAY_MS = 24 * AN_HOUR_MS;

/** Steps shorter than a day, ms. */
const steps = [1, 2, 5, 10, 15, 30]
  .map((minutes) => minutes * A_MINUTE_MS)
  .concat([1, 2, 3, 6, 12].map((hours) => hours * AN_HOUR_MS));
const daySteps = [1, 2, 3, 5, 7, 10, 14];
const monthSteps = [1, 2, 3, 6, 12];
const DAYS_PER_MONTH = 30.5;

/**
 * Whole minutes, hours, days or first days of months between two moments, at most `most` of them
 * but where not even years fit; in the zone of this device. ms since 1970
 */
export function roundTimes(from: number, to: number, most: number): number[] {
  const least = (to - from) / Math.max(most, 1);
  const step = steps.find((each) => each >= least);
  if (step !== undefined) return every(from, to, (midnight, n) => midnight.getTime() + n * step);
  const days = daySteps.find((each) => each * A_DAY_MS >= least);
  if (days !== undefined) {
    return every(from, to, (first, n) => new Date(first).setDate(first.getDate() + n * days));
  }
  const months =
    monthSteps.find((each) => each * DAYS_PER_MONTH * A_DAY_MS >= least) ?? monthSteps.at(-1);
  return every(from, to, (start, n) => {
    const january = new Date(start.getFullYear(), 0);
    return january.setMonth(n * (months ?? 1));
  });
}

/** Those of the moments that lie between; `at` counts from the midnight before `from`. */
function every(from: number, to: number, at: (midnight: Date, n: number) => number): number[] {
  const midnight = new Date(from);
  midnight.setHours(0, 0, 0, 0);
  const times: number[] = [];
  for (let n = 0, time = at(midnight, 0); time <= to; time = at(midnight, ++n)) {
    if (time >= from) times.push(time);
  }
  return times;
}
