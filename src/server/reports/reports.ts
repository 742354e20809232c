import type { Metric } from "prom-client";
import type { Database, Db } from "../database/database.ts";
import type { Clock } from "../lib/clock.ts";
import type { Logger } from "../lib/logger.ts";
import type { Worker } from "../lib/worker.ts";
import type { Fleet } from "../nodes/fleet.ts";
import { FollowedReports } from "./followed.ts";
import { Committer, type CommitterStatistics } from "./committer.ts";
import { FleetSampler } from "./fleet-sampler.ts";
import { OpenHistory, type HistoryBucket } from "./history.ts";
import { PostgresJournal } from "./journal-postgres.ts";
import { SqliteJournal } from "./journal-sqlite.ts";
import type { Journal } from "./journal.ts";
import type { Others } from "./others.ts";
import { MeteredJournal } from "./metered-journal.ts";
import { reportMetrics } from "./metrics.ts";
import { Receipts } from "./receipts.ts";
import { Retention } from "./retention.ts";
import { ReportService } from "./service.ts";
import { SilenceDetector } from "./silence.ts";
import { ReportStore } from "./store.ts";
import { reportWorkers, watchFleet } from "./workers.ts";

export interface ReportsOptions {
  database: Database;
  fleet: Fleet;
  instance: string;
  clock: Clock;
  logger: Logger;
  /** The storage can no longer be trusted: the process must end without another write. */
  onFatal: (error: Error) => void;
}

/** The whole of the reports: from the request to the tables. */
export class Reports {
  readonly service: ReportService;
  readonly workers: Worker[];
  /** What other instances have taken. */
  readonly followed: FollowedReports;
  readonly #options: ReportsOptions;
  readonly #journal: Journal;
  readonly #committer: Committer;
  readonly #store: ReportStore;
  readonly #receipts: Receipts;
  readonly #silence: SilenceDetector;
  readonly #sampler: FleetSampler;
  readonly #retention: Retention;
  /** For Prometheus. */
  readonly metrics: readonly Metric[];
  #loadingReceipts: Promise<void> = Promise.resolve();
  #stopping = false;
  #isBehind: () => boolean = () => false;

  private constructor(options: ReportsOptions, journal: Journal) {
    const { database, fleet, clock, logger } = options;
    this.#options = options;
    this.#journal = journal;
    this.#store = new ReportStore(database.db);
    const metered = new MeteredJournal(journal, () => performance.now());
    this.#committer = new Committer(metered, logger, options.onFatal);
    this.#receipts = new Receipts(this.#store);
    this.service = new ReportService(fleet, this.#committer, this.#receipts, clock);
    this.followed = new FollowedReports(database.db, options.instance, (record) =>
      this.service.takeIn(record),
    );
    this.#silence = new SilenceDetector(fleet, clock, logger);
    this.#sampler = new FleetSampler(fleet, this.#store, clock, () => this.service.acceptedTraffic);
    this.#retention = new Retention(this.#store, clock);
    this.metrics = reportMetrics({
      statistics: () => this.statistics,
      durations: metered.durations,
      countJournal: () => this.#store.countJournal(),
      isHealthy: () => this.fault === undefined,
      logger,
    });
    this.workers = reportWorkers({
      fleet,
      silence: this.#silence,
      sampler: this.#sampler,
      receipts: this.#receipts,
      retention: this.#retention,
      journal,
      store: this.#store,
      clock,
      logger,
      isBehind: () => this.#isBehind(),
    });
  }

  /** Opens the journal and brings what it still holds into the tables. Load the fleet after it. */
  static async open(options: ReportsOptions): Promise<Reports> {
    const { database, instance, logger } = options;
    const journal =
      database.kind === "sqlite"
        ? await SqliteJournal.open(database.thread, (error) =>
            logger.warn({ err: error }, "reports wait in the journal; the fold is tried again"),
          )
        : await PostgresJournal.open(database, instance, logger);
    return new Reports(options, journal);
  }

  /** Other instances take reports of the same nodes. `isBehind`: some may not be known here. */
  follow(others: Others, isBehind: () => boolean): void {
    this.service.follow(others);
    this.#isBehind = isBehind;
    if (this.#journal instanceof PostgresJournal) this.#journal.onStored = () => others.tell();
  }

  /**
   * Has the fleet loaded and takes in what the journals hold beyond that.
   * @param load fills the fleet; whatever else it reads is of the same moment
   */
  load(load: (transaction: Db) => Promise<void>): Promise<void> {
    const { database } = this.#options;
    if (database.kind === "sqlite") return load(database.db);
    return database.db
      .transaction()
      .setIsolationLevel("repeatable read")
      .execute(async (transaction) => {
        await load(transaction);
        this.#receipts.countAgain();
        const { acceptedTraffic } = this.service;
        await this.followed.begin(transaction);
        this.service.acceptedTraffic = acceptedTraffic;
      });
  }

  /** The same while the service runs; reports are refused meanwhile. */
  async loadAgain(load: (transaction: Db) => Promise<void>): Promise<void> {
    await this.#committer.whilePaused(() => this.load(load));
    this.#silence.startWatch();
    this.#loadReceipts();
  }

  /** Call when the fleet is loaded, before the first report. */
  start(): void {
    this.#silence.startWatch();
    this.#loadReceipts();
    for (const worker of this.workers) worker.start();
  }

  #loadReceipts(): void {
    const { clock, logger } = this.#options;
    this.#loadingReceipts = this.#receipts
      .load(clock.now(), () => this.#stopping)
      .catch((error: unknown) => {
        logger.warn({ err: error }, "known report ids could not be read; each one is looked up");
      });
  }

  /** Settles what was accepted and folds it. */
  async stop(): Promise<void> {
    this.#stopping = true;
    for (const worker of this.workers) await worker.stop();
    await this.#loadingReceipts;
    await this.#committer.close();
    await this.#journal.close();
  }

  /** Why reports cannot be taken now; undefined when they can. */
  get fault(): string | undefined {
    return this.#committer.healthy ? undefined : "reports cannot be stored";
  }

  get statistics(): CommitterStatistics & { suspectsItself: boolean } {
    return { ...this.#committer.statistics, suspectsItself: this.#silence.suspectsItself };
  }

  /** The unfinished minute, hour and day of a node, as of the last fold. */
  async openHistory(nodeId: number): Promise<HistoryBucket[]> {
    return new OpenHistory(await this.#store.openHistory(nodeId)).open();
  }

  /** Does now what the workers do by time. */
  async runWorkersOnce(): Promise<void> {
    const { fleet, clock } = this.#options;
    await this.#journal.fold();
    const isBehind = () => this.#isBehind();
    await watchFleet({ fleet, silence: this.#silence, store: this.#store, clock, isBehind });
    await this.#sampler.tick();
    await this.#receipts.settle(() => this.#journal.fold());
    await this.#retention.run();
  }
}
