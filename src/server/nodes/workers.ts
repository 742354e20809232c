import type { Logger } from "../lib/logger.ts";
import { PeriodicWorker, type Worker } from "../lib/worker.ts";
import type { NodeService } from "./service.ts";

const SETTLE_EVERY_MS = 5_000;

export function nodeWorkers(nodes: NodeService, logger: Logger): Worker[] {
  return [new PeriodicWorker("nodes", SETTLE_EVERY_MS, () => nodes.settle(), logger)];
}
