import { globSync } from "node:fs";
import { cp, mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import {
  createReporters,
  EMAIL,
  SETUP_SECRET,
  shownTraffic,
} from "../durability/fleet-of-reporters.ts";
import { ReportStorm } from "../durability/report-storm.ts";
import { ServiceProcess } from "../durability/service-process.ts";
import { PostgresServer } from "../support/postgres-server.ts";
import { readStops, walk } from "../support/walked-document.ts";

const NODES = 20;
const REPORTS_PER_SECOND = 400;
const file = new URL("../../docs/operations.md", import.meta.url);
const stops = readStops(await readFile(file, "utf8"));

let folder: string;
let postgres: PostgresServer;
let bin: string;

beforeAll(async () => {
  // Of one release: the tools must not be older than the server.
  bin = globSync("/usr/lib/postgresql/*/bin").toSorted().at(-1) ?? "";
  folder = await mkdtemp(join(tmpdir(), "waypost-pg-backup-"));
  postgres = await PostgresServer.create({ bin });
});
afterAll(async () => {
  await postgres.destroy();
  await rm(folder, { recursive: true });
});

test("PostgreSQL's own tools, as documented, keep all that was acknowledged before under hundreds of reports a second", async () => {
  const data = join(folder, "data");
  const settings = {
    PORT: "0",
    JWT_SECRET: SETUP_SECRET,
    RATE_LIMIT: "off",
    LOG_LEVEL: "silent",
    DATA_DIR: data,
  };
  const service = await ServiceProcess.start({ ...settings, DATABASE_URL: postgres.url() });
  const nodes = await createReporters(service, NODES);
  const storm = new ReportStorm(EMAIL, nodes);
  const stop = new AbortController();
  const running = storm.run(service, REPORTS_PER_SECOND, stop.signal);
  await expect
    .poll(() => storm.acknowledgedCount, { timeout: 20_000 })
    .toBeGreaterThan(REPORTS_PER_SECOND);

  const env = {
    WAYPOST_DATABASE_URL: postgres.url(),
    RESTORED_DATABASE_URL: postgres.url("restored"),
  };
  const run = (heading: string) => {
    const own = stops.filter((each) => each.heading === heading);
    expect(own.length).toBeGreaterThan(0);
    return walk(own, { folder, env, path: [bin] });
  };
  const before = new Map(storm.acknowledged);
  const [dumped, based] = await run("Back up PostgreSQL");
  expect([dumped, based]).toEqual(["", "backup successfully verified\n"]);
  stop.abort();
  await running;
  expect([storm.surprises, storm.unanswered]).toEqual([[], []]);
  await service.kill();

  expect((await run("Restore PostgreSQL"))[0]).toBe("");
  const other = join(folder, "other");
  await cp(join(folder, "secret-key.kept"), join(other, "secret-key"));
  const restored = await ServiceProcess.start({
    ...settings,
    DATA_DIR: other,
    DATABASE_URL: env.RESTORED_DATABASE_URL,
  });
  const shown = await shownTraffic(restored);
  for (const { name } of nodes) {
    expect(shown.get(name)).toBeGreaterThanOrEqual(before.get(name) ?? Infinity);
    expect(shown.get(name)).toBeLessThanOrEqual(storm.acknowledged.get(name) ?? 0);
  }
  expect(await restored.terminate()).toBe(0);
}, 60_000);
