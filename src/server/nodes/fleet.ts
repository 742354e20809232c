import { DAY_MS, startOfDay } from "../lib/clock.ts";
import { ChangeLog } from "./change-log.ts";
import { FleetColumns } from "./fleet-columns.ts";
import { writeLive, writeReport } from "./fleet-live.ts";
import { rollPeriod, takeUpPeriod } from "./fleet-periods.ts";
import { readSettings, writeSettings, type PreviousTokens } from "./fleet-settings.ts";
import { IdIndex } from "./id-index.ts";
import { IdOrder } from "./id-order.ts";
import type { AppliedReport, LiveState, NodeRecord } from "./node.ts";
import { NodeTexts } from "./node-texts.ts";
import { OwnerLists } from "./owner-lists.ts";
import type { Period } from "./period.ts";
import { RunningTotals, type FleetTotals } from "./running-totals.ts";
import { TagIndex } from "./tag-index.ts";

/** Told of a report before it is taken in, while the columns still hold the previous one. */
export type ReportObserver = (slot: number, report: AppliedReport) => void;

const FIRST_CAPACITY = 1024;

/**
 * Every node in memory. All hot reads are served from here; it changes only after the storage has
 * committed. A node keeps its slot for as long as it exists; a free slot is used again.
 */
export class Fleet {
  columns = new FleetColumns(FIRST_CAPACITY);
  readonly changes = new ChangeLog();
  readonly tags = new TagIndex();
  reportObserver: ReportObserver | undefined;
  /** Raised by every change that a public list could show. */
  version = 0;
  /** Slots below this have been used. */
  end = 0;

  readonly statuses: string[] = [];
  readonly versions: string[] = [];
  readonly texts = new NodeTexts();
  readonly #totals = new RunningTotals();
  readonly #previousTokens: PreviousTokens = new Map();
  readonly #free: number[] = [];
  readonly #byId = new IdIndex();
  readonly #byOwner = new OwnerLists();
  readonly #order = new IdOrder();
  #revisions = 0;
  /** The UTC day that the flags `expired` and the sums of traffic are true for. */
  #day: Period = { start: 0, end: 0 };

  get size(): number {
    return this.#byId.size;
  }

  get totals(): FleetTotals {
    return this.#totals;
  }

  /** Makes room for `count` more nodes at once, instead of growing towards it. */
  reserve(count: number): void {
    const capacity = this.end + count;
    if (capacity > this.columns.capacity) this.columns = this.columns.grownTo(capacity);
    this.#byOwner.reserve(capacity);
    this.#byId.reserve(this.size + count);
    this.#order.reserve(capacity);
    this.texts.reserve(this.size + count);
  }

  slotOf(id: number): number | undefined {
    return this.#byId.find(id, this.columns.id);
  }

  /** The slot of a node by what a report names it with. */
  slotByKey(ownerEmailKey: string, name: string): number | undefined {
    return this.texts.find(ownerEmailKey, name);
  }

  /** The settings of the node in a slot, put together anew: not for hot paths. */
  record(slot: number): NodeRecord {
    return readSettings(this.columns, this.texts, this.#previousTokens, slot);
  }

  /** By id. */
  slotsOfOwner(ownerId: number): number[] {
    const { id } = this.columns;
    return this.#byOwner.of(ownerId).sort((a, b) => (id[a] as number) - (id[b] as number));
  }

  /** Every slot in use, by id; true until the next change. */
  slotsById(): Int32Array {
    return this.#order.slots(this.columns.id);
  }

  /** The first `limit` slots whose ids are above `after`, by id. */
  slotsAfter(after: number, limit: number): number[] {
    return Array.from(this.#order.slotsAfter(after, limit, this.columns.id));
  }

  /** Adds a node, or replaces what its owner and the administrator have set. */
  put(record: NodeRecord, now: number, live?: LiveState): number {
    const known = this.slotOf(record.id);
    const slot = known ?? this.#takeSlot();
    if (known !== undefined) this.#discount(slot);
    else this.#enter(slot, record);
    this.texts.write(slot, record);
    this.#retag(slot, record.tags);
    writeSettings(this.columns, this.#previousTokens, slot, record);
    this.columns.revision[slot] = ++this.#revisions;
    takeUpPeriod(this.columns, slot, record, now);
    if (live) this.#takeUpLive(slot, live);
    this.#count(slot, now);
    this.#changed(slot);
    return slot;
  }

  remove(id: number): void {
    const slot = this.slotOf(id);
    if (slot === undefined) return;
    this.#discount(slot);
    this.#retag(slot, "");
    this.#byId.remove(id, slot);
    this.#order.forgetOne();
    this.#byOwner.remove(this.columns.owner[slot] as number, slot);
    this.#previousTokens.delete(slot);
    this.texts.remove(slot);
    this.columns.clear(slot);
    this.#free.push(slot);
    this.#changed(slot);
  }

  /** Takes in a report that is durable. The slot must still be the node's. */
  applyReport(slot: number, report: AppliedReport): void {
    this.reportObserver?.(slot, report);
    this.#discount(slot);
    this.#beginDay(slot, report.at);
    writeReport(this.columns, slot, report);
    if (report.version !== null) this.versions[slot] = report.version;
    this.statuses[slot] = report.status;
    this.#recount(slot);
    this.#changed(slot);
  }

  /** Takes in traffic of a report that is older than what stands. */
  setUsed(slot: number, high: number, low: number): void {
    this.columns.usedHigh[slot] = high;
    this.columns.usedLow[slot] = low;
    this.#changed(slot);
  }

  /** Marks a node offline because it has fallen silent. */
  silence(slot: number): void {
    this.#discount(slot);
    this.columns.online[slot] = 0;
    this.columns.pending[slot] = 0;
    this.columns.own[slot] = 0;
    this.columns.silentAt[slot] = Number.POSITIVE_INFINITY;
    this.statuses[slot] = "offline";
    this.#recount(slot);
    this.#changed(slot);
  }

  /** Takes in what background checks have come to; nothing that a list shows changes. */
  setReachable(slot: number, isReachable: boolean): void {
    this.columns.unreachable[slot] = isReachable ? 0 : 1;
    this.changes.add(slot);
  }

  /**
   * Takes in what a new UTC day brings: nodes past their `valid_until` are counted out, periods that
   * ended start again at zero. Does nothing within the day, so every reader of the totals, of
   * `isListed` or of `version` calls it first.
   */
  expire(now: number): void {
    if (now >= this.#day.start && now < this.#day.end) return;
    this.#day = { start: startOfDay(now), end: startOfDay(now) + DAY_MS };
    const { id, expired } = this.columns;
    for (let slot = 0; slot < this.end; slot++) {
      if (id[slot] === 0) continue;
      this.#rollPeriod(slot, now);
      if (this.isExpired(slot, now) === (expired[slot] === 1)) continue;
      this.#discount(slot);
      this.#count(slot, now);
      this.#changed(slot);
    }
  }

  /** Whether the node appears in public lists and statistics at all; true for the day of `expire`. */
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

  #rollPeriod(slot: number, now: number): void {
    if (rollPeriod(this.columns, slot, now)) this.#changed(slot);
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
    c.owner[slot] = record.ownerId;
    c.createdAt[slot] = record.createdAt;
    c.silentAt[slot] = Number.POSITIVE_INFINITY;
    this.statuses[slot] = "offline";
    this.versions[slot] = "";
    // One copy of the address serves all nodes of an owner.
    const sibling = this.#byOwner.firstOf(record.ownerId);
    const emailKey = sibling === undefined ? undefined : this.texts.emailKeys[sibling];
    this.texts.enter(slot, emailKey ?? record.ownerEmailKey, record);
    this.#byId.add(record.id, slot);
    this.#order.add(record.id, slot);
    this.#byOwner.add(record.ownerId, slot);
  }

  #retag(slot: number, tags: string): void {
    const before = this.texts.tags[slot] as string;
    if (before === tags) return;
    this.tags.remove(slot, before);
    this.tags.add(slot, tags);
    this.texts.tags[slot] = tags;
  }

  /** Keeps what the day began with, before its first report is taken in. */
  #beginDay(slot: number, at: number): void {
    const c = this.columns;
    const day = Math.floor(at / DAY_MS);
    if (c.reportDay[slot] === day) return;
    c.usedAtDayStart[slot] = this.usedTraffic(slot, at);
    c.reportDay[slot] = day;
  }

  #takeUpLive(slot: number, live: LiveState): void {
    writeLive(this.columns, slot, live);
    this.statuses[slot] = live.reportedAt === 0 || live.silent ? "offline" : live.status;
    this.versions[slot] = live.version;
  }

  #discount(slot: number): void {
    this.#addToTotals(slot, -1);
  }

  #recount(slot: number): void {
    this.#addToTotals(slot, 1);
  }

  /** Only the day and `valid_until` decide about expiry, never a report that was on its way. */
  #count(slot: number, now: number): void {
    this.columns.expired[slot] = this.isExpired(slot, now) ? 1 : 0;
    this.#addToTotals(slot, 1);
  }

  #addToTotals(slot: number, sign: 1 | -1): void {
    if (!this.isListed(slot)) return;
    const c = this.columns;
    this.#totals.count(sign, c.overseas[slot] === 1);
    if (c.online[slot] === 0) return;
    this.#totals.countOnline(sign, c.bandwidth[slot] as number, c.connections[slot] as number);
  }

  #changed(slot: number): void {
    this.version++;
    this.changes.add(slot);
  }
}
