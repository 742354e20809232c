import { transports } from "../../shared/api/nodes.ts";
import type { ServerAddress } from "../../probe/server-address.ts";
import type { Clock } from "../lib/clock.ts";
import type { Logger } from "../lib/logger.ts";
import type { Fleet } from "../nodes/fleet.ts";
import { transportBit } from "../nodes/transport-bits.ts";
import { checkableOf, toServerAddress } from "./checkable.ts";
import { outcomeOf, type Finding, type Outcome } from "./finding.ts";
import { HealthRule } from "./health.ts";
import { Pace } from "./pace.ts";
import type { CheckRecords } from "./records.ts";

/** Nodes that are checked at once: a quarter of the places that all checks share. */
const NODES_AT_ONCE = 16;

/** How many nodes report changes little from one second to the next. */
const TICKS_PER_COUNT = 10;

const checkableBits = transports
  .filter((type) => toServerAddress({ type, ip: "", port: 1 }))
  .reduce((bits, type) => bits | transportBit(type), 0);

/** Checks one connection; undefined when there is no place for it now. */
export interface ConnectionProbe {
  check(server: ServerAddress, signal: AbortSignal): Promise<Finding | undefined>;
}

export interface CheckerParts {
  fleet: Fleet;
  clock: Clock;
  probe: ConnectionProbe;
  records: Pick<CheckRecords, "add">;
  intervalMs: number;
  logger: Logger;
}

/** Checks every node once per interval, and marks in the fleet those that cannot be reached. */
export class Checker {
  /** Checks of connections since the start. */
  readonly counts: Record<Outcome, number> = { reached: 0, failed: 0, not_checked: 0 };
  readonly #parts: CheckerParts;
  readonly #pace: Pace;
  readonly #health = new HealthRule((id, isHealthy) => this.#mark(id, isHealthy));
  /** Ids in the order in which their turns came. */
  readonly #waiting = new Set<number>();
  readonly #running = new Map<number, Promise<void>>();
  readonly #stopping = new AbortController();
  #wasSuspicious = false;
  #ticks = 0;

  constructor(parts: CheckerParts) {
    this.#parts = parts;
    this.#pace = new Pace(parts.intervalMs, parts.clock.now());
  }

  /** Nodes whose turn has come and that are not checked yet. */
  get waiting(): number {
    return this.#waiting.size;
  }

  get unhealthy(): number {
    return this.#health.unhealthy;
  }

  get suspectsItself(): boolean {
    return this.#health.suspectsItself;
  }

  isHealthy(id: number): boolean {
    return this.#health.isHealthy(id);
  }

  /** Starts what is due; to be called every second. */
  tick(): void {
    if (this.#stopping.signal.aborted) return;
    if (this.#ticks++ % TICKS_PER_COUNT === 0) this.#countReporting();
    this.#pace.advance(this.#parts.clock.now());
    const due = this.#findDue();
    due.sort((a, b) => this.#pace.order(a) - this.#pace.order(b));
    for (const id of due) this.#waiting.add(id);
    this.#startMore();
  }

  /** Forgets failures of nodes that are not what they were. */
  sweep(): void {
    this.#health.sweep((id, connections) => {
      const slot = this.#parts.fleet.slotOf(id);
      return slot !== undefined && this.#reports(slot) && this.#keyOf(slot) === connections;
    });
  }

  /** Resolves when nothing runs or waits. */
  async idle(): Promise<void> {
    while (this.#running.size > 0) await Promise.all(this.#running.values());
  }

  /** Gives up what runs. */
  async stop(): Promise<void> {
    this.#stopping.abort();
    this.#waiting.clear();
    await this.idle();
  }

  #findDue(): number[] {
    const { fleet, clock } = this.#parts;
    const { id } = fleet.columns;
    const now = clock.now();
    const due: number[] = [];
    for (let slot = 0; slot < fleet.end; slot++) {
      // The cheapest question first: this looks at every node every second.
      if (!this.#pace.isDue(id[slot] as number)) continue;
      if (this.#isCheckable(slot, now)) due.push(id[slot] as number);
    }
    return due;
  }

  #countReporting(): void {
    const { end } = this.#parts.fleet;
    const now = this.#parts.clock.now();
    let reporting = 0;
    for (let slot = 0; slot < end; slot++) if (this.#reports(slot, now)) reporting++;
    this.#health.countReporting(reporting);
  }

  #isCheckable(slot: number, now: number): boolean {
    const c = this.#parts.fleet.columns;
    return (
      c.enabled[slot] === 1 &&
      ((c.transports[slot] as number) & checkableBits) !== 0 &&
      (c.expiresAt[slot] as number) > now
    );
  }

  #reports(slot: number, now = this.#parts.clock.now()): boolean {
    return this.#parts.fleet.columns.online[slot] === 1 && this.#isCheckable(slot, now);
  }

  #startMore(): void {
    for (const id of this.#waiting) {
      if (this.#running.size >= NODES_AT_ONCE) return;
      // Its check before is not over yet.
      if (this.#running.has(id)) continue;
      this.#waiting.delete(id);
      this.#running.set(id, this.#run(id));
    }
  }

  /** Never rejects. */
  async #run(id: number): Promise<void> {
    let isDone = true;
    try {
      isDone = await this.#check(id);
    } catch (error) {
      if (!this.#stopping.signal.aborted) {
        this.#parts.logger.error({ err: error, node: id }, "a background check failed");
      }
    }
    this.#running.delete(id);
    if (this.#stopping.signal.aborted) return;
    // Where there was no place, there will be one at the next tick.
    if (isDone) this.#startMore();
    else this.#waiting.add(id);
  }

  /** @returns false when there was no place for it */
  async #check(id: number): Promise<boolean> {
    const { fleet, clock, probe, records } = this.#parts;
    const slot = fleet.slotOf(id);
    if (slot === undefined || !this.#isCheckable(slot, clock.now())) return true;
    const key = this.#keyOf(slot);
    const findings = new Map<string, Finding>();
    for (const [connection, server] of checkableOf(fleet.texts.connectionsOf(slot))) {
      const finding = await probe.check(server, this.#stopping.signal);
      if (!finding) return false;
      findings.set(connection, finding);
    }
    const after = fleet.slotOf(id);
    // It was deleted or moved meanwhile: what was found is not about it any more.
    if (after === undefined || this.#keyOf(after) !== key) return true;
    records.add(id, findings, clock.now());
    this.#judge(after, key, [...findings.values()]);
    return true;
  }

  #judge(slot: number, key: string, findings: readonly Finding[]): void {
    const id = this.#parts.fleet.columns.id[slot] as number;
    for (const finding of findings) this.counts[outcomeOf([finding])]++;
    const outcome = outcomeOf(findings);
    if (outcome === "reached") this.#health.reached(id);
    else if (outcome === "not_checked") this.#health.forget(id);
    else if (this.#reports(slot)) this.#health.failed(id, key);
    this.#noteSuspicion();
  }

  #noteSuspicion(): void {
    const { suspectsItself } = this.#health;
    if (suspectsItself === this.#wasSuspicious) return;
    this.#wasSuspicious = suspectsItself;
    const { logger } = this.#parts;
    if (suspectsItself) {
      logger.warn("hardly any node can be reached from here; no node is left out because of that");
    } else logger.info("nodes can be reached from here again");
  }

  /** What failures belong to. */
  #keyOf(slot: number): string {
    return [...checkableOf(this.#parts.fleet.texts.connectionsOf(slot)).keys()].join(" ");
  }

  #mark(id: number, isHealthy: boolean): void {
    const { fleet } = this.#parts;
    const slot = fleet.slotOf(id);
    if (slot !== undefined) fleet.setReachable(slot, isHealthy);
  }
}
