import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";
import {
  createReporters,
  EMAIL,
  SETUP_SECRET,
  shownTraffic,
} from "../durability/fleet-of-reporters.ts";
import { ReportStorm } from "../durability/report-storm.ts";
import { ServiceProcess } from "../durability/service-process.ts";
import { BackupBench } from "../support/backups.ts";

const NODES = 20;
const REPORTS_PER_SECOND = 400;
const settings = {
  PORT: "0",
  JWT_SECRET: SETUP_SECRET,
  RATE_LIMIT: "off",
  LOG_LEVEL: "silent",
};

test("a backup under hundreds of reports a second holds all that was acknowledged before it began, and nothing twice", async () => {
  const folder = await mkdtemp(join(tmpdir(), "waypost-backup-"));
  const bench = new BackupBench(folder);
  const data = await bench.newFolder();
  const service = await ServiceProcess.start({ ...settings, DATA_DIR: data });
  const nodes = await createReporters(service, NODES);
  const storm = new ReportStorm(EMAIL, nodes);
  const stop = new AbortController();
  const running = storm.run(service, REPORTS_PER_SECOND, stop.signal);

  const rounds: { file: string; before: Map<string, number>; after: Map<string, number> }[] = [];
  for (let round = 0; round < 2; round++) {
    // The journal is folded every ten seconds: most of these are nowhere else yet.
    const sentBefore = storm.total;
    await expect
      .poll(() => storm.total - sentBefore, { timeout: 20_000 })
      .toBeGreaterThan(REPORTS_PER_SECOND);
    const before = new Map(storm.acknowledged);
    const file = bench.newFile();
    const { code, err } = await bench.backup(data, file);
    expect([code, err]).toEqual([0, ""]);
    rounds.push({ file, before, after: new Map(storm.acknowledged) });
  }
  stop.abort();
  await running;
  expect([storm.surprises, storm.unanswered]).toEqual([[], []]);
  await service.kill();

  for (const { file, before, after } of rounds) {
    const target = await bench.newFolder();
    expect(await bench.restore(target, file)).toMatchObject({ code: 0, err: "" });
    const restored = await ServiceProcess.start({ ...settings, DATA_DIR: target });
    const shown = await shownTraffic(restored);
    for (const { name } of nodes) {
      expect(shown.get(name)).toBeGreaterThanOrEqual(before.get(name) ?? Infinity);
      // Some may have been stored and not yet answered when the copy ended.
      expect(shown.get(name)).toBeLessThanOrEqual((after.get(name) ?? 0) + 100);
    }
    expect(await restored.terminate()).toBe(0);
  }
  await rm(folder, { recursive: true });
}, 60_000);
