import type { LogEvent } from "kysely";
import { Histogram } from "prom-client";

const BUCKETS = [0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 1, 5];

/** How long statements take, beside those of the report journal, which has a number of its own. */
export class QueryMeter {
  readonly durations = new Histogram({
    name: "waypost_database_query_duration_seconds",
    help: "Time from a statement to its result, without the journal of reports.",
    labelNames: ["outcome"],
    buckets: BUCKETS,
    registers: [],
  });

  /** For Kysely to call. */
  readonly note = ({ level, queryDurationMillis }: LogEvent): void => {
    const outcome = level === "error" ? "failed" : "done";
    this.durations.observe({ outcome }, queryDurationMillis / 1000);
  };
}
