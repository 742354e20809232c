import { setTimeout as sleep } from "node:timers/promises";
import type { Lab } from "../lab/lab.ts";
import { RemoteProgram } from "../lab/remote-program.ts";
import { ServiceAtHome } from "../test/support/service-at-home.ts";
import { ADMIN } from "../test/support/accounts.ts";
import { Caller } from "./caller.ts";
import { SoakFleet } from "./fleet.ts";
import { SoakHoles } from "./holes.ts";
import { Latencies } from "./latencies.ts";
import { Memory } from "./memory.ts";
import { pace } from "./pace.ts";
import type { SoakPlan } from "./plan.ts";

const SINK_PORT = 9_000;
const PEER = { host: "203.0.113.98", port: 11_010 } as const;
const CLOSING_SECONDS = 10;
/** A check that is under way while the NAT moves may find nobody. */
const UPSET_MS = 8_000;

export interface SoakReport {
  /** What was seen, a line each. */
  lines: string[];
  /** What is not as it must be; empty when all is well. */
  faults: string[];
}

/** Everything at once, for a long time: see `SoakPlan`. */
export async function soak(
  lab: Lab,
  plan: SoakPlan,
  say: (line: string) => void,
): Promise<SoakReport> {
  const parts: { stop(): Promise<void> }[] = [];
  try {
    // Each check is a connection of its own; the NAT would run out of ports if it kept all for minutes.
    await lab.nat.become({ tcpClosingSeconds: CLOSING_SECONDS });
    const settings = { WAYPOST_RATE_LIMIT: "off", WAYPOST_CHECK_POLICY: "any" };
    const service = await ServiceAtHome.start(lab, settings);
    parts.push({ stop: () => service.close() });
    const sink = await start(lab.home, "sink", [String(SINK_PORT)]);
    const peer = await start(lab.internet, "overlay-peer", [PEER.host, String(PEER.port)]);
    parts.push({ stop: () => sink.kill() }, { stop: () => peer.kill() });
    const caller = new Caller(service.origin);
    caller.signIn(service.token);
    parts.push({ stop: () => caller.close() });
    return await run({ plan, say, lab, service, sink, caller });
  } finally {
    for (const part of parts.toReversed()) await part.stop();
  }
}

function start(where: Lab["home"], name: string, parameters: string[]): Promise<RemoteProgram> {
  const module = new URL(`programs/${name}.ts`, import.meta.url);
  return RemoteProgram.start(where, module, parameters);
}

interface Soaked {
  plan: SoakPlan;
  say: (line: string) => void;
  lab: Lab;
  service: ServiceAtHome;
  sink: RemoteProgram;
  caller: Caller;
}

async function run({ plan, say, lab, service, sink, caller }: Soaked): Promise<SoakReport> {
  const fleet = new SoakFleet(caller, ADMIN);
  const holes = new SoakHoles(caller, lab, plan);
  const latencies = new Latencies();
  const memory = new Memory(caller);
  say(`Creating ${plan.nodes} nodes`);
  await fleet.create(plan);
  say(`Opening ${plan.udpRules + plan.tcpRules} rules with ${plan.tasksPerRule} tasks each`);
  await holes.create(`http://127.0.0.1:${SINK_PORT}`);
  say(`Everything at once for ${plan.seconds} s`);

  const ending = new AbortController();
  const { signal } = ending;
  const perSecond = plan.nodes / plan.reportIntervalSeconds;
  const watching = memory.watch(signal);
  const working = [
    pace(perSecond, signal, (turn) => fleet.report(turn, plan.reportIntervalSeconds, latencies)),
    pace(plan.queriesPerSecond, signal, (turn) => query(caller, latencies, turn)),
    pace(plan.checksPerSecond, signal, () => check(caller, latencies, holes)),
    pace(1, signal, () => browse(caller, latencies)),
    holes.keepMoving(signal),
  ];
  // A part that fails ends the run at once.
  const broken = Promise.all([watching, ...working]);
  await Promise.race([sleep(plan.seconds * 1000), broken]);
  ending.abort();
  await broken;

  const faults = [...latencies.failures];
  faults.push(...(await fleet.differences()).slice(0, 5));
  const settled = await holes.settle();
  faults.push(...settled.faults);
  const sunk = await sink.ask<{ runs: number; repeated: number }>("counts", {});
  if (sunk.runs !== settled.runsDue) {
    faults.push(`${settled.runsDue} runs were due and ${sunk.runs} arrived`);
  }
  if (sunk.repeated > 0) faults.push(`${sunk.repeated} runs arrived more than once`);
  const growth = memory.growth(plan.warmUpSeconds * 1000);
  if (!growth.isFlat) faults.push(growth.text);
  const errors = service.said
    .split("\n")
    .filter((line) => /"level":"?(50|60|error|fatal)/.test(line));
  if (errors.length > 0) faults.push(`${errors.length} errors in the log, first: ${errors[0]}`);
  faults.push(...(await faultsOfRestart(service, fleet)));
  const lines = [
    ...latencies.describe(),
    `${settled.changes} changes of mappings, ${sunk.runs} callbacks arrived`,
    growth.text,
  ];
  return { lines, faults };
}

/** What was acknowledged must stand in the storage, and not in memory alone. */
async function faultsOfRestart(service: ServiceAtHome, fleet: SoakFleet): Promise<string[]> {
  const status = await service.terminate();
  if (status !== 0) return [`The service ended with ${status}`];
  await service.run();
  const differences = await fleet.differences();
  return differences.slice(0, 5).map((each) => `After a restart: ${each}`);
}

const questions = [
  {},
  { region: "overseas" },
  { relay_only: true, limit: 5 },
  { priority: "traffic" },
];

function query(caller: Caller, latencies: Latencies, turn: number): Promise<unknown> {
  return latencies.measure("query", async () => {
    const body = questions[turn % questions.length];
    const { nodes } = await caller.call<{ nodes: unknown[] }>("POST", "/api/query", body);
    if (nodes.length === 0 && latencies.countOf("report") > 5_000) throw new Error("no node");
  });
}

const checked = `/api/edgecheck/check?server=${encodeURIComponent(`tcp://${PEER.host}:${PEER.port}`)}&network_name=net&network_secret=secret`;

async function check(caller: Caller, latencies: Latencies, holes: SoakHoles): Promise<void> {
  const startedAt = performance.now();
  const result = await latencies.measure("check", () =>
    caller.call<{ is_online: boolean; handshake?: string; error?: string }>("GET", checked),
  );
  if (!result || (result.is_online && result.handshake === "ok")) return;
  const wasUpset = holes.movedAt > startedAt - UPSET_MS;
  if (!wasUpset) latencies.fail("check", `found ${JSON.stringify(result)}`);
}

/** As people with a page open do. */
async function browse(caller: Caller, latencies: Latencies): Promise<void> {
  for (const path of [
    "/api/stats",
    "/api/public?limit=50",
    "/api/stun/rules",
    "/api/callbacks/runs",
  ]) {
    await latencies.measure(`GET ${path}`, () => caller.call("GET", path));
  }
}
