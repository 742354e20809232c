import type { Fleet } from "../nodes/fleet.ts";
import { surveyFleet } from "./survey.ts";

/** How evenly the online nodes are used, by connections. */
export interface FleetQuality {
  /** Jain's index (Σu)²/(nΣu²): 1 = all alike, 1/n = all on one. */
  jain: number;
  /** Standard deviation of the utilisation over its mean. */
  variation: number;
  nodes: number;
}

/** An unlimited node counts with the median capacity. A fleet without use is even. */
export function fleetQuality(fleet: Fleet, now: number): FleetQuality {
  fleet.expire(now);
  const { columns: c, end } = fleet;
  const typical = surveyFleet(c, end, now).connections.capacity;
  let nodes = 0;
  let sum = 0;
  let squares = 0;
  for (let slot = 0; slot < end; slot++) {
    if (c.online[slot] !== 1 || !fleet.isListed(slot)) continue;
    const use = (c.connections[slot] as number) / ((c.maxConnections[slot] as number) || typical);
    nodes++;
    sum += use;
    squares += use * use;
  }
  if (sum === 0) return { jain: 1, variation: 0, nodes };
  const mean = sum / nodes;
  const variance = Math.max(0, squares / nodes - mean * mean);
  return { jain: (sum * sum) / (nodes * squares), variation: Math.sqrt(variance) / mean, nodes };
}
