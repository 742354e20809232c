import type { Counter, Counters } from "./counters.ts";
import { SourceError } from "./source.ts";

type Json = Readonly<Record<string, unknown>>;

/** One of the networks that the overlay program runs. */
export interface Instance {
  /** Drawn anew with each start of it. */
  peerId: string;
  version: string | undefined;
}

/**
 * What a command printed, by instance: its result alone where there is one instance, else a list
 * of results. A single one has the id "".
 */
export function byInstance(output: unknown): Map<string, unknown> {
  if (!Array.isArray(output) || output.length === 0 || !output.every(isInstanceResult)) {
    return new Map([["", output]]);
  }
  return new Map(output.map((each) => [String(each["instance_id"]), each["result"]]));
}

function isInstanceResult(value: unknown): value is Json {
  return isObject(value) && "instance_id" in value && "result" in value;
}

/** From `node info`. What else stands there holds the network's secret and is not looked at. */
export function toInstance(result: unknown): Instance {
  const { peer_id: peerId, version } = isObject(result) ? result : {};
  if (typeof peerId !== "number" && typeof peerId !== "string") {
    throw new SourceError("The overlay's answer about itself has no peer_id");
  }
  return { peerId: String(peerId), version: typeof version === "string" ? version : undefined };
}

/** Metrics of the form in which bytes are told apart by what they are for. */
const LOGICAL = "traffic_control_bytes_";
const inward = { in: true, out: false };
const outward = { in: false, out: true };
/** What is passed on comes in and goes out. */
const through = { in: true, out: true };
const logicalMetrics = new Map([
  ["traffic_bytes_rx", inward],
  ["traffic_bytes_tx", outward],
  ["traffic_bytes_forwarded", through],
  [`${LOGICAL}rx`, inward],
  [`${LOGICAL}tx`, outward],
  [`${LOGICAL}forwarded`, through],
]);
/** Before that, they were counted at the connections, all of them together. */
const wireMetrics = new Map([
  ["traffic_bytes_rx", inward],
  ["traffic_bytes_tx", outward],
]);

/** From `stats show` of one instance: a counter for each metric and network. */
export function toCounters(result: unknown, { peerId }: Instance): Counters {
  const metrics = metricsOf(result);
  const isLogical = metrics.some(({ name }) => String(name).startsWith(LOGICAL));
  const counted = isLogical ? logicalMetrics : wireMetrics;
  const counters = new Map<string, Counter>();
  for (const { name, value, labels } of metrics) {
    const direction = counted.get(String(name));
    if (!direction) continue;
    const bytes = toBytes(value);
    counters.set(JSON.stringify([peerId, name, ...labelsOf(labels)]), {
      life: peerId,
      in: direction.in ? bytes : 0n,
      out: direction.out ? bytes : 0n,
    });
  }
  return counters;
}

function metricsOf(result: unknown): Json[] {
  const list = isObject(result) ? result["metrics"] : result;
  if (Array.isArray(list) && list.every(isObject)) return list;
  throw new SourceError("The overlay's statistics are not a list of metrics");
}

function labelsOf(labels: unknown): string[] {
  return isObject(labels)
    ? Object.entries(labels)
        .map(([key, value]) => `${key}=${String(value)}`)
        .sort()
    : [];
}

function toBytes(value: unknown): bigint {
  if (typeof value === "number" && value >= 0 && Number.isInteger(value)) return BigInt(value);
  if (typeof value === "string" && /^\d{1,20}$/.test(value)) return BigInt(value);
  throw new SourceError("The overlay's statistics hold a value that is no count of bytes");
}

/** From `-v peer` of one instance: those that are connected with this node itself. */
export function countPeers(result: unknown): number {
  if (!Array.isArray(result)) throw new SourceError("The overlay's peers are not a list");
  return result.filter((pair) => isObject(pair) && isConnected(pair["peer"])).length;
}

/** From `peer list-foreign` of one instance: members of other networks that this node helps. */
export function countForeignPeers(result: unknown): number {
  const networks = isObject(result) ? (result["foreign_networks"] ?? result) : undefined;
  if (!isObject(networks)) throw new SourceError("The overlay's foreign networks are not a list");
  let count = 0;
  for (const network of Object.values(networks)) {
    const peers = isObject(network) ? network["peers"] : undefined;
    if (Array.isArray(peers)) count += peers.length;
  }
  return count;
}

function isConnected(peer: unknown): boolean {
  const connections = isObject(peer) ? peer["conns"] : undefined;
  if (!Array.isArray(connections)) return false;
  return connections.some((each) => isObject(each) && each["is_closed"] !== true);
}

function isObject(value: unknown): value is Json {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
