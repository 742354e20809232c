/** How long ago or how far ahead, by the largest unit that fits: up to this many of the smaller. */
const relativeUnits = [
  ["second", 1],
  ["minute", 60],
  ["hour", 3600],
  ["day", 86_400],
  ["month", 2_629_746],
  ["year", 31_556_952],
] as const;

const KILO = 1000;
/** From here three digits say 1000. */
const ROUNDED_TO_KILO = 999.5;

/** Numbers, amounts and times as they are written in one language. */
export class Format {
  readonly #number: Intl.NumberFormat;
  readonly #precise: Intl.NumberFormat;
  readonly #percent: Intl.NumberFormat;
  readonly #relative: Intl.RelativeTimeFormat;
  readonly #dateTime: Intl.DateTimeFormat;
  readonly #date: Intl.DateTimeFormat;
  readonly #time: Intl.DateTimeFormat;
  readonly #day: Intl.DateTimeFormat;
  readonly #dayAndTime: Intl.DateTimeFormat;

  constructor(language: string) {
    this.#number = new Intl.NumberFormat(language, { maximumFractionDigits: 0 });
    this.#precise = new Intl.NumberFormat(language, { maximumSignificantDigits: 3 });
    this.#percent = new Intl.NumberFormat(language, { style: "percent", maximumFractionDigits: 1 });
    this.#relative = new Intl.RelativeTimeFormat(language, { numeric: "auto" });
    this.#dateTime = new Intl.DateTimeFormat(language, {
      dateStyle: "medium",
      timeStyle: "medium",
    });
    this.#date = new Intl.DateTimeFormat(language, { dateStyle: "medium", timeZone: "UTC" });
    this.#time = new Intl.DateTimeFormat(language, { timeStyle: "short" });
    this.#day = new Intl.DateTimeFormat(language, { month: "short", day: "numeric" });
    this.#dayAndTime = new Intl.DateTimeFormat(language, {
      month: "short",
      day: "numeric",
      hour: "numeric",
      minute: "2-digit",
    });
  }

  count(value: number): string {
    return this.#number.format(value);
  }

  /** Three digits. */
  precise(value: number): string {
    return this.#precise.format(value);
  }

  /** @param value 0–1 */
  share(value: number): string {
    return this.#percent.format(value);
  }

  /** @param mbits Mbit/s */
  bandwidth(mbits: number): string {
    return this.#scaled(mbits, ["Mbit/s", "Gbit/s", "Tbit/s"]);
  }

  /** @param gb GB, 10^9 bytes */
  traffic(gb: number): string {
    return gb > 0 && gb * KILO < ROUNDED_TO_KILO
      ? this.#scaled(gb * KILO, ["MB"])
      : this.#scaled(gb, ["GB", "TB", "PB", "EB"]);
  }

  duration(ms: number): string {
    if (ms < KILO) return `${this.#number.format(ms)} ms`;
    if (ms < 60 * KILO) return `${this.#precise.format(ms / KILO)} s`;
    const minutes = Math.round(ms / 60_000);
    if (minutes < 60) return `${minutes} min`;
    return `${Math.floor(minutes / 60)} h ${minutes % 60} min`;
  }

  /** A short time, to parts of a millisecond. */
  milliseconds(ms: number): string {
    return `${this.#precise.format(ms)} ms`;
  }

  /** In the zone of this device. @param at ISO 8601, or ms since 1970 */
  dateTime(at: string | number): string {
    return this.#dateTime.format(new Date(at));
  }

  /** A day without a time, as it is counted in UTC. @param day `YYYY-MM-DD` */
  date(day: string): string {
    return this.#date.format(new Date(day));
  }

  /** The time of day. */
  time(at: string | number): string {
    return this.#time.format(new Date(at));
  }

  day(at: string | number): string {
    return this.#day.format(new Date(at));
  }

  dayAndTime(at: string | number): string {
    return this.#dayAndTime.format(new Date(at));
  }

  /** "3 minutes ago", "in 2 days". */
  relative(at: string | number, now: number): string {
    const seconds = (new Date(at).getTime() - now) / KILO;
    const fitting = relativeUnits.findLast(([, length]) => Math.abs(seconds) >= length);
    const [unit, length] = fitting ?? relativeUnits[0];
    return this.#relative.format(Math.round(seconds / length), unit);
  }

  #scaled(value: number, units: readonly string[]): string {
    let scaled = value;
    let unit = 0;
    while (Math.abs(scaled) >= ROUNDED_TO_KILO && unit < units.length - 1) {
      scaled /= KILO;
      unit++;
    }
    const written = Math.abs(scaled) >= ROUNDED_TO_KILO ? this.#number : this.#precise;
    return `${written.format(scaled)} ${units[unit]}`;
  }
}
