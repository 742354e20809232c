import { execFileSync } from "node:child_process";
import { cpSync, mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { createReporters, EMAIL, SETUP_SECRET, shownTraffic } from "./fleet-of-reporters.ts";
import { ReportStorm } from "./report-storm.ts";
import { ServiceProcess } from "./service-process.ts";

const source = fileURLToPath(new URL("./power-cut.c", import.meta.url));
const weaker = fileURLToPath(new URL("./weaker-sqlite.mjs", import.meta.url));
const REPORTS_PER_SECOND = 300;

/** What the power cuts did to acknowledged reports. */
export interface Outcome {
  acknowledged: number;
  /** GB acknowledged and not there. */
  lostGb: number;
  /** GB there that no report can explain, after the unanswered ones were sent again. */
  doubledGb: number;
}

/**
 * Cuts the power in the middle of a storm of reports, again and again: the process dies, and of
 * its files only what was flushed is left.
 * @param weakened whether SQLite is made to flush less than the program asks for
 */
export async function cutPower(rounds: number, weakened: boolean): Promise<Outcome> {
  const folder = mkdtempSync(join(tmpdir(), "waypost-power-"));
  const library = join(folder, "power-cut.so");
  execFileSync("cc", ["-shared", "-fPIC", "-O2", "-o", library, source, "-ldl", "-lpthread"]);
  const data = join(folder, "data");
  const disk = join(folder, "disk");
  const settings = {
    PORT: "0",
    JWT_SECRET: SETUP_SECRET,
    RATE_LIMIT: "off",
    LOG_LEVEL: "silent",
    DATA_DIR: data,
  };
  const environment: Record<string, string> = {
    LD_PRELOAD: library,
    POWER_CUT_ROOT: data,
    POWER_CUT_DISK: disk,
    ...(weakened ? { NODE_OPTIONS: `--import=${weaker}` } : {}),
  };
  mkdirSync(data);
  mkdirSync(disk);
  let service = await ServiceProcess.start(settings, environment);
  const outcome: Outcome = { acknowledged: 0, lostGb: 0, doubledGb: 0 };
  try {
    const nodes = await createReporters(service, 10);
    // What the storm stands on is brought to the disk by an ordinary stop.
    await service.terminate();
    service = await ServiceProcess.start(settings, environment);
    const storm = new ReportStorm(EMAIL, nodes);
    for (let round = 1; round <= rounds; round++) {
      const stop = new AbortController();
      const running = storm.run(service, REPORTS_PER_SECOND, stop.signal);
      await new Promise((resolve) => setTimeout(resolve, 150 + Math.random() * 350));
      await service.kill();
      stop.abort();
      await running;

      rmSync(data, { recursive: true });
      cpSync(disk, data, { recursive: true });
      service = await ServiceProcess.start(settings, environment);
      const shown = await shownTraffic(service);
      for (const node of nodes) {
        outcome.lostGb += Math.max(storm.expected(node) - (shown.get(node.name) ?? 0), 0);
      }
      if (outcome.lostGb > 0) break;
      await storm.settle(service);
      const settled = await shownTraffic(service);
      for (const node of nodes) {
        outcome.doubledGb += (settled.get(node.name) ?? 0) - storm.expected(node);
      }
    }
    outcome.acknowledged = storm.acknowledgedCount;
    return outcome;
  } finally {
    await service.kill();
    rmSync(folder, { recursive: true });
  }
}
