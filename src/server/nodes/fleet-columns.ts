const HASH_BYTES = 32;

/**
 * The fleet's numbers, one typed array per field and one place ("slot") per node, so that a
 * million nodes stay small and a scan touches only what it reads.
 */
export class FleetColumns {
  capacity: number;

  /** 0 = the slot is free. */
  id: Float64Array;
  owner: Float64Array;
  createdAt: Float64Array;

  // set by the owner or the administrator
  /** Another one after each change of the settings, never the same for two nodes. */
  revision: Float64Array;
  overseas: Uint8Array;
  relay: Uint8Array;
  enabled: Uint8Array;
  /** Bit n is set when a connection uses `transports[n]`. */
  transports: Uint8Array;
  /** The tier in force: the owner's, or that of a report since. */
  tierBandwidth: Float64Array;
  /** When the owner last set the tier. */
  tierSince: Float64Array;
  maxBandwidth: Float64Array;
  maxTraffic: Float64Array;
  maxConnections: Float64Array;
  cycleDays: Uint16Array;
  /** First moment at which the node is expired; Infinity = never. */
  expiresAt: Float64Array;
  tokenHash: Uint8Array;
  /** The traffic period in force, moved on as time passes. */
  periodStart: Float64Array;
  periodEnd: Float64Array;

  // set by reports, after they are durable
  reportedAt: Float64Array;
  bandwidth: Float64Array;
  connections: Float64Array;
  usedHigh: Float64Array;
  usedLow: Float64Array;
  /** When a report last changed the tier; 0 = never. */
  tierAt: Float64Array;
  /** Stated or observed milliseconds between reports; 0 = unknown. */
  intervalMs: Float64Array;
  /** When silence makes the node offline; Infinity = not watched. */
  silentAt: Float64Array;
  /** 1 while the last report said `online` and the node has not fallen silent since. */
  online: Uint8Array;
  /** 1 once the expiry has been counted. */
  expired: Uint8Array;

  /** 1 while background checks do not reach the node. */
  unreachable: Uint8Array;

  // the sums including reports that are accepted but not durable yet
  stagedHigh: Float64Array;
  stagedLow: Float64Array;

  /** UTC days since 1970: the day of `usedAtDayStart`; 0 = never reported here. */
  reportDay: Int32Array;
  /** GB used in the period when the day of the last report began. */
  usedAtDayStart: Float64Array;

  // what the query handed out, in the unit of query/handed-out.ts
  /** Since the last report. */
  pending: Float64Array;
  /** Whatever the reports say; forgotten after an outage that the service itself has seen. */
  own: Float64Array;
  /** When a sudden loss of most clients was last believed; 0 = never. */
  collapsedAt: Float64Array;

  constructor(capacity: number) {
    this.capacity = capacity;
    this.id = new Float64Array(capacity);
    this.owner = new Float64Array(capacity);
    this.createdAt = new Float64Array(capacity);
    this.revision = new Float64Array(capacity);
    this.overseas = new Uint8Array(capacity);
    this.relay = new Uint8Array(capacity);
    this.enabled = new Uint8Array(capacity);
    this.transports = new Uint8Array(capacity);
    this.tierBandwidth = new Float64Array(capacity);
    this.tierSince = new Float64Array(capacity);
    this.maxBandwidth = new Float64Array(capacity);
    this.maxTraffic = new Float64Array(capacity);
    this.maxConnections = new Float64Array(capacity);
    this.cycleDays = new Uint16Array(capacity);
    this.expiresAt = new Float64Array(capacity);
    this.tokenHash = new Uint8Array(capacity * HASH_BYTES);
    this.periodStart = new Float64Array(capacity);
    this.periodEnd = new Float64Array(capacity);
    this.reportedAt = new Float64Array(capacity);
    this.bandwidth = new Float64Array(capacity);
    this.connections = new Float64Array(capacity);
    this.usedHigh = new Float64Array(capacity);
    this.usedLow = new Float64Array(capacity);
    this.tierAt = new Float64Array(capacity);
    this.intervalMs = new Float64Array(capacity);
    this.silentAt = new Float64Array(capacity);
    this.online = new Uint8Array(capacity);
    this.expired = new Uint8Array(capacity);
    this.unreachable = new Uint8Array(capacity);
    this.stagedHigh = new Float64Array(capacity);
    this.stagedLow = new Float64Array(capacity);
    this.reportDay = new Int32Array(capacity);
    this.usedAtDayStart = new Float64Array(capacity);
    this.pending = new Float64Array(capacity);
    this.own = new Float64Array(capacity);
    this.collapsedAt = new Float64Array(capacity);
  }

  /** A larger copy; the arrays of the old one are left as they were. */
  grownTo(capacity: number): FleetColumns {
    const grown = new FleetColumns(capacity);
    for (const key of Object.keys(this) as (keyof FleetColumns)[]) {
      const from = this[key];
      const to = grown[key];
      if (ArrayBuffer.isView(from) && ArrayBuffer.isView(to)) to.set(from);
    }
    return grown;
  }

  hashOf(slot: number): Uint8Array {
    return this.tokenHash.subarray(slot * HASH_BYTES, (slot + 1) * HASH_BYTES);
  }

  /** Makes a slot as good as new. */
  clear(slot: number): void {
    for (const key of Object.keys(this) as (keyof FleetColumns)[]) {
      const column = this[key];
      if (ArrayBuffer.isView(column) && key !== "tokenHash") (column as Float64Array)[slot] = 0;
    }
    this.hashOf(slot).fill(0);
    // Neither moment ever comes for a slot that is free.
    this.silentAt[slot] = this.expiresAt[slot] = Number.POSITIVE_INFINITY;
  }
}
