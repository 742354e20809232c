import { Counter, type Metric } from "prom-client";
import { gaugeOf } from "../lib/metric.ts";
import type { Checker } from "./checker.ts";
import { outcomes } from "./finding.ts";

/** What is read of a checker; undefined: nothing is checked. */
export type CheckerNumbers = Pick<Checker, "counts" | "waiting" | "unhealthy" | "suspectsItself">;

/** Numbers about background checks, all zero where there are none. */
export function backgroundMetrics(checker: CheckerNumbers | undefined): Metric[] {
  const gauges: [name: string, help: string, read: () => number][] = [
    [
      "waypost_nodes_unhealthy",
      "Nodes that queries leave out because background checks do not reach them.",
      () => checker?.unhealthy ?? 0,
    ],
    [
      "waypost_background_checks_waiting",
      "Nodes whose background check is due and has not begun.",
      () => checker?.waiting ?? 0,
    ],
    [
      "waypost_background_checks_suspended",
      "1 while so many nodes cannot be reached that the service suspects its own network.",
      () => (checker?.suspectsItself ? 1 : 0),
    ],
  ];
  return [countChecks(checker), ...gauges.map(([name, help, read]) => gaugeOf(name, help, read))];
}

function countChecks(checker: CheckerNumbers | undefined): Counter {
  return new Counter({
    name: "waypost_background_checks_total",
    help: "Connections that were checked without being asked for, by outcome.",
    labelNames: ["outcome"],
    registers: [],
    collect() {
      this.reset();
      for (const outcome of outcomes) this.inc({ outcome }, checker?.counts[outcome] ?? 0);
    },
  });
}
