import { MINUTE_MS } from "../lib/clock.ts";
import type { FleetColumns } from "../nodes/fleet-columns.ts";
import { budgetToday, dayOf, usedToday } from "./traffic-budget.ts";

/** What one resource looks like across the fleet. */
export interface ResourceSurvey {
  /** The median capacity of the nodes that state one, in the resource's unit. */
  capacity: number;
  /** What a client typically takes of it, in the same unit. */
  perClient: number;
}

/** What is typical of the fleet: what an unlimited node counts as, and how units compare. */
export interface Survey {
  connections: ResourceSurvey;
  /** Mbit/s. */
  bandwidth: ResourceSurvey;
  /** GB a day. */
  traffic: ResourceSurvey;
  reportIntervalMs: number;
}

/** Enough for a median within some percent. */
const SAMPLE = 2048;

/** Looks at online nodes, some thousands at most. */
export function surveyFleet(c: FleetColumns, end: number, now: number): Survey {
  const seen = new Sample();
  const today = dayOf(now);
  const stride = Math.max(1, Math.floor(end / SAMPLE));
  for (let slot = 0; slot < end; slot += stride) {
    if (c.online[slot] === 1 && c.enabled[slot] === 1) seen.take(c, slot, today);
  }
  const connections = {
    capacity: median(seen.maxConnections) || 2 * (1 + mean(seen.connections)),
    perClient: 1,
  };
  return {
    connections,
    bandwidth: resource(seen.bandwidths, seen.bandwidthPerClient, connections.capacity),
    traffic: resource(seen.budgets, seen.trafficPerClient, connections.capacity),
    reportIntervalMs: median(seen.intervals) || MINUTE_MS,
  };
}

class Sample {
  readonly connections: number[] = [];
  readonly maxConnections: number[] = [];
  readonly bandwidths: number[] = [];
  readonly budgets: number[] = [];
  readonly bandwidthPerClient: number[] = [];
  readonly trafficPerClient: number[] = [];
  readonly intervals: number[] = [];

  take(c: FleetColumns, slot: number, today: number): void {
    const connections = c.connections[slot] as number;
    this.connections.push(connections);
    pushStated(this.maxConnections, c.maxConnections[slot] as number);
    pushStated(this.bandwidths, c.tierBandwidth[slot] as number);
    pushStated(this.intervals, c.intervalMs[slot] as number);
    pushStated(this.budgets, budgetToday(c, slot, today));
    if (connections === 0) return;
    this.bandwidthPerClient.push((c.bandwidth[slot] as number) / connections);
    this.trafficPerClient.push(usedToday(c, slot, today) / connections);
  }
}

/**
 * Without use to go by, a client takes as much of a resource as it does of the connections; and
 * without stated capacities all nodes hold as many clients as by their connections.
 */
function resource(capacities: number[], perClient: number[], connections: number): ResourceSurvey {
  const capacity = median(capacities);
  const share = median(perClient) || capacity / connections || 1;
  return { capacity: capacity || connections * share, perClient: share };
}

function pushStated(list: number[], value: number): void {
  if (value > 0) list.push(value);
}

function mean(values: number[]): number {
  return values.length === 0 ? 0 : values.reduce((sum, value) => sum + value, 0) / values.length;
}

/** The lower middle, so that of two nodes the more modest one counts; 0 of nothing. */
function median(values: number[]): number {
  const sorted = Float64Array.from(values).sort();
  return sorted[(sorted.length - 1) >> 1] ?? 0;
}
