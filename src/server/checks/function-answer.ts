import { Type } from "typebox";
import { Compile } from "typebox/compile";
import { OfflineResult, OnlineResult, type CheckResult } from "../../shared/api/checks.ts";

/** ISO 8601 with date and time: another program may write fractions and zones in its own way. */
const IsoTime = Type.String({
  pattern: String.raw`^\d{4}-\d\d-\d\dT\d\d:\d\d(:\d\d(\.\d{1,9})?)?(Z|[+-]\d\d(:?\d\d)?)?$`,
});

/** The contract, to the letter: `error` is there when offline, and only then. */
const Result = Type.Union([
  Type.Object({
    ...OnlineResult.properties,
    check_time: IsoTime,
    error: Type.Optional(Type.Never()),
  }),
  Type.Object({ ...OfflineResult.properties, check_time: IsoTime }),
]);

const result = Compile(Result);
const batch = Compile(Type.Object({ results: Type.Array(Result) }));

/** One result of a check function, as it is; undefined when the text is anything else. */
export function readResult(text: string): CheckResult | undefined {
  const value = parse(text);
  return result.Check(value) ? value : undefined;
}

/** The results of a batch, as they are; undefined when the text is anything else. */
export function readBatch(text: string): CheckResult[] | undefined {
  const value = parse(text);
  return batch.Check(value) ? value.results : undefined;
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
