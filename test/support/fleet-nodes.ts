import { firstPeriod } from "../../src/server/nodes/period.ts";
import type { AppliedReport, NodeRecord } from "../../src/server/nodes/node.ts";

export const FLEET_EPOCH = Date.UTC(2026, 0, 15, 12);

/** A node record as the storage would give it, with the named fields set. */
export function nodeRecord(id: number, fields: Partial<NodeRecord> = {}): NodeRecord {
  const createdAt = fields.createdAt ?? FLEET_EPOCH;
  const resetCycleDays = fields.resetCycleDays ?? 30;
  return {
    id,
    ownerId: 1,
    ownerEmailKey: "owner@example.org",
    name: `node-${id}`,
    regionType: "domestic",
    regionDetail: "",
    connections: [{ type: "TCP", ip: "192.0.2.1", port: 11010 }],
    tierBandwidth: 0,
    tierSince: createdAt,
    maxBandwidth: 0,
    maxTraffic: 0,
    resetCycleDays,
    maxConnections: 100,
    tags: "",
    validUntil: null,
    allowRelay: false,
    enabled: true,
    tokenHash: Buffer.alloc(32),
    previousToken: null,
    period: firstPeriod(createdAt, resetCycleDays),
    createdAt,
    ...fields,
  };
}

/** A report that says `online`, with the named fields set. */
export function reportAt(at: number, fields: Partial<AppliedReport> = {}): AppliedReport {
  return {
    at,
    bandwidth: 0,
    connections: 0,
    status: "online",
    usedHigh: 0,
    usedLow: 0,
    tierBandwidth: null,
    intervalMs: 60_000,
    silentAt: Number.POSITIVE_INFINITY,
    version: null,
    ...fields,
  };
}
