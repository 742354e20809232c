import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect } from "vitest";
import {
  createReporters,
  EMAIL,
  PASSWORD,
  SETUP_SECRET,
  shownTraffic,
} from "../durability/fleet-of-reporters.ts";
import { ReportStorm, type StormNode } from "../durability/report-storm.ts";
import { ServiceProcess } from "../durability/service-process.ts";
import { logIn } from "./accounts.ts";
import { FaultWatch } from "./fault-watch.ts";

const NODES = 5;
const REPORTS_PER_SECOND = 100;
/** The longest that a report may wait for its answer, whatever the storage does. */
const LONGEST_WAIT_MS = 6_500;

/** A real service under a steady load of reports, whose books are kept. */
export class FaultStage {
  service: ServiceProcess;
  readonly watch: FaultWatch;
  readonly nodes: readonly StormNode[];
  readonly storm: ReportStorm;
  readonly #folder: string;
  readonly #settings: Record<string, string>;
  readonly #environment: Record<string, string>;
  #ending: AbortController | undefined;
  #running: Promise<void> = Promise.resolve();

  private constructor(
    service: ServiceProcess,
    nodes: readonly StormNode[],
    folder: string,
    settings: Record<string, string>,
    environment: Record<string, string>,
  ) {
    this.service = service;
    this.nodes = nodes;
    this.watch = new FaultWatch(() => this.service.origin);
    this.storm = new ReportStorm(EMAIL, nodes);
    this.#folder = folder;
    this.#settings = settings;
    this.#environment = environment;
  }

  /**
   * @param settings without their prefix; the data lies in a folder of its own unless they say
   *   otherwise
   */
  static async set(
    settings: Record<string, string> = {},
    environment: Record<string, string> = {},
  ): Promise<FaultStage> {
    const folder = await mkdtemp(join(tmpdir(), "waypost-fault-"));
    const all = {
      PORT: "0",
      JWT_SECRET: SETUP_SECRET,
      RATE_LIMIT: "off",
      LOG_LEVEL: "silent",
      DATA_DIR: folder,
      ...settings,
    };
    const service = await ServiceProcess.start(all, environment);
    const nodes = await createReporters(service, NODES);
    return new FaultStage(service, nodes, folder, all, environment);
  }

  /** Reports flow until `endLoad`. */
  beginLoad(): void {
    this.#ending = new AbortController();
    this.#running = this.storm.run(this.watch, REPORTS_PER_SECOND, this.#ending.signal);
  }

  async endLoad(): Promise<void> {
    this.#ending?.abort();
    await this.#running;
  }

  /** Waits until the reports of the running load are answered with `status`. */
  async untilReports(status: number): Promise<void> {
    const before = this.watch.count(status);
    await expect
      .poll(() => this.watch.count(status) - before, { timeout: 20_000, interval: 20 })
      .toBeGreaterThan(20);
  }

  /** What needs no storage is answered at once. */
  async expectReads(): Promise<void> {
    const reader = new FaultWatch(() => this.service.origin);
    const query = await reader.request("POST", "/api/query", { body: {} });
    const list = await reader.request("GET", "/api/public");
    const stats = await reader.request("GET", "/api/stats");
    expect((query.body.nodes as unknown[]).length).toBe(3);
    expect((list.body.nodes as unknown[]).length).toBe(NODES);
    expect(stats.body.total_nodes).toBe(NODES);
    expect((await reader.request("GET", "/healthz")).status).toBe(200);
    expect(reader.slowestMs).toBeLessThan(1_000);
    reader.close();
  }

  /** A request that needs the storage. @returns its status */
  async tryLogIn(): Promise<number> {
    const body = { email: EMAIL, password: PASSWORD };
    return (await this.service.request("POST", "/api/auth/login", { body })).status;
  }

  /** @returns a session of the owner of the nodes */
  logIn(): Promise<string> {
    return logIn(this.service, EMAIL, PASSWORD);
  }

  /** A report of the first node. */
  reportBody(reportId: string, gb: number): Record<string, unknown> {
    const [node] = this.nodes;
    return {
      node_name: node?.name,
      email: EMAIL,
      token: node?.token,
      current_bandwidth: 1,
      reported_traffic: gb,
      connection_count: 1,
      status: "online",
      report_id: reportId,
    };
  }

  /** Reports were answered with 200 or 503 only, in time, and told when to come back. */
  expectManners(): void {
    expect(this.storm.surprises).toEqual([]);
    expect([...this.watch.statuses.keys()].filter((each) => each !== 200 && each !== 503)).toEqual(
      [],
    );
    expect(this.watch.withoutRetryAfter).toBe(0);
    expect(this.watch.slowestMs).toBeLessThan(LONGEST_WAIT_MS);
  }

  /** As `expectSettled`, now and after a restart. */
  async expectBooks(): Promise<void> {
    await this.expectSettled();
    await this.restart();
    await this.expectExactly();
  }

  /**
   * All that was acknowledged is there; what was not is sent again, and then every report is counted
   * exactly once.
   */
  async expectSettled(): Promise<void> {
    const shown = await shownTraffic(this.service);
    for (const node of this.nodes) {
      expect(shown.get(node.name), node.name).toBeGreaterThanOrEqual(this.storm.expected(node));
    }
    await this.storm.settle(this.watch);
    expect(this.storm.unanswered).toEqual([]);
    await this.expectExactly();
  }

  async restart(): Promise<void> {
    expect(await this.service.terminate()).toBe(0);
    await this.start();
  }

  /** Starts the service again on the same storage. */
  async start(): Promise<void> {
    this.watch.close();
    this.service = await ServiceProcess.start(this.#settings, this.#environment);
  }

  /** Every acknowledged report is counted exactly once, and no other. */
  async expectExactly(): Promise<void> {
    const shown = await shownTraffic(this.service);
    for (const node of this.nodes) {
      expect(shown.get(node.name), node.name).toBe(this.storm.expected(node));
    }
  }

  async clear(): Promise<void> {
    await this.endLoad();
    this.watch.close();
    await this.service.kill();
    await rm(this.#folder, { recursive: true, force: true });
  }
}
