import { transports, type Transport } from "../../shared/api/nodes.ts";
import { DAY_MS } from "../lib/clock.ts";
import { periodAt, type Period } from "./period.ts";
import { ChangeLog } from "./change-log.ts";
import { FleetColumns } from "./fleet-columns.ts";
import { expiryOf, type LiveState, type NodeRecord } from "./node.ts";
import { TagIndex } from "./tag-index.ts";

/** Numbers over the nodes that are neither expired nor switched off. */
export interface FleetTotals {
  total: number;
  online: number;
  domestic: number;
  overseas: number;
  /** Mbit/s over the online nodes. */
  bandwidth: number;
  connections: number;
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

const FIRST_CAPACITY = 1024;

/**
 * Every node in memory. All hot reads are served from here; it changes only after the storage has
 * committed. A node keeps its slot for as long as it exists; a free slot is used again.
 */
export class Fleet {
  columns = new FleetColumns(FIRST_CAPACITY);
  readonly changes = new ChangeLog();
  readonly tags = new TagIndex();
  /** Raised by every change that a public list could show. */
  version = 0;
  /** Slots below this have been used. */
  end = 0;
  readonly totals: FleetTotals = {
    total: 0,
    online: 0,
    domestic: 0,
    overseas: 0,
    bandwidth: 0,
    connections: 0,
  };

  readonly names: string[] = [];
  readonly statuses: string[] = [];
  readonly versions: string[] = [];
  readonly #records: (NodeRecord | undefined)[] = [];
  readonly #free: number[] = [];
  readonly #byId = new Map<number, number>();
  readonly #byKey = new Map<string, number>();
  readonly #byOwner = new Map<number, Set<number>>();

  get size(): number {
    return this.#byId.size;
  }

  slotOf(id: number): number | undefined {
    return this.#byId.get(id);
  }

  /** The slot of a node by what a report names it with. */
  slotByKey(ownerEmailKey: string, name: string): number | undefined {
    return this.#byKey.get(`${ownerEmailKey}\n${name}`);
  }

  /** The settings of the node in a slot. */
  record(slot: number): NodeRecord {
    const record = this.#records[slot];
    if (!record) throw new Error(`slot ${slot} is free`);
    return record;
  }

  slotsOfOwner(ownerId: number): number[] {
    return [...(this.#byOwner.get(ownerId) ?? [])].sort(
      (a, b) => (this.columns.id[a] as number) - (this.columns.id[b] as number),
    );
  }

  /** Adds a node, or replaces what its owner and the administrator have set. */
  put(record: NodeRecord, now: number, live?: LiveState): number {
    const known = this.#byId.get(record.id);
    const slot = known ?? this.#takeSlot();
    if (known !== undefined) this.#discount(slot);
    else this.#enter(slot, record);
    this.#rename(slot, record);
    this.#retag(slot, record);
    this.#records[slot] = record;
    this.#writeSettings(slot, record, now);
    if (live) this.#writeLive(slot, live);
    this.#rollPeriod(slot, now);
    this.#count(slot, now);
    this.#changed(slot);
    return slot;
  }

  remove(id: number): void {
    const slot = this.#byId.get(id);
    if (slot === undefined) return;
    const record = this.record(slot);
    this.#discount(slot);
    this.#byId.delete(id);
    this.#byKey.delete(`${record.ownerEmailKey}\n${record.name}`);
    this.#byOwner.get(record.ownerId)?.delete(slot);
    this.tags.remove(slot, record.tags);
    this.#records[slot] = undefined;
    this.columns.clear(slot);
    this.#free.push(slot);
    this.#changed(slot);
  }

  /** Takes in a report that is durable. The slot must still be the node's. */
  applyReport(slot: number, report: AppliedReport): void {
    const c = this.columns;
    this.#discount(slot);
    this.#beginDay(slot, report.at);
    c.reportedAt[slot] = report.at;
    c.bandwidth[slot] = report.bandwidth;
    c.connections[slot] = report.connections;
    c.usedHigh[slot] = report.usedHigh;
    c.usedLow[slot] = report.usedLow;
    c.intervalMs[slot] = report.intervalMs;
    c.silentAt[slot] = report.silentAt;
    c.online[slot] = report.status === "online" ? 1 : 0;
    c.pending[slot] = 0;
    if (report.tierBandwidth !== null) c.tierBandwidth[slot] = report.tierBandwidth;
    if (report.version !== null) this.versions[slot] = report.version;
    this.statuses[slot] = report.status;
    this.#count(slot, report.at);
    this.#changed(slot);
  }

  /** Marks nodes offline because they have fallen silent. */
  silence(slot: number, now: number): void {
    this.#discount(slot);
    this.columns.online[slot] = 0;
    this.columns.pending[slot] = 0;
    this.columns.own[slot] = 0;
    this.columns.silentAt[slot] = Number.POSITIVE_INFINITY;
    this.statuses[slot] = "offline";
    this.#count(slot, now);
    this.#changed(slot);
  }

  /** Counts out the nodes whose `valid_until` has passed since they were last looked at. */
  expire(now: number): void {
    const { id, expiresAt, expired } = this.columns;
    for (let slot = 0; slot < this.end; slot++) {
      if ((expiresAt[slot] as number) > now || expired[slot] === 1 || id[slot] === 0) continue;
      this.#discount(slot);
      this.#count(slot, now);
      this.#changed(slot);
    }
  }

  /** Adds up the sums of floating-point numbers afresh, so that they do not drift. */
  recount(): void {
    const c = this.columns;
    let bandwidth = 0;
    for (let slot = 0; slot < this.end; slot++) {
      if (c.id[slot] !== 0 && c.online[slot] === 1 && this.isListed(slot)) {
        bandwidth += c.bandwidth[slot] as number;
      }
    }
    this.totals.bandwidth = bandwidth;
  }

  /** Whether the node appears in public lists and statistics at all. */
  isListed(slot: number): boolean {
    return this.columns.enabled[slot] === 1 && this.columns.expired[slot] === 0;
  }

  isExpired(slot: number, now: number): boolean {
    return (this.columns.expiresAt[slot] as number) <= now;
  }

  /** The word people see: `expired`, `offline`, or what the last report said. */
  shownStatus(slot: number, now: number): string {
    if (this.isExpired(slot, now)) return "expired";
    return this.statuses[slot] as string;
  }

  /** GB used in the period that holds `now`. */
  usedTraffic(slot: number, now: number): number {
    this.#rollPeriod(slot, now);
    return this.columns.usedHigh[slot] as number;
  }

  period(slot: number, now: number): Period {
    this.#rollPeriod(slot, now);
    return {
      start: this.columns.periodStart[slot] as number,
      end: this.columns.periodEnd[slot] as number,
    };
  }

  /** Starts the sums again when the period has ended. Cheap when it has not. */
  #rollPeriod(slot: number, now: number): void {
    const c = this.columns;
    if (now < (c.periodEnd[slot] as number)) return;
    const record = this.record(slot);
    const period = periodAt(record.period, record.createdAt, record.resetCycleDays, now);
    c.periodStart[slot] = period.start;
    c.periodEnd[slot] = period.end;
    c.usedHigh[slot] = c.usedLow[slot] = c.stagedHigh[slot] = c.stagedLow[slot] = 0;
  }

  #takeSlot(): number {
    const free = this.#free.pop();
    if (free !== undefined) return free;
    if (this.end === this.columns.capacity) this.columns = this.columns.grownTo(this.end * 2);
    return this.end++;
  }

  #enter(slot: number, record: NodeRecord): void {
    const c = this.columns;
    c.id[slot] = record.id;
    c.silentAt[slot] = Number.POSITIVE_INFINITY;
    this.statuses[slot] = "offline";
    this.versions[slot] = "";
    this.#byId.set(record.id, slot);
    let owned = this.#byOwner.get(record.ownerId);
    if (!owned) this.#byOwner.set(record.ownerId, (owned = new Set()));
    owned.add(slot);
  }

  #rename(slot: number, record: NodeRecord): void {
    const before = this.#records[slot];
    if (before) this.#byKey.delete(`${before.ownerEmailKey}\n${before.name}`);
    this.#byKey.set(`${record.ownerEmailKey}\n${record.name}`, slot);
    this.names[slot] = record.name;
  }

  #retag(slot: number, record: NodeRecord): void {
    const before = this.#records[slot]?.tags ?? "";
    if (before === record.tags) return;
    this.tags.remove(slot, before);
    this.tags.add(slot, record.tags);
  }

  /** Keeps what the day began with, before its first report is taken in. */
  #beginDay(slot: number, at: number): void {
    const c = this.columns;
    const day = Math.floor(at / DAY_MS);
    if (c.reportDay[slot] === day) return;
    c.usedAtDayStart[slot] = this.usedTraffic(slot, at);
    c.reportDay[slot] = day;
  }

  #writeSettings(slot: number, record: NodeRecord, now: number): void {
    const c = this.columns;
    const period = periodAt(record.period, record.createdAt, record.resetCycleDays, now);
    c.owner[slot] = record.ownerId;
    c.createdAt[slot] = record.createdAt;
    c.overseas[slot] = record.regionType === "overseas" ? 1 : 0;
    c.relay[slot] = record.allowRelay ? 1 : 0;
    c.enabled[slot] = record.enabled ? 1 : 0;
    c.transports[slot] = transportBits(record);
    c.tierBandwidth[slot] = record.tierBandwidth;
    c.maxBandwidth[slot] = record.maxBandwidth;
    c.maxTraffic[slot] = record.maxTraffic;
    c.maxConnections[slot] = record.maxConnections;
    c.cycleDays[slot] = record.resetCycleDays;
    c.expiresAt[slot] = expiryOf(record.validUntil);
    c.hashOf(slot).set(record.tokenHash);
    // A period that ended since the last look is rolled by #rollPeriod, which clears the sums.
    if (c.periodEnd[slot] === 0 || period.start === c.periodStart[slot]) {
      c.periodStart[slot] = period.start;
      c.periodEnd[slot] = period.end;
    }
  }

  #writeLive(slot: number, live: LiveState): void {
    const c = this.columns;
    c.reportedAt[slot] = live.reportedAt;
    c.bandwidth[slot] = live.bandwidth;
    c.connections[slot] = live.connections;
    c.intervalMs[slot] = live.intervalMs;
    c.online[slot] = live.status === "online" && !live.silent ? 1 : 0;
    if (live.tierBandwidth !== null) c.tierBandwidth[slot] = live.tierBandwidth;
    const current = live.periodStart >= (c.periodStart[slot] as number);
    c.usedHigh[slot] = c.stagedHigh[slot] = current ? live.used : 0;
    c.usedLow[slot] = c.stagedLow[slot] = current ? live.usedRest : 0;
    this.statuses[slot] = live.reportedAt === 0 || live.silent ? "offline" : live.status;
    this.versions[slot] = live.version;
  }

  #discount(slot: number): void {
    this.#addToTotals(slot, -1);
  }

  #count(slot: number, now: number): void {
    this.columns.expired[slot] = this.isExpired(slot, now) ? 1 : 0;
    this.#addToTotals(slot, 1);
  }

  #addToTotals(slot: number, sign: 1 | -1): void {
    if (!this.isListed(slot)) return;
    const { totals, columns: c } = this;
    totals.total += sign;
    if (c.overseas[slot] === 1) totals.overseas += sign;
    else totals.domestic += sign;
    if (c.online[slot] === 0) return;
    totals.online += sign;
    totals.bandwidth += sign * (c.bandwidth[slot] as number);
    totals.connections += sign * (c.connections[slot] as number);
  }

  #changed(slot: number): void {
    this.version++;
    this.changes.add(slot);
  }
}

/** Bit n for the n-th transport of the wire contract's list. */
export function transportBit(transport: Transport): number {
  return 1 << transports.indexOf(transport);
}

function transportBits(record: NodeRecord): number {
  return record.connections.reduce(
    (bits, each) => bits | transportBit(each.type as Transport),
    0,
  );
}
