import { setTimeout as sleep } from "node:timers/promises";
import type { Metric } from "prom-client";
import type { Probe } from "../../probe/probe.ts";
import type { Slots } from "../../probe/slots.ts";
import type { Config } from "../config.ts";
import type { Database } from "../database/database.ts";
import type { Clock } from "../lib/clock.ts";
import type { Part } from "../lib/lifecycle.ts";
import type { Logger } from "../lib/logger.ts";
import { PeriodicWorker, type Worker } from "../lib/worker.ts";
import type { Fleet } from "../nodes/fleet.ts";
import { AddressBudget } from "./address-budget.ts";
import { backgroundMetrics } from "./background-metrics.ts";
import { BackgroundProbe } from "./background-probe.ts";
import { Checker } from "./checker.ts";
import { NodeChecksView, type OwnNodes } from "./node-checks.ts";
import { CheckRecords } from "./records.ts";
import { CheckRetention } from "./retention.ts";
import { CheckStore } from "./store.ts";
import { CheckWriter } from "./writer.ts";

const TICK_MS = 1_000;
const FLUSH_EVERY_MS = 3_000;
const RETENTION_EVERY_MS = 60_000;
/** What a storage that hangs may take of the time that the whole service has to stop. */
const LAST_FLUSH_MS = 1_500;

export interface BackgroundGround {
  config: Pick<Config, "checks">;
  database: Database;
  fleet: Fleet;
  nodes: OwnNodes;
  probe: Pick<Probe, "check">;
  /** Shared with the checks that are asked for. */
  slots: Slots;
  clock: Clock;
  logger: Logger;
}

/** The checks that nobody asks for: done where an interval is set, kept and shown in any case. */
export class BackgroundChecks implements Part {
  readonly name = "background checks";
  readonly view: NodeChecksView;
  readonly metrics: Metric[];
  readonly #checker: Checker | undefined;
  readonly #writer: CheckWriter;
  readonly #retention: CheckRetention;
  readonly #workers: Worker[];

  constructor(ground: BackgroundGround) {
    const { database, fleet, nodes, clock, logger } = ground;
    const { intervalMs } = ground.config.checks;
    const store = new CheckStore(database);
    const records = new CheckRecords();
    const checker = intervalMs === 0 ? undefined : createChecker(ground, records);
    const isUnavailable = (error: unknown) => database.dialect.isUnavailable(error);
    this.view = new NodeChecksView({ fleet, nodes, store, clock, intervalMs });
    this.metrics = backgroundMetrics(checker);
    this.#checker = checker;
    this.#writer = new CheckWriter({ records, store, isUnavailable, logger });
    this.#retention = new CheckRetention(store, clock);
    this.#workers = [
      new PeriodicWorker("background checks", TICK_MS, () => checker?.tick(), logger),
      new PeriodicWorker("results of checks", FLUSH_EVERY_MS, () => this.#settle(), logger),
      new PeriodicWorker("old checks", RETENTION_EVERY_MS, () => this.#retention.run(), logger),
    ];
  }

  start(): void {
    for (const worker of this.#workers) worker.start();
  }

  /** Gives up what runs and writes what was found, if the storage answers soon. */
  async stop(): Promise<void> {
    await this.#checker?.stop();
    await Promise.race([this.#flushLast(), sleep(LAST_FLUSH_MS, undefined, { ref: false })]);
  }

  /** Starts the checks that are due and waits for them. */
  async runChecks(): Promise<void> {
    this.#checker?.tick();
    await this.#checker?.idle();
  }

  /** Does now what the workers do by time. */
  async runWorkersOnce(): Promise<void> {
    await this.runChecks();
    await this.#settle();
    await this.#retention.run();
  }

  async #flushLast(): Promise<void> {
    for (const worker of this.#workers) await worker.stop();
    await this.#writer.flush();
  }

  async #settle(): Promise<void> {
    this.#checker?.sweep();
    await this.#writer.flush();
  }
}

function createChecker(ground: BackgroundGround, records: CheckRecords): Checker {
  const { fleet, clock, logger, probe, slots } = ground;
  const { intervalMs, policy, allow } = ground.config.checks;
  return new Checker({
    fleet,
    clock,
    logger,
    records,
    intervalMs,
    probe: new BackgroundProbe({
      probe,
      slots,
      // Nobody on this machine has asked, so `auto` is `public`.
      policy: policy === "any" ? "any" : "public",
      allow,
      budget: new AddressBudget(clock, intervalMs),
      logger,
    }),
  });
}
