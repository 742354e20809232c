/**
 * What a fleet costs: the time to load it, the memory it holds, and the resident memory of the
 * whole service after its start, on SQLite.
 *
 *   node bench/fleet-memory.ts                  10,000, 100,000 and 1,000,000 nodes
 *   node bench/fleet-memory.ts 10000 100000     these sizes
 */
import { execFileSync } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { openDatabase } from "../src/server/database/database.ts";
import { systemClock } from "../src/server/lib/clock.ts";
import { createLogger } from "../src/server/lib/logger.ts";
import { loadFleet } from "../src/server/nodes/fleet-loader.ts";
import { Fleet } from "../src/server/nodes/fleet.ts";
import { residentMb, startWaypost } from "./processes.ts";
import { seed } from "./seed.ts";

const SIZES = [10_000, 100_000, 1_000_000];
/** The argument that makes this program measure one load and print it. */
const ONE_LOAD = "--load";

interface Cost {
  nodes: number;
  loadMs: number;
  /** Held by the fleet after a garbage collection. */
  heapMb: number;
  arraysMb: number;
}

async function measureLoad(file: string): Promise<Cost> {
  const database = await openDatabase(
    { dialect: "sqlite", file },
    systemClock,
    createLogger("warn"),
  );
  const fleet = new Fleet();
  const before = collected();
  const startedAt = performance.now();
  await loadFleet(database.db, fleet, systemClock);
  const loadMs = performance.now() - startedAt;
  const after = collected();
  await database.close();
  return {
    nodes: fleet.size,
    loadMs,
    heapMb: (after.heapUsed - before.heapUsed) / 1e6,
    arraysMb: (after.arrayBuffers - before.arrayBuffers) / 1e6,
  };
}

function collected(): NodeJS.MemoryUsage {
  if (!globalThis.gc) throw new Error("run with --expose-gc");
  globalThis.gc();
  return process.memoryUsage();
}

async function measure(nodes: number): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), "waypost-bench-"));
  const file = join(folder, "waypost.db");
  try {
    await seed({ dialect: "sqlite", file }, nodes);
    const self = fileURLToPath(import.meta.url);
    const heap = "--max-old-space-size=8192";
    const output = execFileSync(process.execPath, [heap, "--expose-gc", self, ONE_LOAD, file]);
    const cost = JSON.parse(output.toString()) as Cost;
    const service = await startWaypost({ DATA_DIR: folder }, [heap]);
    const resident = residentMb(service.pid);
    await service.stop();
    print(cost, service.startMs, resident);
  } finally {
    rmSync(folder, { recursive: true });
  }
}

function print({ nodes, loadMs, heapMb, arraysMb }: Cost, startMs: number, resident: number): void {
  const perNode = Math.round(((heapMb + arraysMb) * 1e6) / nodes);
  console.log(
    `${String(nodes).padStart(9)} nodes: loaded in ${loadMs.toFixed(0)} ms; the fleet holds ` +
      `${heapMb.toFixed(0)} MB of objects and ${arraysMb.toFixed(0)} MB of arrays (${perNode} bytes a node); ` +
      `service started in ${startMs.toFixed(0)} ms, ${resident.toFixed(0)} MB resident`,
  );
}

const [first, second, ...more] = process.argv.slice(2);
if (first === ONE_LOAD && second !== undefined) {
  console.log(JSON.stringify(await measureLoad(second)));
} else {
  const asked = [first, second, ...more].filter((each) => each !== undefined).map(Number);
  for (const nodes of asked.length > 0 ? asked : SIZES) await measure(nodes);
}
