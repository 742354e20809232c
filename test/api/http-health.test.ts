import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { join } from "../support/accounts.ts";
import { createNode, sendReport } from "../support/nodes.ts";
import { describeOnBothDatabases, startTestService, type TestService } from "../support/service.ts";

const OWNER = "owner@example.com";

describeOnBothDatabases("health", (context) => {
  let service: TestService;
  beforeAll(async () => {
    service = await context.start();
  });
  afterAll(() => service.stop());

  test("the process says that it lives and that it is ready", async () => {
    expect((await service.request("GET", "/healthz")).body).toEqual({ status: "ok" });
    expect((await service.request("GET", "/readyz")).body).toEqual({ status: "ok" });
  });

  test("it is not ready while reports cannot be stored, but lives", async () => {
    const own = await context.start();
    await own.service.reports.stop();
    const answer = await own.request("GET", "/readyz");
    expect(answer.status).toBe(503);
    expect(answer.headers["retry-after"]).toBe("2");
    expect(answer.body).toEqual({
      error: "Not ready: reports cannot be stored",
      code: "not_ready",
    });
    expect((await own.request("GET", "/healthz")).status).toBe(200);
    await own.stop();
  });

  test("with the storage left out, it is ready until it stops", async () => {
    const own = await context.start({ env: { DRAIN_SECONDS: "1" } });
    await own.service.reports.stop();
    const ready = () => own.request("GET", "/readyz?exclude=storage");
    expect((await ready()).status).toBe(200);
    expect((await own.request("GET", "/readyz?exclude=reports")).status).toBe(400);
    const stopped = own.stop();
    expect((await ready()).body).toMatchObject({ error: "Not ready: the service is stopping" });
    await stopped;
  });

  test("the metrics tell what was asked, what was reported and how even the fleet is", async () => {
    const session = await join(service, OWNER);
    const node = await createNode(service, session, { max_connections: 10 });
    const idle = await createNode(service, session, { node_name: "idle", max_connections: 10 });
    await sendReport(service, OWNER, node, { connection_count: 5, current_bandwidth: 12.5 });
    await sendReport(service, OWNER, idle);
    await sendReport(service, OWNER, { ...node, token: "wrong" });
    const { status, headers, body } = await service.request("GET", "/metrics");
    expect(status).toBe(200);
    expect(headers["content-type"]).toMatch(/^text\/plain/);
    const values = readMetrics(body);
    expect(values).toMatchObject({
      'waypost_nodes{region="domestic"}': 2,
      'waypost_nodes{region="overseas"}': 0,
      waypost_nodes_online: 2,
      waypost_fleet_bandwidth_bytes_per_second: 1_562_500,
      waypost_fleet_connections: 5,
      // One of two nodes carries everything.
      waypost_fleet_fairness_ratio: 0.5,
      waypost_fleet_utilisation_variation_ratio: 1,
      waypost_reports_total: 2,
      waypost_reports_queued: 0,
      waypost_report_batches_failed_total: 0,
      waypost_silence_suspended: 0,
    });
    const duration = (labels: string) =>
      values[`waypost_http_request_duration_seconds_count{${labels}}`];
    expect(duration('method="POST",route="/api/report",status="200"')).toBe(2);
    expect(duration('method="POST",route="/api/report",status="403"')).toBe(1);
    expect(duration('method="POST",route="/api/nodes/",status="201"')).toBe(2);
  });

  test("the buckets of a duration add up", async () => {
    await service.request("POST", "/api/query", { body: {} });
    const values = readMetrics((await service.request("GET", "/metrics")).body);
    const prefix = "waypost_http_request_duration_seconds";
    const labels = 'method="POST",route="/api/query",status="200"';
    const counts = Object.entries(values)
      .filter(([name]) => name.startsWith(`${prefix}_bucket{${labels}`))
      .map(([, value]) => value);
    expect(counts).toEqual(counts.toSorted((a, b) => a - b));
    expect(counts.at(-1)).toBe(values[`${prefix}_count{${labels}}`]);
    expect(values[`${prefix}_sum{${labels}}`]).toBeGreaterThan(0);
  });

  test("paths that nobody knows do not swell the metrics", async () => {
    for (let n = 0; n < 3; n++) await service.request("GET", `/nowhere/${n}`);
    await service.request("GET", "/api/nodes/1");
    await service.request("GET", "/api/nodes/2");
    const { body } = await service.request("GET", "/metrics");
    expect(body).not.toContain("nowhere");
    expect(body).toContain('route="/api/nodes/:id",status="401"');
  });
});

describe("who may read the metrics", () => {
  test.each([
    ["a caller on this machine", {}, 200],
    ["a caller that a proxy speaks for", { "x-forwarded-for": "203.0.113.9" }, 403],
    ["a caller that claims to be on this machine", { "x-forwarded-for": "127.0.0.1" }, 403],
    ["a caller behind a proxy of another kind", { forwarded: "for=127.0.0.1" }, 403],
  ])("without a token: %s", async (_, headers, status) => {
    for (const trusted of ["true", "false", "127.0.0.1"]) {
      const service = await startTestService({ env: { TRUST_PROXY: trusted } });
      const answer = await service.request("GET", "/metrics", { headers });
      await service.stop();
      expect(answer.status).toBe(status);
    }
  });

  test("with a token: whoever has it, from wherever", async () => {
    const service = await startTestService({ env: { METRICS_TOKEN: "a-token-for-metrics" } });
    const status = async (headers: Record<string, string>) =>
      (await service.request("GET", "/metrics", { headers })).status;
    const far = { "x-forwarded-for": "203.0.113.9" };
    expect(await status({})).toBe(401);
    expect(await status({ authorization: "Bearer a-token-for-metric" })).toBe(401);
    expect(await status({ authorization: "Basic a-token-for-metrics" })).toBe(401);
    expect(await status({ authorization: "Bearer a-token-for-metrics" })).toBe(200);
    expect(await status({ ...far, authorization: "bearer a-token-for-metrics" })).toBe(200);
    await service.stop();
  });
});

describe("who the caller is, as its log-ins are counted", () => {
  const tooMany = 6;

  /** The statuses of as many requests, each said to come from the next of `callers`. */
  async function statuses(trusted: string, callers: (n: number) => string): Promise<number[]> {
    const service = await startTestService({ env: { TRUST_PROXY: trusted, RATE_LIMIT: "on" } });
    const found: number[] = [];
    for (let n = 0; n < tooMany; n++) {
      const answer = await service.request("POST", "/api/auth/forgot-password", {
        body: { email: OWNER },
        headers: { "x-forwarded-for": callers(n) },
      });
      found.push(answer.status);
    }
    await service.stop();
    return found;
  }

  const allowed = Array.from({ length: tooMany }, () => 200);
  const limited = [...allowed.slice(1), 429];

  test("without a trusted proxy, whoever opened the connection", async () => {
    expect(await statuses("false", (n) => `203.0.113.${n}`)).toEqual(limited);
  });

  test("with one, whom the proxy names", async () => {
    expect(await statuses("true", (n) => `203.0.113.${n}`)).toEqual(allowed);
    expect(await statuses("127.0.0.0/8", (n) => `203.0.113.${n}`)).toEqual(allowed);
  });

  test("what a client claims itself before the proxy names it, counts for nothing", async () => {
    expect(await statuses("true", (n) => `198.51.100.${n}, 203.0.113.9`)).toEqual(limited);
    expect(await statuses("127.0.0.1", (n) => `198.51.100.${n}, 203.0.113.9`)).toEqual(limited);
  });

  test("a proxy that is not on the list is not believed", async () => {
    expect(await statuses("10.0.0.0/8", (n) => `203.0.113.${n}`)).toEqual(limited);
  });

  test("neighbours of one IPv6 network are one caller", async () => {
    expect(await statuses("true", (n) => `2001:db8:1:2::${n}`)).toEqual(limited);
    expect(await statuses("true", (n) => `2001:db8:1:${n}::1`)).toEqual(allowed);
  });
});

/** Values by name and labels. */
function readMetrics(text: string): Record<string, number> {
  const lines = text.split("\n").filter((line) => line !== "" && !line.startsWith("#"));
  return Object.fromEntries(
    lines.map((line) => {
      const space = line.lastIndexOf(" ");
      return [line.slice(0, space), Number(line.slice(space + 1))];
    }),
  );
}
