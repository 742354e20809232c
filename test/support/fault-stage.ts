import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
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
const LONGEST_STOP_MS = 10_000;

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
    const enough = this.watch.count(status) + 20;
    const deadline = performance.now() + 20_000;
    while (this.watch.count(status) < enough) {
      if (performance.now() > deadline) throw new Error(`reports are not answered with ${status}`);
      await sleep(20);
    }
  }

  /** What is wrong with answers that need no storage. */
  async wrongReads(): Promise<string[]> {
    const reader = new FaultWatch(() => this.service.origin);
    const query = await reader.request("POST", "/api/query", { body: {} });
    const list = await reader.request("GET", "/api/public");
    const stats = await reader.request("GET", "/api/stats");
    const health = await reader.request("GET", "/healthz");
    reader.close();
    return wrong({
      "the query finds nodes": query.body.nodes?.length === 3,
      "the public list is whole": list.body.nodes?.length === NODES,
      "the statistics count all": stats.body.total_nodes === NODES,
      "the process is healthy": health.status === 200,
      "reads are quick": reader.slowestMs < 1_000,
    });
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

  /** What is wrong with the answers to reports: 200 or 503 with a time to come back, soon. */
  wrongAnswers(): string[] {
    const others = [...this.watch.statuses.keys()].filter((each) => each !== 200 && each !== 503);
    return [
      ...this.storm.surprises,
      ...others.map((status) => `status ${status}`),
      ...wrong({
        "503 says when to come back": this.watch.withoutRetryAfter === 0,
        [`answered in time (${this.watch.slowestMs} ms)`]: this.watch.slowestMs < LONGEST_WAIT_MS,
      }),
    ];
  }

  /** As `wrongSettled`, now and after a restart. */
  async wrongBooks(): Promise<string[]> {
    const now = await this.wrongSettled();
    const stop = await this.wrongStop();
    await this.start();
    return [...now, ...stop, ...(await this.wrongSums())];
  }

  /** Ends the service with SIGTERM. */
  async wrongStop(): Promise<string[]> {
    const startedAt = performance.now();
    const status = await this.service.terminate();
    const tookMs = performance.now() - startedAt;
    return wrong({
      [`it ends with status 0 (${status})`]: status === 0,
      [`it ends in time (${tookMs} ms)`]: tookMs < LONGEST_STOP_MS,
    });
  }

  /**
   * Sends again what was not acknowledged. @returns acknowledged reports that were not there
   * before, and sums that are not exactly right afterwards
   */
  async wrongSettled(): Promise<string[]> {
    const shown = await shownTraffic(this.service);
    const lost = this.nodes.filter(
      (node) => !((shown.get(node.name) ?? 0) >= this.storm.expected(node)),
    );
    await this.storm.settle(this.watch);
    return [
      ...lost.map((node) => `reports of ${node.name} are lost`),
      ...wrong({ "everything is answered in the end": this.storm.unanswered.length === 0 }),
      ...(await this.wrongSums()),
    ];
  }

  /** Nodes for which not every acknowledged report is counted exactly once, and no other. */
  async wrongSums(): Promise<string[]> {
    const shown = await shownTraffic(this.service);
    return this.nodes
      .filter((node) => shown.get(node.name) !== this.storm.expected(node))
      .map(
        (node) => `${node.name} shows ${shown.get(node.name)}, not ${this.storm.expected(node)}`,
      );
  }

  /** Starts the service again on the same storage. */
  async start(): Promise<void> {
    this.watch.close();
    this.service = await ServiceProcess.start(this.#settings, this.#environment);
  }

  async clear(): Promise<void> {
    await this.endLoad();
    this.watch.close();
    await this.service.kill();
    await rm(this.#folder, { recursive: true, force: true });
  }
}

/** The sentences that do not hold. */
function wrong(sentences: Record<string, boolean>): string[] {
  return Object.entries(sentences)
    .filter(([, holds]) => !holds)
    .map(([sentence]) => `not: ${sentence}`);
}
