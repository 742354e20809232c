import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { ServiceProcess } from "../durability/service-process.ts";
import { commandFolder } from "../support/command-line.ts";
import { bare, readStops, toPattern, walk } from "../support/walked-document.ts";

const file = new URL("../../docs/operations.md", import.meta.url);
const ofPostgres = ["Back up PostgreSQL", "Restore PostgreSQL"];
const stops = readStops(await readFile(file, "utf8")).filter(
  ({ heading }) => !ofPostgres.includes(heading),
);

describe("the commands of docs/operations.md", () => {
  let folder: string;
  let service: ServiceProcess;
  let said: string[];

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), "waypost-operations-"));
    service = await ServiceProcess.start({
      PORT: "0",
      DATA_DIR: join(folder, "data"),
      LOG_LEVEL: "silent",
      METRICS_TOKEN: "a-token-of-your-own",
    });
    said = await walk(stops, { folder, origin: service.origin, path: [await commandFolder()] });
  }, 60_000);
  afterAll(async () => {
    await service.terminate();
    await rm(folder, { recursive: true });
  });

  test.for(stops.map(({ heading }, index) => [heading, index] as const))("%s", ([, index]) => {
    expect(bare(said[index] ?? "")).toMatch(toPattern(stops[index]?.expected ?? ""));
  });
});
