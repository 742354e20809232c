import { Gauge, type Histogram, type Metric } from "prom-client";
import type { Logger } from "../lib/logger.ts";
import { counterOf, gaugeOf } from "../lib/metric.ts";
import type { CommitterStatistics } from "./committer.ts";

export interface ReportNumbers {
  statistics: () => CommitterStatistics & { suspectsItself: boolean };
  /** Of commits. */
  durations: Histogram;
  /** Rows of the journal that are not in the tables yet. */
  countJournal: () => Promise<number>;
  isHealthy: () => boolean;
  logger: Logger;
}

/** Numbers about reports since the start of the process. */
export function reportMetrics(numbers: ReportNumbers): Metric[] {
  const { statistics, durations, isHealthy } = numbers;
  return [
    counterOf("waypost_reports_total", "Reports made durable.", () => statistics().reports),
    counterOf(
      "waypost_report_batches_total",
      "Group commits of reports.",
      () => statistics().batches,
    ),
    counterOf(
      "waypost_report_batches_failed_total",
      "Group commits that failed.",
      () => statistics().failedBatches,
    ),
    gaugeOf(
      "waypost_reports_queued",
      "Reports that wait for their commit.",
      () => statistics().queued,
    ),
    gaugeOf("waypost_report_storage_up", "1 while reports can be stored.", () =>
      isHealthy() ? 1 : 0,
    ),
    gaugeOf(
      "waypost_silence_suspended",
      "1 while so many nodes are silent that the service suspects its own connection.",
      () => (statistics().suspectsItself ? 1 : 0),
    ),
    journalRows(numbers),
    durations,
  ];
}

/** Stays as it was while the storage does not answer. */
function journalRows({ countJournal, logger }: ReportNumbers): Gauge {
  return new Gauge({
    name: "waypost_report_journal_rows",
    help: "Batches of reports that wait to be folded into the tables, of all instances.",
    registers: [],
    async collect() {
      try {
        this.set(await countJournal());
      } catch (error) {
        logger.debug({ err: error }, "the rows of the report journal could not be counted");
      }
    },
  });
}
