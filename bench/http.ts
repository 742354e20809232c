/**
 * The hot paths over HTTP, each beside the raw limit in the same run. Servers are bound to one
 * processor, the load to the other. Needs wrk (Debian package `wrk`).
 *
 *   npm run bench                     every scenario
 *   npm run bench -- reports-sqlite   one of them
 */
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { PostgresServer } from "../test/support/postgres-server.ts";
import { callbacks } from "./callbacks.ts";
import { checks } from "./checks.ts";
import { duel, median, type Contestant } from "./duel.ts";
import { relay } from "./relay.ts";
import { residentMb, startServer, startWaypost, type ServerProcess } from "./processes.ts";
import { reportBodies, seed } from "./seed.ts";
import { stun } from "./stun.ts";
import { prepare, type Load } from "./wrk.ts";
import { logInAgainAndAgain } from "./log-ins.ts";

const folder = mkdtempSync(join(tmpdir(), "waypost-bench-"));
const raw = new URL("./raw-server.ts", import.meta.url);
const running: ServerProcess[] = [];

const scenarios: Record<string, () => Promise<void>> = {
  "reports-sqlite": reportsOnSqlite,
  "reports-postgres": reportsOnPostgres,
  "reports-naive": reportsAgainstOneTransactionEach,
  "reports-million": reportsAndQueriesOfAMillion,
  "reports-logins": reportsBesideLogIns,
  query: queries,
  connect: peerUrls,
  lists: statsAndPublicList,
  start: startOf100k,
  checks,
  stun,
  relay,
  callbacks,
};

const BODIES = 10_000;
const connections = 256;

async function reportsOnSqlite(): Promise<void> {
  for (const nodes of [10_000, 100_000]) {
    const waypost = await startWaypost({ DATA_DIR: await sqliteFleet(nodes) }).then(kept);
    const load: Load = { path: "/api/report", bodies: reportBodies(nodes, BODIES), connections };
    await duel(
      `Durable reports on SQLite, ${nodes} nodes, ${connections} connections`,
      contestant("Waypost", waypost, load),
      contestant("raw POST, nothing stored", await startRaw(), load),
    );
    await stopAll();
  }
}

async function reportsOnPostgres(): Promise<void> {
  const nodes = 10_000;
  const postgres = await PostgresServer.create({ fsync: true });
  await seed({ dialect: "postgres", url: postgres.url() }, nodes);
  const waypost = await startWaypost({ DATA_DIR: folder, DATABASE_URL: postgres.url() }).then(kept);
  const load: Load = { path: "/api/report", bodies: reportBodies(nodes, BODIES), connections };
  await duel(
    `Durable reports on PostgreSQL, ${nodes} nodes, ${connections} connections (PostgreSQL beside the load)`,
    contestant("Waypost", waypost, load),
    contestant("raw POST, nothing stored", await startRaw(), load),
  );
  await stopAll();
  await postgres.destroy();
}

async function reportsAgainstOneTransactionEach(): Promise<void> {
  const nodes = 10_000;
  const waypost = await startWaypost({ DATA_DIR: await sqliteFleet(nodes) }).then(kept);
  const naive = await startServer(new URL("./one-transaction-server.ts", import.meta.url), {
    BENCH_FILE: join(await sqliteFleet(nodes), "waypost.db"),
  }).then(kept);
  const load: Load = { path: "/api/report", bodies: reportBodies(nodes, BODIES), connections };
  await duel(
    `Reports, group commit against one transaction per request, ${nodes} nodes`,
    contestant("Waypost", waypost, load),
    contestant("one transaction per request", naive, load),
  );
  await stopAll();
}

async function reportsAndQueriesOfAMillion(): Promise<void> {
  const small = await startWaypost({ DATA_DIR: await sqliteFleet(10_000) }).then(kept);
  const heap = ["--max-old-space-size=8192"];
  const large = await startWaypost({ DATA_DIR: await sqliteFleet(1_000_000) }, heap).then(kept);
  console.log(
    `1,000,000 nodes: started in ${(large.startMs / 1000).toFixed(1)} s, ${residentMb(large.pid).toFixed(0)} MB resident\n`,
  );
  const path = "/api/report";
  await duel(
    "Reports, 1,000,000 nodes against 10,000",
    contestant("1,000,000 nodes", large, { path, bodies: reportBodies(1e6, 100_000), connections }),
    contestant("10,000 nodes", small, { path, bodies: reportBodies(1e4, 10_000), connections }),
  );
  for (const [name, bodies] of Object.entries(queryLoads)) {
    const query: Load = { path: "/api/query", bodies, connections: 64 };
    await duel(
      `Queries, 1,000,000 nodes against 10,000, ${name}`,
      contestant("1,000,000 nodes", large, query),
      contestant("10,000 nodes", small, query),
    );
  }
  await stopAll();
}

async function reportsBesideLogIns(): Promise<void> {
  const nodes = 10_000;
  const waypost = await startWaypost({ DATA_DIR: await sqliteFleet(nodes) }).then(kept);
  const load: Load = { path: "/api/report", bodies: reportBodies(nodes, BODIES), connections };
  const alone = contestant("reports alone", waypost, load);
  const logIns = await logInAgainAndAgain(waypost.origin);
  const done: number[] = [];
  const beside: Contestant = {
    name: "reports beside 20 log-ins/s",
    run: async (seconds) => {
      const storm = logIns.start(20);
      const measured = await alone.run(seconds);
      done.push((await storm.stop()) / seconds);
      return measured;
    },
  };
  await duel("Reports while people log in", beside, alone);
  console.log(`  log-ins answered: ${median(done).toFixed(1)}/s\n`);
  await stopAll();
}

/** What a client asks that says nothing about itself, and several kinds of clients in turn. */
const queryLoads: Record<string, string[]> = {
  "one filter": ["{}"],
  "five filters in turn": [
    "{}",
    '{"region":"domestic"}',
    '{"region":"domestic","priority":"traffic"}',
    '{"region":"overseas","priority":"latency","relay_only":true}',
    '{"priority":"bandwidth"}',
  ],
};

async function queries(): Promise<void> {
  for (const nodes of [10_000, 100_000]) {
    const waypost = await startWaypost({ DATA_DIR: await sqliteFleet(nodes) }).then(kept);
    const answer = await (await fetch(`${waypost.origin}/api/query`, { method: "POST" })).text();
    const file = join(folder, "answer.json");
    writeFileSync(file, answer);
    const rawServer = await startRaw({ RAW_BODY: file, RAW_POST: "1" });
    for (const [name, bodies] of Object.entries(queryLoads)) {
      const load: Load = { path: "/api/query", bodies, connections: 64 };
      await duel(
        `Queries, ${nodes} nodes, ${name}, ${answer.length} bytes`,
        contestant("Waypost", waypost, load),
        contestant("raw fixed POST of that size", rawServer, load),
      );
    }
    await stopAll();
  }
}

const networks = (count: number) => Array.from({ length: count }, (_, n) => `network-${n}`);

async function peerUrls(): Promise<void> {
  const query: Load = { path: "/api/query", bodies: ["{}"], connections: 64 };
  const loads: Record<string, Load> = {
    "without a name": { path: "/connect", connections: 64 },
    "of 1,000 networks": { path: "/connect", networks: networks(1_000), connections: 64 },
    "of 200,000 networks": { path: "/connect", networks: networks(200_000), connections: 64 },
  };
  for (const [name, load] of Object.entries(loads)) {
    const waypost = await startWaypost({ DATA_DIR: await sqliteFleet(10_000) }).then(kept);
    await duel(
      `Peer URLs, 10000 nodes, ${name}`,
      contestant("GET /connect", waypost, load),
      contestant("POST /api/query", waypost, query),
      3,
      2,
    );
    await stopAll();
  }
}

async function statsAndPublicList(): Promise<void> {
  for (const nodes of [1_000, 10_000]) {
    const waypost = await startWaypost({ DATA_DIR: await sqliteFleet(nodes) }).then(kept);
    const list = Buffer.from(await (await fetch(`${waypost.origin}/api/public`)).arrayBuffer());
    const file = join(folder, "public.json");
    writeFileSync(file, list);
    const rawServer = await startRaw({ RAW_BODY: file });
    await duel(
      `Statistics, ${nodes} nodes`,
      contestant("Waypost", waypost, { path: "/api/stats", connections: 64 }),
      contestant("raw fixed GET", rawServer, { path: "/stats", connections: 64 }),
    );
    await duel(
      `Public list, ${nodes} nodes, ${(list.length / 1024).toFixed(0)} KiB`,
      contestant("Waypost", waypost, { path: "/api/public", connections: 64 }),
      contestant("raw cached buffer", rawServer, { path: "/public", connections: 64 }),
    );
    await stopAll();
  }
}

async function startOf100k(): Promise<void> {
  const dataDir = await sqliteFleet(100_000);
  const times: number[] = [];
  const memory: number[] = [];
  for (let round = 0; round < 5; round++) {
    const waypost = await startWaypost({ DATA_DIR: dataDir }).then(kept);
    times.push(waypost.startMs);
    memory.push(residentMb(waypost.pid));
    await stopAll();
  }
  console.log(
    `Start with 100,000 nodes: ${(median(times) / 1000).toFixed(2)} s, ${median(memory).toFixed(0)} MB resident\n`,
  );
}

function contestant(name: string, server: ServerProcess, load: Load): Contestant {
  const run = prepare(load);
  return { name, run: (seconds) => run(server, seconds) };
}

let copies = 0;

/** A data folder with an SQLite fleet of its own. */
async function sqliteFleet(nodes: number): Promise<string> {
  const dataDir = join(folder, `fleet-${nodes}-${copies++}`);
  await seed({ dialect: "sqlite", file: join(dataDir, "waypost.db") }, nodes);
  return dataDir;
}

function startRaw(environment: Record<string, string> = {}): Promise<ServerProcess> {
  return startServer(raw, environment).then(kept);
}

function kept(server: ServerProcess): ServerProcess {
  running.push(server);
  return server;
}

async function stopAll(): Promise<void> {
  for (const server of running.splice(0)) await server.stop();
}

const wanted = process.argv.slice(2);
try {
  for (const [name, scenario] of Object.entries(scenarios)) {
    if (wanted.length > 0 && !wanted.includes(name)) continue;
    await scenario();
  }
} finally {
  await stopAll();
  rmSync(folder, { recursive: true, force: true });
}
