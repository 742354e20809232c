import { parseArgs } from "node:util";
import { Fleet } from "../src/server/nodes/fleet.ts";
import { anyNode, type QueryFilter } from "../src/server/query/filter.ts";
import { QueryService } from "../src/server/query/service.ts";
import { nodeRecord, reportAt } from "../test/support/fleet-nodes.ts";
import { seededChance } from "../test/support/seeded-chance.ts";

/**
 * Cost of choosing 3 nodes while reports flow. Time is simulated at a fixed rate of queries and
 * reports; what a query takes is real and includes its part of following reports and of weighing
 * all nodes again.
 */
const QUERIES_PER_SECOND = 1000;
const REPORT_EVERY_SECONDS = 60;
const WARM_UP_SECONDS = 3;
const MEASURED_SECONDS = 10;
const START = Date.UTC(2026, 0, 15);

interface Figures {
  nodes: number;
  meanUs: number;
  p50Us: number;
  p99Us: number;
  longestMs: number;
  answerUs: number;
}

/** Moves by itself only while a query is being measured. */
class BenchClock {
  #at = START;
  #since = Number.NaN;

  now(): number {
    return Number.isNaN(this.#since) ? this.#at : this.#at + performance.now() - this.#since;
  }

  measure(work: () => void): number {
    this.#since = performance.now();
    work();
    const took = performance.now() - this.#since;
    this.#since = Number.NaN;
    return took;
  }

  advance(ms: number): void {
    this.#at += ms;
  }
}

function fleetOf(nodes: number, chance: () => number): Fleet {
  const fleet = new Fleet();
  const tokenHash = Buffer.alloc(32);
  for (let id = 1; id <= nodes; id++) {
    const record = nodeRecord(id, {
      createdAt: START,
      tokenHash,
      regionType: chance() < 0.5 ? "domestic" : "overseas",
      tierBandwidth: 10 + Math.floor(chance() * 990),
      maxTraffic: chance() < 0.5 ? 0 : 1000,
      maxConnections: 20 + Math.floor(chance() * 480),
      allowRelay: chance() < 0.3,
      tags: chance() < 0.01 ? "rare" : "",
    });
    report(fleet, fleet.put(record, START), START, chance);
  }
  return fleet;
}

function report(fleet: Fleet, slot: number, at: number, chance: () => number): void {
  const most = fleet.columns.maxConnections[slot] as number;
  const connections = Math.floor(most * (0.5 + 0.2 * chance()));
  fleet.applyReport(slot, reportAt(at, { connections, bandwidth: connections, usedHigh: 1 }));
}

function run(nodes: number, filters: QueryFilter[]): Figures {
  const chance = seededChance(nodes);
  const fleet = fleetOf(nodes, chance);
  const clock = new BenchClock();
  const service = new QueryService(fleet, clock, chance);
  const reportsPerQuery = nodes / REPORT_EVERY_SECONDS / QUERIES_PER_SECOND;
  const took = new Float64Array(MEASURED_SECONDS * QUERIES_PER_SECOND);
  let owed = 0;
  let reporting = 0;
  const queries = (WARM_UP_SECONDS + MEASURED_SECONDS) * QUERIES_PER_SECOND;
  for (let query = 0; query < queries; query++) {
    clock.advance(1000 / QUERIES_PER_SECOND);
    for (owed += reportsPerQuery; owed >= 1; owed--) {
      report(fleet, reporting, clock.now(), chance);
      reporting = (reporting + 7919) % nodes;
    }
    const filter = filters[query % filters.length] as QueryFilter;
    const ms = clock.measure(() => service.pick(filter, 3, clock.now()));
    const measured = query - WARM_UP_SECONDS * QUERIES_PER_SECOND;
    if (measured >= 0) took[measured] = ms;
  }
  took.sort();
  const at = (part: number): number =>
    (took[Math.floor(part * (took.length - 1))] as number) * 1000;
  return {
    nodes,
    meanUs: (took.reduce((sum, ms) => sum + ms, 0) / took.length) * 1000,
    p50Us: at(0.5),
    p99Us: at(0.99),
    longestMs: at(1) / 1000,
    answerUs: answerCost(service),
  };
}

/** Microseconds for a whole answer as JSON text, back to back, without reports in between. */
function answerCost(service: QueryService): number {
  const body = { region: "all", priority: "traffic" };
  const times = 50_000;
  let length = 0;
  for (let warm = 0; warm < times; warm++) length += service.answer(body).length;
  const startedAt = performance.now();
  for (let time = 0; time < times; time++) length += service.answer(body).length;
  if (length === 0) throw new Error("nothing was answered");
  return ((performance.now() - startedAt) * 1000) / times;
}

const { values } = parseArgs({
  options: { nodes: { type: "string", default: "1000,10000,100000,1000000" } },
});
const mixed: QueryFilter[] = [
  anyNode,
  { ...anyNode, region: "domestic" },
  { ...anyNode, priority: "traffic" },
  { ...anyNode, region: "overseas", priority: "bandwidth", relayOnly: true },
];
for (const [name, filters] of Object.entries({ "one filter": [anyNode], "four filters": mixed })) {
  console.log(
    `\nselect 3, ${name}, ${QUERIES_PER_SECOND} queries/s, a report per node every ${REPORT_EVERY_SECONDS} s`,
  );
  const rows = values.nodes.split(",").map((nodes) => run(Number(nodes), filters));
  for (const row of rows) {
    console.log(
      `${String(row.nodes).padStart(9)} nodes  mean ${row.meanUs.toFixed(2)} us  p50 ${row.p50Us.toFixed(2)} us  p99 ${row.p99Us.toFixed(2)} us  longest ${row.longestMs.toFixed(2)} ms  answer() ${row.answerUs.toFixed(2)} us`,
    );
  }
  const [first, last] = [rows[0], rows.at(-1)];
  if (first && last && first !== last) {
    console.log(
      `ratio ${last.nodes} / ${first.nodes} nodes: mean ${(last.meanUs / first.meanUs).toFixed(2)}  p50 ${(last.p50Us / first.p50Us).toFixed(2)}  answer() ${(last.answerUs / first.answerUs).toFixed(2)}`,
    );
  }
}
