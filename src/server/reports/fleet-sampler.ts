import { DAY_MS, HOUR_MS, MINUTE_MS, type Clock } from "../lib/clock.ts";
import type { FleetRollupTable } from "../database/schema.ts";
import type { Fleet } from "../nodes/fleet.ts";
import type { ReportStore } from "./store.ts";

const levels = [
  { span: 3600, ms: HOUR_MS, from: 60, keptMs: DAY_MS },
  { span: 86_400, ms: DAY_MS, from: 3600, keptMs: 30 * DAY_MS },
] as const;

/** Writes the fleet's history: a sample each minute, and means of them for hours and days. */
export class FleetSampler {
  readonly #fleet: Fleet;
  readonly #store: ReportStore;
  readonly #clock: Clock;
  /** GB accepted since the process started. */
  readonly #acceptedTraffic: () => number;
  #minute: number;
  #trafficBefore: number;

  constructor(fleet: Fleet, store: ReportStore, clock: Clock, acceptedTraffic: () => number) {
    this.#fleet = fleet;
    this.#store = store;
    this.#clock = clock;
    this.#acceptedTraffic = acceptedTraffic;
    this.#minute = floorTo(clock.now(), MINUTE_MS);
    this.#trafficBefore = acceptedTraffic();
  }

  /** Stores the sample of the minute that is over, when one is. */
  async tick(): Promise<void> {
    const now = this.#clock.now();
    const minute = floorTo(now, MINUTE_MS);
    if (minute <= this.#minute) return;
    const { totals } = this.#fleet;
    const traffic = this.#acceptedTraffic();
    await this.#store.addFleetRollup({
      span: 60,
      at: this.#minute,
      total_nodes: totals.total,
      online_nodes: totals.online,
      bandwidth: totals.bandwidth,
      connections: totals.connections,
      traffic: traffic - this.#trafficBefore,
    });
    this.#minute = minute;
    this.#trafficBefore = traffic;
    await this.rollUp(now);
  }

  /** Makes the hours and days that are over and missing, from what is still kept. */
  async rollUp(now: number): Promise<void> {
    for (const level of levels) {
      const latest = await this.#store.latestFleetRollup(level.span);
      const earliest = floorTo(now - level.keptMs, level.ms);
      const end = floorTo(now, level.ms);
      const start = Math.max(latest === 0 ? earliest : latest + level.ms, earliest);
      if (start >= end) continue;
      const rows = await this.#store.fleetRollups(level.from, start, end);
      for (const [at, some] of Map.groupBy(rows, (row) => floorTo(row.at, level.ms))) {
        await this.#store.addFleetRollup(mean(some, level.span, at));
      }
    }
  }
}

function floorTo(at: number, ms: number): number {
  return at - (at % ms);
}

function mean(rows: FleetRollupTable[], span: number, at: number): FleetRollupTable {
  const sum = (read: (row: FleetRollupTable) => number) =>
    rows.reduce((total, row) => total + read(row), 0);
  return {
    span,
    at,
    total_nodes: sum((row) => row.total_nodes) / rows.length,
    online_nodes: sum((row) => row.online_nodes) / rows.length,
    bandwidth: sum((row) => row.bandwidth) / rows.length,
    connections: sum((row) => row.connections) / rows.length,
    traffic: sum((row) => row.traffic),
  };
}
