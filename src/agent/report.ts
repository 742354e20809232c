import type { ReportInput } from "../shared/api/reports.ts";

/** Who reports. The token is never stored and never logged. */
export interface Identity {
  email: string;
  nodeName: string;
  token: string;
}

/** What a node is doing now. */
export interface Load {
  /** Mbit/s. */
  bandwidth: number;
  connections: number;
  status: "online" | "offline";
  version: string | undefined;
  intervalSeconds: number;
}

/** A report as it is kept until it has been answered: whatever happens, it is sent as it is. */
export interface Report {
  id: string;
  /** Milliseconds since 1970. */
  madeAt: number;
  bytes: bigint;
  load: Load;
}

const BYTES_PER_GB = 1e9;
/** What the service takes at most: Mbit/s, connections, characters, GB. */
const limits = { bandwidth: 1e6, connections: 1e7, version: 64, traffic: 1_000_000n };

/** What one report can carry at most. */
export const MOST_BYTES = limits.traffic * BigInt(BYTES_PER_GB);

export function toGb(bytes: bigint): number {
  return Number(bytes) / BYTES_PER_GB;
}

export function toBody({ id, bytes, load }: Report, identity: Identity): ReportInput {
  return {
    node_name: identity.nodeName,
    email: identity.email,
    token: identity.token,
    current_bandwidth: Math.min(load.bandwidth, limits.bandwidth),
    reported_traffic: toGb(bytes),
    connection_count: Math.min(load.connections, limits.connections),
    status: load.status,
    report_id: id,
    interval_seconds: load.intervalSeconds,
    ...(load.version === undefined ? {} : { version: load.version.slice(0, limits.version) }),
  };
}
