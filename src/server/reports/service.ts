import { ReportInput } from "../../shared/api/reports.ts";
import type { Clock } from "../lib/clock.ts";
import { toIso } from "../lib/clock.ts";
import { toEmailKey } from "../lib/email-key.ts";
import { AppError } from "../lib/errors.ts";
import { compileInput } from "../lib/input.ts";
import { hashToken, sameHash } from "../lib/tokens.ts";
import type { AppliedReport } from "../nodes/node.ts";
import type { Fleet } from "../nodes/fleet.ts";
import type { Committer } from "./committer.ts";
import { addExactly, toShownGb, type ExactSum } from "./exact-sum.ts";
import { nobodyElse, type Others } from "./others.ts";
import { nextInterval, waitBeforeOffline } from "./interval.ts";
import type { Receipts } from "./receipts.ts";
import type { Receipt, ReportRecord } from "./record.ts";

const checkInput = compileInput(ReportInput);

/** Takes reports: who is it, what does it change, make it durable, then answer. */
export class ReportService {
  readonly #fleet: Fleet;
  readonly #committer: Committer;
  readonly #receipts: Receipts;
  readonly #clock: Clock;
  #others: Others = nobodyElse;
  /** GB accepted since the process started, elsewhere too; the fleet's history takes differences. */
  acceptedTraffic = 0;

  constructor(fleet: Fleet, committer: Committer, receipts: Receipts, clock: Clock) {
    this.#fleet = fleet;
    this.#committer = committer;
    this.#receipts = receipts;
    this.#clock = clock;
  }

  /**
   * Resolves with the answer's JSON once the report is durable. A refusal may come as a throw or as
   * a rejection: the hottest path has one promise per report and no more.
   * @throws AppError invalid_request, not_found, report_token_refused, node_expired, overloaded,
   *   storage_unavailable — in this order
   */
  accept(input: unknown): Promise<string> {
    const body = checkInput(input);
    const now = this.#clock.now();
    let slot: number;
    try {
      slot = this.#identify(body, now);
    } catch (error) {
      if (this.#others.isAlone) throw error;
      return this.#acceptLater(body);
    }
    return this.#accept(body, slot, now);
  }

  /** There are other instances that take reports of the same nodes. */
  follow(others: Others): void {
    this.#others = others;
  }

  /** The node or its token may be as new as what another instance has just committed. */
  async #acceptLater(body: ReportInput): Promise<string> {
    await this.#committer.inTime(this.#others.catchUp());
    const now = this.#clock.now();
    return this.#accept(body, this.#identify(body, now), now);
  }

  #accept(body: ReportInput, slot: number, now: number): Promise<string> {
    if (body.report_id === undefined) return this.#take(body, slot, now);
    const nodeId = this.#fleet.columns.id[slot] as number;
    if (this.#others.isAlone && this.#receipts.isNew(nodeId, body.report_id)) {
      return this.#take(body, slot, now);
    }
    return this.#acceptOnce(body, body.report_id, nodeId);
  }

  /** For an id that may have been seen: look it up, and only then count the report. */
  async #acceptOnce(body: ReportInput, reportId: string, nodeId: number): Promise<string> {
    this.#committer.checkRoom();
    if (!this.#others.isAlone) await this.#committer.inTime(this.#others.catchUp());
    if (this.#receipts.isNew(nodeId, reportId)) {
      const slot = this.#fleet.slotOf(nodeId);
      if (slot === undefined) throw unknownNode();
      return this.#take(body, slot, this.#clock.now());
    }
    const lookup = this.#receipts.find(nodeId, reportId, this.#clock.now());
    const stored = await this.#committer.inTime(lookup);
    // Another report with this id may have been taken while the storage was asked.
    const recent = stored ? undefined : this.#receipts.recent(nodeId, reportId);
    const known = recent ? await this.#committer.inTime(recent) : stored;
    if (known) return toAnswer(known.usedTraffic, known.maxTraffic, known.resetAt);
    const slot = this.#fleet.slotOf(nodeId);
    if (slot === undefined) throw unknownNode();
    return this.#take(body, slot, this.#clock.now());
  }

  #identify(body: ReportInput, now: number): number {
    const fleet = this.#fleet;
    const slot = fleet.slotByKey(toEmailKey(body.email), body.node_name.trim());
    if (slot === undefined) throw unknownNode();
    const hash = hashToken(body.token);
    if (!sameHash(hash, fleet.columns.hashOf(slot)) && !this.#isPrevious(slot, hash, now)) {
      throw new AppError(
        "report_token_refused",
        "The report token is not this node's; its owner can make a new one",
      );
    }
    if (fleet.isExpired(slot, now)) {
      throw new AppError("node_expired", "The node is past its valid_until date");
    }
    return slot;
  }

  #isPrevious(slot: number, hash: Buffer, now: number): boolean {
    const previous = this.#fleet.record(slot).previousToken;
    return previous !== null && now < previous.until && sameHash(hash, previous.hash);
  }

  #take(body: ReportInput, slot: number, now: number): Promise<string> {
    this.#committer.checkRoom();
    const { columns } = this.#fleet;
    const nodeId = columns.id[slot] as number;
    const record = this.#toRecord(body, slot, now);
    const sum = this.#stage(slot, record.traffic);
    const usedTraffic = toShownGb(sum.high);
    const maxTraffic = columns.maxTraffic[slot] as number;
    const resetAt = columns.periodEnd[slot] as number;

    let stored: PromiseWithResolvers<Receipt> | undefined;
    if (body.report_id !== undefined) {
      record.receipt = { reportId: body.report_id, usedTraffic, maxTraffic, resetAt };
      stored = Promise.withResolvers();
      this.#receipts.add(nodeId, body.report_id, now, stored.promise);
    }
    return new Promise((resolve, reject) => {
      const settle = (error?: AppError) => {
        if (error) this.#unstage(slot, nodeId);
        const refusal = error ?? this.#apply(slot, record);
        if (refusal) {
          stored?.reject(refusal);
          reject(refusal);
        } else {
          if (record.receipt) stored?.resolve(record.receipt);
          resolve(toAnswer(usedTraffic, maxTraffic, resetAt));
        }
      };
      this.#committer.add({ record, slot, settle, refuse: reject });
    });
  }

  #toRecord(body: ReportInput, slot: number, now: number): ReportRecord {
    const { columns } = this.#fleet;
    const { start } = this.#fleet.period(slot, now);
    const reportedAt = columns.reportedAt[slot] as number;
    const gapMs = reportedAt === 0 ? undefined : now - reportedAt;
    return {
      nodeId: columns.id[slot] as number,
      at: now,
      traffic: body.reported_traffic,
      bandwidth: body.current_bandwidth,
      connections: body.connection_count,
      status: body.status,
      periodStart: start,
      intervalMs: nextInterval(columns.intervalMs[slot] as number, gapMs, body.interval_seconds),
      tierBandwidth: body.tier_bandwidth ?? null,
      version: body.version ?? null,
      receipt: null,
    };
  }

  /** @returns a refusal when the node was deleted while its report was on the way */
  #apply(slot: number, record: ReportRecord): AppError | undefined {
    const { columns } = this.#fleet;
    if (columns.id[slot] !== record.nodeId) return unknownNode();
    const isFirst =
      record.receipt === null || this.#receipts.count(record.nodeId, record.at, record.receipt);
    const counts = isFirst && columns.periodStart[slot] === record.periodStart;
    const used = this.#used(slot, counts ? record.traffic : 0);
    this.#fleet.applyReport(slot, toApplied(record, used, record.at));
    if (isFirst) this.acceptedTraffic += record.traffic;
    else this.#stage(slot, -record.traffic);
    return undefined;
  }

  /** Takes in a report that another instance has made durable. */
  takeIn(record: ReportRecord): void {
    const slot = this.#fleet.slotOf(record.nodeId);
    if (slot === undefined) return;
    const { receipt, traffic, at } = record;
    if (receipt && !this.#receipts.count(record.nodeId, at, receipt)) return;
    const now = this.#clock.now();
    const { columns } = this.#fleet;
    // Their clock may be ahead of ours at the end of a period.
    const { start } = this.#fleet.period(slot, Math.max(now, at));
    const used = this.#used(slot, start === record.periodStart ? traffic : 0);
    if (start === record.periodStart) this.#stage(slot, traffic);
    if (at >= (columns.reportedAt[slot] as number)) {
      this.#fleet.applyReport(slot, toApplied(record, used, now));
    } else {
      this.#fleet.setUsed(slot, used.high, used.low);
    }
    this.acceptedTraffic += traffic;
  }

  #used(slot: number, traffic: number): ExactSum {
    const { usedHigh, usedLow } = this.#fleet.columns;
    const used = { high: usedHigh[slot] as number, low: usedLow[slot] as number };
    return traffic === 0 ? used : addExactly(used, traffic);
  }

  #stage(slot: number, traffic: number): ExactSum {
    const { stagedHigh, stagedLow } = this.#fleet.columns;
    const staged = { high: stagedHigh[slot] as number, low: stagedLow[slot] as number };
    const sum = addExactly(staged, traffic);
    stagedHigh[slot] = sum.high;
    stagedLow[slot] = sum.low;
    return sum;
  }

  #unstage(slot: number, nodeId: number): void {
    const { columns } = this.#fleet;
    if (columns.id[slot] !== nodeId) return;
    columns.stagedHigh[slot] = columns.usedHigh[slot] as number;
    columns.stagedLow[slot] = columns.usedLow[slot] as number;
  }
}

/** @param heardAt by our own clock: silence is counted from there */
function toApplied(record: ReportRecord, used: ExactSum, heardAt: number): AppliedReport {
  return {
    at: record.at,
    bandwidth: record.bandwidth,
    connections: record.connections,
    status: record.status,
    usedHigh: used.high,
    usedLow: used.low,
    tierBandwidth: record.tierBandwidth,
    intervalMs: record.intervalMs,
    silentAt: heardAt + waitBeforeOffline(record.intervalMs),
    version: record.version,
  };
}

function unknownNode(): AppError {
  return new AppError("not_found", "No node has this node_name and e-mail");
}

function toAnswer(usedTraffic: number, maxTraffic: number, resetAt: number): string {
  return `{"message":"Report accepted","used_traffic":${usedTraffic},"max_traffic":${maxTraffic},"reset_date":"${resetText(resetAt)}"}`;
}

/** Periods end at midnight: few different texts serve the whole fleet. */
const resetTexts = new Map<number, string>();
const RESET_TEXTS_KEPT = 2_000;

function resetText(resetAt: number): string {
  let text = resetTexts.get(resetAt);
  if (text === undefined) {
    if (resetTexts.size >= RESET_TEXTS_KEPT) resetTexts.clear();
    text = toIso(resetAt);
    resetTexts.set(resetAt, text);
  }
  return text;
}
