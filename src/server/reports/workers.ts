import type { Logger } from "../lib/logger.ts";
import { PeriodicWorker, type Worker } from "../lib/worker.ts";
import type { Clock } from "../lib/clock.ts";
import type { Fleet } from "../nodes/fleet.ts";
import type { FleetSampler } from "./fleet-sampler.ts";
import type { Journal } from "./journal.ts";
import type { Receipts } from "./receipts.ts";
import type { Retention } from "./retention.ts";
import type { SilenceDetector } from "./silence.ts";
import type { ReportStore } from "./store.ts";

export interface ReportWorkerParts {
  fleet: Fleet;
  silence: SilenceDetector;
  sampler: FleetSampler;
  receipts: Receipts;
  retention: Retention;
  journal: Journal;
  store: ReportStore;
  clock: Clock;
  logger: Logger;
  /** Whether reports may have been taken elsewhere that are not known here. */
  isBehind(): boolean;
}

/** What happens to the fleet when nobody asks. */
export function reportWorkers(parts: ReportWorkerParts): Worker[] {
  const { logger, receipts, journal } = parts;
  return [
    new PeriodicWorker("silence", 1_000, () => watchFleet(parts), logger),
    new PeriodicWorker("fleet history", 1_000, () => parts.sampler.tick(), logger),
    new PeriodicWorker("receipts", 10_000, () => receipts.settle(() => journal.fold()), logger),
    new PeriodicWorker("retention", 60_000, () => parts.retention.run(), logger),
  ];
}

/** Declares nodes expired and offline; tests call it after moving the clock. */
export async function watchFleet(
  parts: Pick<ReportWorkerParts, "fleet" | "silence" | "store" | "clock" | "isBehind">,
): Promise<void> {
  const now = parts.clock.now();
  parts.fleet.expire(now);
  if (parts.isBehind()) return;
  const silent = parts.silence.look();
  const ids = silent.map((slot) => parts.fleet.columns.id[slot] as number).filter((id) => id > 0);
  for (let at = 0; at < ids.length; at += 500) {
    await parts.store.markSilent(ids.slice(at, at + 500), now);
  }
}
