import { bytesBetween, type Bytes, type Counters } from "./counters.ts";
import { MOST_BYTES, toGb, type Load, type Report } from "./report.ts";
import type { Source } from "./source.ts";

/** Which direction counts as traffic. */
export type Direction = "both" | "in" | "out";

/** What the service said last: GB in the running period, and when that ends. */
export interface Answer {
  usedTraffic: number;
  resetDate: string;
}

/** What must survive a crash, so that each byte is reported once. */
export interface Ledger {
  /** Name of the source of the counters; undefined before the first reading. */
  source: string | undefined;
  /** As they were when they were counted last. */
  counters: Counters;
  /** Counted, and in no report yet. */
  owed: bigint;
  /** On its way: made, and not known to be answered. */
  pending: Report | undefined;
  answer: Answer | undefined;
}

export const emptyLedger: Ledger = {
  source: undefined,
  counters: new Map(),
  owed: 0n,
  pending: undefined,
  answer: undefined,
};

/** Counts what has passed since the last reading. The first one of a source counts nothing. */
export function count(
  ledger: Ledger,
  source: Pick<Source, "name" | "bits">,
  counters: Counters,
  direction: Direction,
): { ledger: Ledger; passed: Bytes } {
  const isFirst = ledger.source !== source.name;
  const before = isFirst ? counters : ledger.counters;
  const passed = bytesBetween(before, counters, source.bits);
  const counted = { both: passed.in + passed.out, in: passed.in, out: passed.out }[direction];
  const owed = ledger.owed + counted;
  return { ledger: { ...ledger, source: source.name, counters, owed }, passed };
}

/** Whether a counter began again: what it showed before then is known here alone. */
export function beganAgain(before: Counters, now: Counters): boolean {
  return [...before].some(([name, { life }]) => now.get(name)?.life !== life);
}

/**
 * Puts what is owed into a report. There is one on its way at most. The first one says that the node
 * is there and carries nothing: from its answer on, `settle` can tell what became of a report.
 */
export function propose(
  ledger: Ledger,
  id: string,
  madeAt: number,
  load: Load,
): Ledger & { pending: Report } {
  if (ledger.pending) throw new Error("There is a report on its way");
  const most = ledger.answer ? MOST_BYTES : 0n;
  const bytes = ledger.owed < most ? ledger.owed : most;
  return { ...ledger, owed: ledger.owed - bytes, pending: { id, madeAt, bytes, load } };
}

export function acknowledge(ledger: Ledger, answer: Answer): Ledger {
  return { ...ledger, pending: undefined, answer };
}

/** The sums of the service are exact to the byte. */
const TOLERANCE_GB = 2e-9;

export type Settlement = "counted" | "not counted" | "unknown";

/**
 * What became of a report so old that the service may have forgotten its id, told by the sum that
 * it shows now. What is not known to have been counted is owed again: nothing is lost.
 * @param now the answer to a report without traffic
 */
export function settle(ledger: Ledger, now: Answer): { ledger: Ledger; settlement: Settlement } {
  const { pending, answer, owed } = ledger;
  if (!pending) throw new Error("There is no report on its way");
  const settlement = settlementOf(pending.bytes, answer, now);
  const again = settlement === "counted" ? 0n : pending.bytes;
  return { ledger: { ...acknowledge(ledger, now), owed: owed + again }, settlement };
}

function settlementOf(bytes: bigint, before: Answer | undefined, now: Answer): Settlement {
  if (bytes === 0n) return "not counted";
  if (before === undefined || before.resetDate !== now.resetDate) return "unknown";
  const grown = now.usedTraffic - before.usedTraffic;
  if (Math.abs(grown - toGb(bytes)) <= TOLERANCE_GB) return "counted";
  return Math.abs(grown) <= TOLERANCE_GB ? "not counted" : "unknown";
}
