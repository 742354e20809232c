import type { QueryPriority } from "../../shared/api/query.ts";
import type { FleetColumns } from "../nodes/fleet-columns.ts";
import type { Survey } from "./survey.ts";

/** Of the 24 binary digits of a weight; when a median moves a little, hardly any weight moves. */
const DIGITS_DROPPED = 20;
const HALF = 1 << (DIGITS_DROPPED - 1);
const float = new Float32Array(1);
const bits = new Int32Array(float.buffer);

/**
 * A node's share of the names, by what it states and not by how busy it is, so that names stay where
 * they are while reports come: its capacity over the fleet's median. Unlimited counts as the
 * median; without a priority, the resource of which it has least decides.
 */
export function standingWeight(
  c: FleetColumns,
  slot: number,
  priority: QueryPriority | null,
  survey: Survey,
): number {
  const connections = share(c.maxConnections[slot] as number, survey.connections.capacity);
  if (priority === "latency") return stepped(connections);
  const bandwidth = share(c.tierBandwidth[slot] as number, survey.bandwidth.capacity);
  if (priority === "bandwidth") return stepped(bandwidth);
  const quota = (c.maxTraffic[slot] as number) / (c.cycleDays[slot] as number);
  const traffic = share(quota, survey.traffic.capacity);
  if (priority === "traffic") return stepped(traffic);
  const least = Math.min(
    c.maxConnections[slot] === 0 ? Number.POSITIVE_INFINITY : connections,
    c.tierBandwidth[slot] === 0 ? Number.POSITIVE_INFINITY : bandwidth,
    c.maxTraffic[slot] === 0 ? Number.POSITIVE_INFINITY : traffic,
  );
  return stepped(least === Number.POSITIVE_INFINITY ? 1 : least);
}

function share(stated: number, median: number): number {
  return stated === 0 ? 1 : stated / median;
}

/** Rounded to four binary digits, as a 32-bit float that has 24 of them. */
function stepped(weight: number): number {
  float[0] = weight;
  bits[0] = ((bits[0] as number) + HALF) & (-1 << DIGITS_DROPPED);
  return float[0];
}
