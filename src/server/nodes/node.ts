import type { Connection, RegionType } from "../../shared/api/nodes.ts";
import { DAY_MS, toIso } from "../lib/clock.ts";

/** A node as its owner and the administrator have set it, with the token hashes. */
export interface NodeRecord {
  id: number;
  ownerId: number;
  /** Lower-case address of the owner. */
  ownerEmailKey: string;
  name: string;
  regionType: RegionType;
  regionDetail: string;
  connections: Connection[];
  /** Mbit/s; a report may replace it. */
  tierBandwidth: number;
  /** When the owner last set the tier. */
  tierSince: number;
  maxBandwidth: number;
  /** GB per period, 0 = unlimited. */
  maxTraffic: number;
  resetCycleDays: number;
  maxConnections: number;
  tags: string;
  validUntil: string | null;
  allowRelay: boolean;
  enabled: boolean;
  tokenHash: Buffer;
  previousToken: { hash: Buffer; until: number } | null;
  /** The period in force, or one before it that was set with the cycle. */
  period: { start: number; end: number };
  createdAt: number;
}

/** What the reports have said, as the storage holds it. */
export interface LiveState {
  /** 0 = never. */
  reportedAt: number;
  bandwidth: number;
  connections: number;
  status: string;
  used: number;
  usedRest: number;
  periodStart: number;
  /** What a report said last; in force when it is newer than the owner's. */
  tierBandwidth: number | null;
  tierAt: number;
  intervalMs: number;
  version: string;
  silent: boolean;
}

/** What a durable report changes. */
export interface AppliedReport {
  at: number;
  bandwidth: number;
  connections: number;
  status: string;
  usedHigh: number;
  usedLow: number;
  tierBandwidth: number | null;
  intervalMs: number;
  silentAt: number;
  version: string | null;
}

/** The first moment at which a node with this `valid_until` is expired. */
export function expiryOf(validUntil: string | null): number {
  return validUntil === null ? Number.POSITIVE_INFINITY : Date.parse(validUntil) + DAY_MS;
}

/** The `valid_until` that has this first moment of expiry. */
export function validUntilOf(expiresAt: number): string | null {
  return expiresAt === Number.POSITIVE_INFINITY ? null : toIso(expiresAt - DAY_MS).slice(0, 10);
}
