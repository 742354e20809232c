import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { DatabaseTarget } from "../../src/server/config.ts";
import { openDatabase, type Database } from "../../src/server/database/database.ts";
import { createLogger } from "../../src/server/lib/logger.ts";
import { hashToken } from "../../src/server/lib/tokens.ts";
import { loadFleet } from "../../src/server/nodes/fleet-loader.ts";
import { Fleet } from "../../src/server/nodes/fleet.ts";
import { firstPeriod } from "../../src/server/nodes/period.ts";
import { withDefaults } from "../../src/server/nodes/settings.ts";
import { insertNode } from "../../src/server/nodes/store.ts";
import { Reports } from "../../src/server/reports/reports.ts";
import type { Connection } from "../../src/shared/api/nodes.ts";
import { ManualClock } from "./manual-clock.ts";
import { newPostgresDatabase } from "./postgres.ts";
import { insertOwner } from "./stored-owner.ts";

const TOKEN = "the-report-token";
const OWNER = "owner@example.org";
const CONNECTION: Connection = { type: "TCP", ip: "192.0.2.1", port: 11010 };

/** The reports' part of a service on a real storage, without HTTP. */
export class Reporting {
  readonly clock = new ManualClock();
  readonly fatal: Error[] = [];
  readonly target: DatabaseTarget;
  readonly folder: string;
  database!: Database;
  fleet!: Fleet;
  reports!: Reports;

  private constructor(target: DatabaseTarget, folder: string) {
    this.target = target;
    this.folder = folder;
  }

  static async start(dialect: "sqlite" | "postgres", nodes = 1): Promise<Reporting> {
    const folder = await mkdtemp(join(tmpdir(), "waypost-test-"));
    const target: DatabaseTarget =
      dialect === "sqlite"
        ? { dialect, file: join(folder, "waypost.db") }
        : { dialect, url: await newPostgresDatabase() };
    const reporting = new Reporting(target, folder);
    await reporting.open(nodes);
    return reporting;
  }

  /** Opens the storage of `target` as a process that starts does. */
  async open(newNodes = 0, target = this.target): Promise<void> {
    const logger = createLogger("silent");
    const { clock } = this;
    this.database = await openDatabase(target, clock, logger);
    if (newNodes > 0) await this.#addNodes(newNodes);
    this.fleet = new Fleet();
    this.reports = await Reports.open({
      database: this.database,
      fleet: this.fleet,
      instance: "main",
      clock,
      logger,
      onFatal: (error) => this.fatal.push(error),
    });
    await loadFleet(this.database.db, this.fleet, clock);
    this.reports.start();
  }

  async close(): Promise<void> {
    await this.reports.stop();
    await this.database.close();
  }

  async end(): Promise<void> {
    await this.close();
    await rm(this.folder, { recursive: true, force: true });
  }

  async restart(): Promise<void> {
    await this.close();
    await this.open();
  }

  /** The answer to a report of node number `node`. */
  async report(node: number, fields: Record<string, unknown> = {}): Promise<ReportReply> {
    const body = {
      node_name: `node-${node}`,
      email: OWNER,
      token: TOKEN,
      current_bandwidth: 10,
      reported_traffic: 0.1,
      connection_count: 3,
      status: "online",
      ...fields,
    };
    return JSON.parse(await this.reports.service.accept(body)) as ReportReply;
  }

  usedTraffic(node: number): number {
    const slot = this.fleet.slotByKey(OWNER, `node-${node}`);
    if (slot === undefined) throw new Error(`no node ${node}`);
    return this.fleet.usedTraffic(slot, this.clock.now());
  }

  async #addNodes(count: number): Promise<void> {
    const { db } = this.database;
    const now = this.clock.now();
    const ownerId = await insertOwner(db, OWNER, now);
    const tokenHash = hashToken(TOKEN);
    const period = firstPeriod(now, 30);
    for (let node = 1; node <= count; node++) {
      const name = `node-${node}`;
      const set = withDefaults({ name, regionType: "domestic", connections: [CONNECTION] });
      await insertNode(db, {
        ...set,
        tierBandwidth: 100,
        maxBandwidth: 100,
        maxTraffic: 1000,
        maxConnections: 50,
        ownerId,
        tierSince: now,
        enabled: true,
        tokenHash,
        period,
        createdAt: now,
      });
    }
  }
}

export interface ReportReply {
  message: string;
  used_traffic: number;
  max_traffic: number;
  reset_date: string;
}
