import { execFileSync } from "node:child_process";
import { createServer, type Server } from "node:http";
import { once } from "node:events";
import { stat } from "node:fs/promises";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import {
  EMAIL,
  createReporters,
  PASSWORD,
  SETUP_SECRET,
} from "../durability/fleet-of-reporters.ts";
import type { StormNode } from "../durability/report-storm.ts";
import { ServiceProcess } from "../durability/service-process.ts";
import { logIn } from "../support/accounts.ts";
import { waypost } from "../support/command-line.ts";
import { fillIn, readDashboard } from "../support/dashboard.ts";
import { FaultDisk } from "../support/fault-disk.ts";
import { Prometheus } from "../support/prometheus.ts";
import { createRule, getRule } from "../support/rules.ts";
import { StunServer } from "../support/stun-server.ts";

const patience = { timeout: 10_000, interval: 200 };
const TOKEN = "a-token-for-metrics";
const folder = fileURLToPath(new URL("../../packaging/prometheus", import.meta.url));
const promtool = (...parameters: string[]): string =>
  execFileSync("promtool", parameters, { cwd: folder, encoding: "utf8", stdio: "pipe" });

test("the alert rules are valid, and each is told of when it should be and not before", () => {
  expect(promtool("check", "rules", "alerts.yaml")).toContain("SUCCESS");
  expect(promtool("test", "rules", "alerts-test.yaml")).toContain("SUCCESS");
});

/** What they tell of is the machine that the tests run on, and what else happens there. */
const ofTheMachine: ReadonlySet<string> = new Set([
  "WaypostSlow",
  "WaypostEventLoopBusy",
  "WaypostDiskNearlyFull",
]);

describe("a Prometheus that scrapes the service", () => {
  let disk: FaultDisk;
  let stunServers: StunServer[];
  let target: Server;
  let service: ServiceProcess;
  let nodes: StormNode[];
  let prometheus: Prometheus;

  beforeAll(async () => {
    disk = await FaultDisk.make();
    stunServers = await Promise.all([StunServer.start(), StunServer.start()]);
    target = createServer((_request, response) => response.end("fine")).listen(0, "127.0.0.1");
    await once(target, "listening");
    const settings = {
      PORT: "0",
      DATA_DIR: disk.data,
      JWT_SECRET: SETUP_SECRET,
      RATE_LIMIT: "off",
      LOG_LEVEL: "silent",
      METRICS_TOKEN: TOKEN,
      STUN_SERVERS: stunServers.map(({ endpoint }) => `127.0.0.1:${endpoint.port}`).join(),
    };
    service = await ServiceProcess.start(settings, disk.environment);
    nodes = await createReporters(service, 2);
    prometheus = await Prometheus.start(new URL(service.origin), TOKEN);
  });
  afterAll(async () => {
    await prometheus.stop();
    await service.kill();
    target.close();
    await Promise.all(stunServers.map((server) => server.stop()));
    await disk.remove();
  });

  /** Everything a service has numbers about happens at least once. @returns whether reports were taken */
  async function busy(): Promise<boolean> {
    const reports = nodes.map(({ name, token }) =>
      service.request("POST", "/api/report", {
        body: {
          node_name: name,
          email: EMAIL,
          token,
          current_bandwidth: 10,
          reported_traffic: 1,
          connection_count: 1,
          status: "online",
        },
      }),
    );
    await service.request("POST", "/api/query", { body: {} });
    return (await Promise.all(reports)).every(({ status }) => status === 200);
  }

  async function callBack(): Promise<void> {
    const token = await logIn(service, EMAIL, PASSWORD);
    const rule = await createRule(service, token, { probe_interval_seconds: 1, settle_seconds: 0 });
    const post = (path: string, body?: object) =>
      service.request("POST", path, { token, ...(body ? { body } : {}) });
    const { port } = target.address() as AddressInfo;
    const account = await post("/api/callbacks/accounts", {
      name: "hook",
      type: "webhook",
      config: { url: `http://127.0.0.1:${port}/` },
    });
    const task = await post("/api/callbacks/tasks", {
      name: "tell",
      enabled: true,
      trigger: "stun_ip_or_port_change",
      stun_rule_id: rule.id,
      account_id: account.body.account.id,
    });
    await expect
      .poll(async () => (await getRule(service, token, rule.id)).state.status, { timeout: 5_000 })
      .toBe("open");
    expect((await post(`/api/callbacks/tasks/${task.body.task.id}/run`)).status).toBe(202);
    const check = `/api/edgecheck/check?server=tcp://127.0.0.1:${port}&network_name=n&network_secret=`;
    expect((await service.request("GET", `${check}s`)).body.is_online).toBe(true);
  }

  async function metric(name: string): Promise<number> {
    const headers = { authorization: `Bearer ${TOKEN}` };
    const { body } = await service.request("GET", "/metrics", { headers });
    return Number(new RegExp(`^${name} (.*)$`, "m").exec(body as string)?.[1]);
  }

  test("finds names as they should be", async () => {
    const headers = { authorization: `Bearer ${TOKEN}` };
    const { body } = await service.request("GET", "/metrics", { headers });
    const input = body as string;
    expect(execFileSync("promtool", ["check", "metrics"], { input, encoding: "utf8" })).toBe("");
  });

  test("knows of a backup when the command has made one", async () => {
    expect(await metric("waypost_last_backup_timestamp_seconds")).toBe(0);
    const from = Date.now();
    const options = { env: { WAYPOST_DATA_DIR: disk.data }, directory: disk.data };
    expect(await waypost(["backup", "backup.tar.gz"], options)).toMatchObject({ code: 0, err: "" });
    const at = (await metric("waypost_last_backup_timestamp_seconds")) * 1000;
    expect(at).toBeGreaterThanOrEqual(from);
    expect(at).toBeLessThanOrEqual(Date.now());
    const { size } = await stat(join(disk.data, "backup.tar.gz"));
    expect(await metric("waypost_last_backup_size_bytes")).toBe(size);
  });

  test("has data for every panel of the dashboard", async () => {
    await callBack();
    const { panels, annotations } = await readDashboard();
    const waiting = new Set(panels.flatMap(({ targets = [] }) => targets.map(({ expr }) => expr)));
    const deadline = AbortSignal.timeout(15_000);
    while (waiting.size > 0 && !deadline.aborted) {
      expect(await busy()).toBe(true);
      for (const expr of waiting) {
        const samples = await prometheus.query(fillIn(expr));
        if (samples.some(({ value }) => Number.isFinite(value))) waiting.delete(expr);
      }
      await sleep(100);
    }
    expect([...waiting]).toEqual([]);
    for (const { expr } of annotations.list) await prometheus.query(fillIn(expr));
    const wrong = (await prometheus.alerts()).filter(({ name }) => !ofTheMachine.has(name));
    expect(wrong).toEqual([]);
  });

  test("tells of a full disk, and that it is over", async () => {
    await disk.fail("full");
    expect(await busy()).toBe(false);
    const alert = "WaypostCannotStoreReports";
    await expect
      .poll(() => prometheus.alerts(), patience)
      .toContainEqual({ name: alert, state: "firing" });
    await disk.recover();
    expect(await busy()).toBe(true);
    const isOver = async () => (await prometheus.alerts()).every(({ name }) => name !== alert);
    await expect.poll(isOver, patience).toBe(true);
  });

  test("tells of a service that is gone", async () => {
    await service.kill();
    const down = { name: "WaypostDown", state: "firing" };
    await expect.poll(() => prometheus.alerts(), patience).toContainEqual(down);
  });
});
