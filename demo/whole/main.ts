/**
 * Everything at work, with a past: 200 nodes with a year behind them, holes whose addresses move,
 * and callbacks. `npm run demo`, `npm run demo -- --port 9000 --seconds 60`
 */
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { parseArgs } from "node:util";
import { pino } from "pino";
import { parseConfig } from "../../src/server/config.ts";
import { openDatabase } from "../../src/server/database/database.ts";
import { systemClock } from "../../src/server/lib/clock.ts";
import { createService } from "../../src/server/service.ts";
import type { Rule } from "../../src/shared/api/stun.ts";
import { FakeCloudflare } from "../../test/support/fake-cloudflare.ts";
import { RegistryClient, type CreatedNode } from "../registry-client.ts";
import { CLOUDFLARE_RULE, domainAccount, furnish, type Household } from "./holes.ts";
import { writeFleetPast } from "./past-fleet.ts";
import { writePastRuns } from "./past-runs.ts";
import { writePeriodTraffic } from "./past-traffic.ts";
import { PretendedRouter } from "./pretended-router.ts";
import { beat } from "./pulse.ts";
import { Sink } from "./sink.ts";

const NODES = 200;
const EMAIL = "demo@example.com";
/** Known to everybody: the service listens on loopback only, and its data goes away. */
const PASSWORD = "demo-demo-demo";
const SECRET = "demo-secret-demo-secret-demo-secret";
const AGE_MS = 365 * 86_400_000;
/** How often the pretended router gives one rule another port, and how many of those moves later the address moves. */
const MOVE_MS = 90_000;
const MOVES_PER_ADDRESS = 5;

interface Wanted {
  port: number;
  seconds: number;
}

const wanted = readOptions();
if (wanted) await main(wanted);
else {
  process.stderr.write("--port must be 0–65535, --seconds a number from 1 to 86400\n");
  process.exitCode = 2;
}

function readOptions(): Wanted | undefined {
  const { values } = parseArgs({
    options: {
      port: { type: "string", default: "8080" },
      seconds: { type: "string", default: "86400" },
    },
  });
  const [port, seconds] = [Number(values.port), Number(values.seconds)];
  const isPort = Number.isInteger(port) && port >= 0 && port <= 65_535;
  return isPort && seconds >= 1 && seconds <= 86_400 ? { port, seconds } : undefined;
}

/** What the service of the demo speaks to, none of it outside of this machine. */
interface Surroundings {
  router: PretendedRouter;
  sink: Sink;
  cloudflare: FakeCloudflare;
  folder: string;
}

async function main({ port, seconds }: Wanted): Promise<void> {
  const ending = new AbortController();
  const end = (): void => ending.abort();
  process.on("SIGINT", end);
  process.on("SIGTERM", end);
  const folder = await mkdtemp(join(tmpdir(), "waypost-demo-"));
  const around: Surroundings = {
    router: await PretendedRouter.start(),
    sink: await Sink.listen(),
    cloudflare: await FakeCloudflare.listen([originRule()]),
    folder,
  };
  try {
    process.stdout.write("Making up a year of history …\n");
    const past = await makePast(around);
    if (!ending.signal.aborted) await live(around, past, { port, seconds, ending });
  } finally {
    around.router.stop();
    around.sink.stop();
    await around.cloudflare.server.close();
    await rm(folder, { recursive: true, force: true });
  }
}

function configOf(folder: string, port: number) {
  return parseConfig({
    WAYPOST_PORT: String(port),
    WAYPOST_DATA_DIR: folder,
    WAYPOST_JWT_SECRET: SECRET,
    WAYPOST_LOG_LEVEL: "error",
    WAYPOST_RATE_LIMIT: "off",
  });
}

interface Past {
  nodes: CreatedNode[];
  household: Household;
}

/** Everything is made through the API of a service whose clock is a year late; history is added. */
async function makePast(around: Surroundings): Promise<Past> {
  const config = configOf(around.folder, 0);
  const clock = { now: () => Date.now() - AGE_MS };
  const service = await createService(config, { clock });
  let past: Past;
  try {
    await service.start();
    const client = new RegistryClient(service.origin);
    await client.setUp(SECRET, EMAIL, PASSWORD);
    const created = await client.createNodes(NODES);
    const nodes = created.toSorted((a, b) => a.id - b.id);
    const nodeId = (nodes[0] as CreatedNode).id;
    past = { nodes, household: await furnish(client, { ...around, nodeId }) };
    await client.post("/api/domains/accounts", domainAccount);
  } finally {
    await service.stop();
  }
  const database = await openDatabase(config.database, systemClock, pino({ level: "silent" }));
  try {
    await writeFleetPast(database.db, past.nodes, Date.now());
    await writePeriodTraffic(database.db, Date.now());
    await writePastRuns(database.db, past.household, Date.now());
  } finally {
    await database.close();
  }
  return past;
}

interface Life extends Wanted {
  ending: AbortController;
}

async function live(
  { folder, router }: Surroundings,
  { nodes, household }: Past,
  { port, seconds, ending }: Life,
): Promise<void> {
  const service = await createService(configOf(folder, port));
  const timer = setTimeout(() => ending.abort(), seconds * 1000);
  try {
    await service.start();
    const client = new RegistryClient(service.origin);
    await client.signIn(EMAIL, PASSWORD);
    for (const { id } of household.rules) {
      await client.request("PUT", `/api/stun/rules/${id}`, { enabled: true });
    }
    introduce(service.origin);
    const { signal } = ending;
    await Promise.all([beat(client, nodes, EMAIL, signal), move(router, client, signal)]);
  } finally {
    clearTimeout(timer);
    ending.abort();
    await service.stop();
  }
}

/** Gives rules other addresses, one after the other. */
async function move(
  router: PretendedRouter,
  client: RegistryClient,
  signal: AbortSignal,
): Promise<void> {
  for (let moves = 1; ; moves++) {
    await sleep(MOVE_MS, undefined, { signal }).catch(() => {});
    if (signal.aborted) return;
    const { rules } = await client.request<{ rules: Rule[] }>("GET", "/api/stun/rules");
    const local = rules[moves % rules.length]?.state.local_port;
    if (moves % MOVES_PER_ADDRESS === 0) router.moveAddress();
    else if (local) router.movePort(local);
  }
}

function originRule() {
  return {
    id: CLOUDFLARE_RULE,
    version: "3",
    action: "route",
    action_parameters: { origin: { port: 50_001 } },
    description: "nas",
    enabled: true,
    expression: '(http.host eq "nas.example.com")',
  };
}

function introduce(origin: string): void {
  process.stdout.write(
    [
      "",
      `The demo is open: ${origin}`,
      `Sign in as ${EMAIL} with the password ${PASSWORD}`,
      "",
      "Everything you see is made up: 200 nodes that report every half minute, four holes behind a",
      "pretended router whose address moves every minute or so, and targets on this machine.",
      "Ctrl-C ends it and takes its data away.",
      "",
    ].join("\n"),
  );
}
