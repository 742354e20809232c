import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { ReportInput } from "../../src/shared/api/reports.ts";
import { createReporters, EMAIL, SETUP_SECRET } from "../durability/fleet-of-reporters.ts";
import { ServiceProcess } from "../durability/service-process.ts";
import { bare, readStops, toPattern, walk } from "../support/walked-document.ts";

const text = await readFile(new URL("../../docs/reports.md", import.meta.url), "utf8");
const stops = readStops(text);

describe("docs/reports.md", () => {
  let folder: string;
  let service: ServiceProcess;
  let said: string[];

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), "waypost-reports-"));
    service = await ServiceProcess.start({
      PORT: "0",
      DATA_DIR: join(folder, "data"),
      LOG_LEVEL: "silent",
      JWT_SECRET: SETUP_SECRET,
    });
    const [node] = await createReporters(service, 1);
    const env = { EMAIL, NODE: node?.name ?? "", TOKEN: node?.token ?? "" };
    said = await walk(stops, { folder, origin: service.origin, env });
  });
  afterAll(async () => {
    await service.terminate();
    await rm(folder, { recursive: true });
  });

  test("names each field of a report, and no others", () => {
    const named = [...text.matchAll(/^\| `(\w+)` \|/gm)].map(([, name]) => name);
    expect(new Set(named)).toEqual(new Set(Object.keys(ReportInput.properties)));
  });

  test.for(stops.map(({ heading }, index) => [`${index + 1}, ${heading}`, index] as const))(
    "%s",
    ([, index]) => {
      expect(bare(said[index] ?? "")).toMatch(toPattern(stops[index]?.expected ?? ""));
    },
  );
});
