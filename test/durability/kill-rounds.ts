import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, it } from "vitest";
import { newPostgresDatabase } from "../support/postgres.ts";
import { createReporters, EMAIL, SETUP_SECRET, shownTraffic } from "./fleet-of-reporters.ts";
import { ReportStorm } from "./report-storm.ts";
import { ServiceProcess } from "./service-process.ts";

const NODES = 20;
const REPORTS_PER_SECOND = 500;

/**
 * Kills the process again and again in the middle of a storm of reports. After each round all that
 * was acknowledged is there, and once the unanswered reports have been sent again, every report has
 * been counted exactly once.
 * @param settings where the data lies
 */
async function survivesKills(settings: Record<string, string>, rounds: number): Promise<void> {
  const all = {
    PORT: "0",
    JWT_SECRET: SETUP_SECRET,
    RATE_LIMIT: "off",
    LOG_LEVEL: "silent",
    ...settings,
  };
  let service = await ServiceProcess.start(all);
  try {
    const nodes = await createReporters(service, NODES);
    const storm = new ReportStorm(EMAIL, nodes);
    for (let round = 1; round <= rounds; round++) {
      const stop = new AbortController();
      const running = storm.run(service, REPORTS_PER_SECOND, stop.signal);
      await new Promise((resolve) => setTimeout(resolve, 200 + Math.random() * 800));
      await service.kill();
      stop.abort();
      await running;
      const unanswered = storm.unanswered.reduce((gb, sent) => gb + sent.gb, 0);

      service = await ServiceProcess.start(all);
      const shown = await shownTraffic(service);
      let extra = 0;
      for (const node of nodes) {
        const traffic = shown.get(node.name) ?? 0;
        expect(traffic, `round ${round}, ${node.name}`).toBeGreaterThanOrEqual(
          storm.expected(node),
        );
        extra += traffic - storm.expected(node);
      }
      expect(extra, `round ${round}`).toBeLessThanOrEqual(unanswered);

      await storm.settle(service);
      const settled = await shownTraffic(service);
      for (const node of nodes) {
        expect(settled.get(node.name), `round ${round}, ${node.name}`).toBe(storm.expected(node));
      }
      expect(storm.surprises).toEqual([]);
    }
    expect(storm.acknowledgedCount).toBeGreaterThan(rounds * 50);
    expect(await service.terminate()).toBe(0);
  } finally {
    await service.kill();
  }
}

/** The test of `rounds` kills on each database. */
export function testKills(rounds: number, deadlineMs: number): void {
  it.each(["sqlite", "postgres"] as const)(
    "kill -9 under 500 reports a second loses nothing and counts nothing twice (%s)",
    async (dialect) => {
      const folder = await mkdtemp(join(tmpdir(), "waypost-kill-"));
      const database = dialect === "postgres" ? { DATABASE_URL: await newPostgresDatabase() } : {};
      await survivesKills({ DATA_DIR: folder, ...database }, rounds);
      await rm(folder, { recursive: true });
      expect.hasAssertions();
    },
    deadlineMs,
  );
}
