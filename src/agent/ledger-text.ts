import type { Counter } from "./counters.ts";
import type { Ledger } from "./ledger.ts";
import type { Load, Report } from "./report.ts";

const FORMAT = 1;

/** The ledger as JSON can hold it: counts of bytes are decimal text. */
interface LedgerJson {
  format: typeof FORMAT;
  source: string | null;
  /** name, life, in, out */
  counters: [string, string, string, string][];
  owed: string;
  pending: { id: string; made_at: number; bytes: string; load: LoadJson } | null;
  answer: { used_traffic: number; reset_date: string } | null;
}

interface LoadJson {
  bandwidth: number;
  connections: number;
  status: Load["status"];
  version: string | null;
  interval_seconds: number;
}

export function toText({ source, counters, owed, pending, answer }: Ledger): string {
  const json: LedgerJson = {
    format: FORMAT,
    source: source ?? null,
    counters: [...counters].map(([name, counter]) => [
      name,
      counter.life,
      String(counter.in),
      String(counter.out),
    ]),
    owed: String(owed),
    pending: pending ? toReportJson(pending) : null,
    answer: answer ? { used_traffic: answer.usedTraffic, reset_date: answer.resetDate } : null,
  };
  return JSON.stringify(json);
}

function toReportJson({ id, madeAt, bytes, load }: Report): LedgerJson["pending"] {
  const { intervalSeconds, version, ...rest } = load;
  const loadJson = { ...rest, version: version ?? null, interval_seconds: intervalSeconds };
  return { id, made_at: madeAt, bytes: String(bytes), load: loadJson };
}

/** @param text from `toText`. @throws Error when a newer program has written it */
export function fromText(text: string): Ledger {
  const json = JSON.parse(text) as LedgerJson;
  if (json.format !== FORMAT) throw new Error(`it has the unknown format ${String(json.format)}`);
  return {
    source: json.source ?? undefined,
    counters: new Map(json.counters.map(([name, ...counter]) => [name, toCounter(counter)])),
    owed: BigInt(json.owed),
    pending: json.pending ? toReport(json.pending) : undefined,
    answer: json.answer
      ? { usedTraffic: json.answer.used_traffic, resetDate: json.answer.reset_date }
      : undefined,
  };
}

function toCounter([life, bytesIn, bytesOut]: [string, string, string]): Counter {
  return { life, in: BigInt(bytesIn), out: BigInt(bytesOut) };
}

function toReport({
  id,
  made_at: madeAt,
  bytes,
  load,
}: NonNullable<LedgerJson["pending"]>): Report {
  const { interval_seconds: intervalSeconds, version, ...rest } = load;
  const loaded = { ...rest, version: version ?? undefined, intervalSeconds };
  return { id, madeAt, bytes: BigInt(bytes), load: loaded };
}
