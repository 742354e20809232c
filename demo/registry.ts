/**
 * The registry at work: 200 simulated nodes report, simulated clients ask which one to use.
 * `npm run demo:registry`, `npm run demo:registry -- --seconds 10`
 */
import { randomBytes, randomUUID } from "node:crypto";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { parseArgs } from "node:util";
import { parseConfig } from "../src/server/config.ts";
import type { Clock } from "../src/server/lib/clock.ts";
import { createService } from "../src/server/service.ts";
import { Crowd } from "./crowd.ts";
import { describeMoment, drawPicture, type Moment } from "./picture.ts";
import { RegistryClient, type CreatedNode } from "./registry-client.ts";
import { Reporters } from "./reporters.ts";
import { Screen } from "./screen.ts";
import { World } from "./world.ts";

const NODES = 200;
const EMAIL = "demo@example.com";
/** The clock of the service runs so much faster: a second stands for a minute. */
const SPEED = 60;
/** Every minute. */
const REPORT_INTERVAL_MS = 60_000 / SPEED;
/** Half an hour. */
const STAY_MS = 1_800_000 / SPEED;
/** Share of all room that is used once as many clients leave as come. */
const LOAD = 0.7;
const REDRAW_MS = 500;
const LINE_MS = 2_000;

const wanted = readSeconds();
if (wanted === undefined) {
  process.stderr.write("--seconds must be a number from 1 to 86400\n");
  process.exitCode = 2;
} else {
  await main(wanted);
}

function readSeconds(): number | undefined {
  const { values } = parseArgs({ options: { seconds: { type: "string", default: "60" } } });
  const given = Number(values.seconds);
  return given >= 1 && given <= 86_400 ? given : undefined;
}

/** Starts a service of its own, and takes it away with its data at the end. */
async function main(seconds: number): Promise<void> {
  const ending = new AbortController();
  const end = (): void => ending.abort();
  process.on("SIGINT", end);
  process.on("SIGTERM", end);
  const folder = await mkdtemp(join(tmpdir(), "waypost-demo-"));
  const secret = randomBytes(32).toString("base64url");
  const config = parseConfig({
    WAYPOST_PORT: "0",
    WAYPOST_DATA_DIR: folder,
    WAYPOST_JWT_SECRET: secret,
    WAYPOST_LOG_LEVEL: "error",
  });
  try {
    const service = await createService(config, { clock: fastClock() });
    try {
      await service.start();
      await run({ origin: service.origin, secret, seconds, ending });
    } finally {
      await service.stop();
    }
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

function fastClock(): Clock {
  const startedAt = Date.now();
  return { now: () => startedAt + (Date.now() - startedAt) * SPEED };
}

interface Run {
  origin: string;
  secret: string;
  seconds: number;
  ending: AbortController;
}

async function run({ origin, secret, seconds, ending }: Run): Promise<void> {
  const screen = new Screen(process.stdout, () => ending.abort());
  const registry = new RegistryClient(origin);
  await registry.setUp(secret, EMAIL, randomUUID());
  const nodes = await registry.createNodes(NODES);
  const asked = toWorld(nodes);
  const sorted = toWorld(nodes);
  const clientsPerSecond = (LOAD * roomOf(asked) * 1000) / STAY_MS;
  introduce(screen, origin, clientsPerSecond);

  const parts = { registry, nodes, email: EMAIL, intervalMs: REPORT_INTERVAL_MS, speed: SPEED };
  const reporters = new Reporters({ ...parts, world: asked, shadow: sorted });
  const crowd = new Crowd({ registry, asked, sorted, clientsPerSecond, stayMs: STAY_MS });
  const endsAt = performance.now() + seconds * 1000;
  const look = (): Moment => ({
    secondsLeft: Math.max(0, (endsAt - performance.now()) / 1000),
    reportsPerSecond: reporters.meter.rate(),
    queriesPerSecond: crowd.meter.rate(),
    asked: asked.spread(),
    sorted: sorted.spread(),
  });
  const timer = setTimeout(() => ending.abort(), seconds * 1000);
  const { signal } = ending;
  try {
    await Promise.all([reporters.run(signal), crowd.run(signal), show(screen, look, signal)]);
  } finally {
    clearTimeout(timer);
    ending.abort();
  }
  screen.print(
    "",
    `${reporters.meter.total} reports and ${crowd.meter.total} queries were answered.`,
    `Jain's index: ${asked.spread().jain.toFixed(3)} by asking, ${sorted.spread().jain.toFixed(3)} by sorting.`,
  );
}

function introduce(screen: Screen, origin: string, clientsPerSecond: number): void {
  const post = `curl -s ${origin}/api/query -H 'Content-Type: application/json' -d`;
  screen.print(
    "A second stands for a minute: the clock of this service runs 60 times as fast.",
    `${NODES} nodes report once a minute. About ${clientsPerSecond.toFixed(0)} clients come each minute and stay half an hour on`,
    "average. Each joins the first node of its answer. On the right is where the same clients would",
    "be, had each taken the least used node of the public list.",
    "",
    `The API: ${origin}/docs   Meanwhile, try:`,
    `  ${post} '{"region":"overseas","limit":1}'`,
    `  curl -s ${origin}/api/stats`,
    `  curl -s ${origin}/metrics | grep fleet`,
    "",
  );
}

async function show(screen: Screen, look: () => Moment, signal: AbortSignal): Promise<void> {
  const everyMs = screen.isTerminal ? REDRAW_MS : LINE_MS;
  while (!signal.aborted) {
    await sleep(everyMs, undefined, { signal }).catch(() => {});
    if (screen.isTerminal) screen.replace(drawPicture(look()));
    else screen.print(describeMoment(look()));
  }
}

function toWorld(nodes: readonly CreatedNode[]): World {
  return new World(
    nodes.map(({ id, plan }) => ({
      id,
      name: plan.node_name,
      region: plan.region_type,
      room: plan.max_connections,
      clients: 0,
      reported: 0,
    })),
  );
}

function roomOf(world: World): number {
  return world.seats.reduce((sum, seat) => sum + seat.room, 0);
}
