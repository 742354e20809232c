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
import { Reports } from "../../src/server/reports/reports.ts";
import { ManualClock } from "./manual-clock.ts";
import { newPostgresDatabase } from "./postgres.ts";

const TOKEN = "the-report-token";
const OWNER = "owner@example.org";

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
    const owner = await db
      .insertInto("users")
      .values({
        email: OWNER,
        email_key: OWNER,
        password_hash: "-",
        is_admin: 0,
        verified: 1,
        disabled: 0,
        session_version: 1,
        created_at: now,
      })
      .returning("id")
      .executeTakeFirstOrThrow();
    const period = firstPeriod(now, 30);
    for (let node = 1; node <= count; node++) {
      const { id } = await db
        .insertInto("nodes")
        .values({
          owner_id: owner.id,
          node_name: `node-${node}`,
          region_type: "domestic",
          region_detail: "",
          connections: '[{"type":"TCP","ip":"192.0.2.1","port":11010}]',
          tier_bandwidth: 100,
          tier_since: now,
          max_bandwidth: 100,
          max_traffic: 1000,
          reset_cycle: 30,
          max_connections: 50,
          tags: "",
          valid_until: null,
          allow_relay: 0,
          enabled: 1,
          token_hash: hashToken(TOKEN).toString("hex"),
          previous_token_hash: null,
          previous_token_until: null,
          period_start: period.start,
          period_end: period.end,
          created_at: now,
        })
        .returning("id")
        .executeTakeFirstOrThrow();
      await db
        .insertInto("node_live")
        .values({
          node_id: id,
          reported_at: 0,
          bandwidth: 0,
          connections: 0,
          status: "offline",
          used: 0,
          used_rest: 0,
          period_start: period.start,
          tier_bandwidth: null,
          tier_at: 0,
          interval_ms: 0,
          version: "",
          journal_seq: 0,
          open_history: null,
          silent: 0,
        })
        .execute();
    }
  }
}

export interface ReportReply {
  message: string;
  used_traffic: number;
  max_traffic: number;
  reset_date: string;
}
