import type { FleetColumns } from "./fleet-columns.ts";
import { expiryOf, validUntilOf, type NodeRecord } from "./node.ts";
import type { NodeTexts } from "./node-texts.ts";
import { transportBits } from "./transport-bits.ts";

/** By slot, for the few nodes whose former token still opens. */
export type PreviousTokens = Map<number, { hash: Buffer; until: number }>;

/** The settings of the node in a slot, put together from the columns: not for hot paths. */
export function readSettings(
  c: FleetColumns,
  texts: NodeTexts,
  previousTokens: PreviousTokens,
  slot: number,
): NodeRecord {
  if (c.id[slot] === 0) throw new Error(`slot ${slot} is free`);
  return {
    id: c.id[slot] as number,
    ownerId: c.owner[slot] as number,
    ownerEmailKey: texts.emailKeys[slot] as string,
    name: texts.names[slot] as string,
    regionType: c.overseas[slot] === 1 ? "overseas" : "domestic",
    regionDetail: texts.regionDetails[slot] as string,
    connections: texts.connectionsOf(slot),
    tierBandwidth: c.tierBandwidth[slot] as number,
    tierSince: c.tierSince[slot] as number,
    maxBandwidth: c.maxBandwidth[slot] as number,
    maxTraffic: c.maxTraffic[slot] as number,
    resetCycleDays: c.cycleDays[slot] as number,
    maxConnections: c.maxConnections[slot] as number,
    tags: texts.tags[slot] as string,
    validUntil: validUntilOf(c.expiresAt[slot] as number),
    allowRelay: c.relay[slot] === 1,
    enabled: c.enabled[slot] === 1,
    tokenHash: Buffer.from(c.hashOf(slot)),
    previousToken: previousTokens.get(slot) ?? null,
    period: { start: c.periodStart[slot] as number, end: c.periodEnd[slot] as number },
    createdAt: c.createdAt[slot] as number,
  };
}

/** What its owner and the administrator have set, but for the texts and the period. */
export function writeSettings(
  c: FleetColumns,
  previousTokens: PreviousTokens,
  slot: number,
  record: NodeRecord,
): void {
  c.overseas[slot] = record.regionType === "overseas" ? 1 : 0;
  c.relay[slot] = record.allowRelay ? 1 : 0;
  c.enabled[slot] = record.enabled ? 1 : 0;
  c.transports[slot] = transportBits(record.connections);
  c.tierSince[slot] = record.tierSince;
  if (record.tierSince >= (c.tierAt[slot] as number)) c.tierBandwidth[slot] = record.tierBandwidth;
  c.maxBandwidth[slot] = record.maxBandwidth;
  c.maxTraffic[slot] = record.maxTraffic;
  c.maxConnections[slot] = record.maxConnections;
  c.cycleDays[slot] = record.resetCycleDays;
  c.expiresAt[slot] = expiryOf(record.validUntil);
  c.hashOf(slot).set(record.tokenHash);
  if (record.previousToken) previousTokens.set(slot, record.previousToken);
  else previousTokens.delete(slot);
}
