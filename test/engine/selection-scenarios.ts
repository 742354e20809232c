import type { Chance } from "../../src/server/lib/chance.ts";
import type { QueryPriority } from "../../src/shared/api/query.ts";
import { exponential } from "../support/seeded-chance.ts";

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;

/** A world around the query. Times in milliseconds. */
export interface Scenario {
  reportIntervalMs: number;
  /** Clients over capacity, on average. */
  load: number;
  /** The part of all clients that choose without asking, by capacity. */
  bypass: number;
  /** Instances of the service that are asked in turn and share nothing but the reports. */
  instances: number;
  /** The part of all answers that a client then uses. */
  pickUp: number;
  /** 0 = nodes never die. */
  deathEveryMs: number;
  outageMs: number;
  /** Whether the service sees a death as silence, at once. */
  outageSeen: boolean;
  /** Nodes that always report 0. */
  liars: number;
  priority: QueryPriority | null;
  /**
   * What limits a node: its connections; its bandwidth; its traffic; or, `mixed`, connections for
   * every other node and bandwidth for the rest. But for the first, clients want unlike much.
   */
  resource: "connections" | "bandwidth" | "traffic" | "mixed";
  meanStayMs: number;
  stay: (chance: Chance) => number;
}

export interface Outcome {
  /** Coefficient of variation of the utilisation over the living nodes, mean over time. */
  variation: number;
  /** The most used node's utilisation, mean over time. */
  maximum: number;
  /** The part of all new clients that came to a node above its capacity. */
  overfull: number;
}

const A: Scenario = {
  reportIntervalMs: 10 * MINUTE,
  load: 0.7,
  bypass: 0,
  instances: 1,
  pickUp: 1,
  deathEveryMs: 0,
  outageMs: 5 * MINUTE,
  outageSeen: true,
  liars: 0,
  priority: "latency",
  resource: "connections",
  meanStayMs: HOUR,
  stay: (chance) => exponential(HOUR, chance),
};
const B: Scenario = { ...A, reportIntervalMs: MINUTE };
const C: Scenario = { ...A, bypass: 0.4, instances: 4, pickUp: 0.6 };
const D: Scenario = { ...A, load: 0.85, deathEveryMs: 5 * MINUTE };
const E: Scenario = { ...A, liars: 2 };
const F: Scenario = { ...D, liars: 2 };

/** A to F of the published comparison of rules. */
export const scenarios = { A, B, C, D, E, F };

/** What that comparison left out. */
export const furtherScenarios = {
  bandwidth: { ...A, priority: "bandwidth", resource: "bandwidth" },
  traffic: { ...A, priority: "traffic", resource: "traffic" },
  balanced: { ...A, priority: null, resource: "mixed" },
  /** Nodes restart before they could be found silent. */
  restarts: { ...D, outageMs: MINUTE / 2, outageSeen: false },
  /** Three of ten answers are used. */
  onlookers: { ...F, pickUp: 0.3 },
  /** C, D and E at once. */
  everything: { ...C, load: 0.8, deathEveryMs: 5 * MINUTE, liars: 2 },
  /** Clients stay for a quarter of an hour. */
  brief: { ...F, meanStayMs: HOUR / 4, stay: (chance) => exponential(HOUR / 4, chance) },
} satisfies Record<string, Scenario>;
