import type { RuleStatus } from "../../shared/api/stun.ts";
import type { Database } from "../database/database.ts";
import type { Logger } from "../lib/logger.ts";
import { ChangeKeeper } from "./change-keeper.ts";
import type { ChangeSubscriber } from "./change-port.ts";
import { formatEndpoint, type Endpoint } from "./endpoint.ts";
import type { Traffic } from "./hole.ts";
import type { NameCache } from "./name-cache.ts";
import type { ObservationWriter } from "./observation-writer.ts";
import type { Observation } from "./observation.ts";
import { RuleLog } from "./rule-log.ts";
import { RuleWatch } from "./rule-watch.ts";
import type { LiveState, MappingChange, StunRule } from "./rule.ts";
import { StateWriter } from "./state-writer.ts";
import * as store from "./store.ts";
import type { WatchMemory, WatchParts } from "./watch-parts.ts";

export interface WatcherParts extends Pick<
  WatchParts,
  "wheel" | "time" | "clock" | "chance" | "createHole" | "defaultServers"
> {
  database: Database;
  logger: Logger;
  names: NameCache;
  /** Rules of this instance are run, no others. */
  instance: string;
  subscriber: ChangeSubscriber;
  observations: Pick<ObservationWriter, "note" | "forget" | "flush">;
}

/** News of a rule; what it is now can be asked for. */
export type WatchEvent =
  | { kind: "state"; ruleId: number }
  | { kind: "change"; ruleId: number; change: MappingChange };

/** Holes are opened one after the other, so that thousands do not ask at once. */
const BETWEEN_STARTS_MS = 2;
const LONGEST_START_MS = 5_000;
/** Changes of that long ago say whether a mapping is stable. */
const CHANGES_COUNT_MS = 600_000;
export const STOPPED = "The service that holds this hole is stopped";

/** Runs the rules of this instance. */
export class Watcher {
  readonly counts = { answered: 0, unanswered: 0, changes: 0 };
  readonly #parts: WatcherParts;
  readonly #watches = new Map<number, RuleWatch>();
  readonly #listeners = new Set<(event: WatchEvent) => void>();
  readonly #keeper: ChangeKeeper;
  readonly #states: StateWriter;
  readonly #log: RuleLog;
  #turn: Promise<void> = Promise.resolve();
  #isStopping = false;

  constructor(parts: WatcherParts) {
    const { database, instance, logger } = parts;
    this.#parts = parts;
    this.#log = new RuleLog(logger);
    this.#keeper = new ChangeKeeper({
      ...parts,
      onStored: (ruleId, change) => this.#noteStored(ruleId, change),
      onFailed: (ruleId) => this.#noteChanged(ruleId),
    });
    this.#states = new StateWriter({ database, instance, logger, read: (id) => this.#known(id) });
  }

  get watches(): ReadonlyMap<number, RuleWatch> {
    return this.#watches;
  }

  /** Changes that wait for the storage. */
  get waitingChanges(): number {
    return this.#keeper.waiting;
  }

  /** Runs what the storage says; again later, it finds what other instances have changed. */
  sync(): Promise<void> {
    return this.#inTurn(async () => {
      const { database, instance } = this.#parts;
      const revisions = await store.readRevisions(database.db, instance);
      for (const id of this.#watches.keys()) if (!revisions.has(id)) await this.#release(id, null);
      const isNews = ([id, revision]: [number, number]) =>
        this.#watches.get(id)?.rule.revision !== revision;
      if ([...revisions].some(isNews)) await this.#run(undefined);
    });
  }

  /** Brings one rule in line with the storage. */
  refresh(id: number): Promise<void> {
    return this.#inTurn(async () => {
      await this.#run(id);
      this.#tell({ kind: "state", ruleId: id });
    });
  }

  /** Closes the hole of a rule until it is refreshed. */
  release(id: number): Promise<void> {
    return this.#inTurn(() => this.#release(id, null));
  }

  /** How a rule runs here; undefined when it does not. */
  stateOf(id: number): LiveState | undefined {
    const state = this.#watches.get(id)?.state;
    const waiting = state && this.#keeper.waitingFor(id);
    if (!waiting) return state;
    const { mapping, isFirst, hasFailed } = waiting;
    const unstored = isFirst ? "starting" : "suspect";
    return {
      ...state,
      status: state.status === "open" ? unstored : state.status,
      lastError: hasFailed
        ? `The change to ${formatEndpoint(mapping)} waits for the database`
        : state.lastError,
    };
  }

  /** A round of probes now; undefined when the rule has no hole here. */
  async probe(id: number): Promise<Observation | undefined> {
    return this.#watches.get(id)?.probe();
  }

  /** How many of the rules that run here have which status. */
  statuses(): Map<RuleStatus, number> {
    const numbers = new Map<RuleStatus, number>();
    for (const id of this.#watches.keys()) {
      const status = this.stateOf(id)?.status;
      if (status) numbers.set(status, (numbers.get(status) ?? 0) + 1);
    }
    return numbers;
  }

  /** What all holes have relayed, those that are open now. */
  traffic(): Traffic {
    const sum: Traffic = { open: 0, total: 0, refused: 0, bytesIn: 0, bytesOut: 0 };
    for (const watch of this.#watches.values()) {
      const traffic = watch.hole?.traffic;
      if (!traffic) continue;
      for (const name of Object.keys(sum) as (keyof Traffic)[]) sum[name] += traffic[name];
    }
    return sum;
  }

  /** @returns what ends the subscription */
  subscribe(listener: (event: WatchEvent) => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  /** Brings to the storage what waits. Never rejects. */
  async settle(): Promise<void> {
    await this.#keeper.flush();
    await this.#states.flush();
    await this.#parts.observations.flush();
  }

  /** Closes every hole, whatever else waits for the storage. */
  async stop(): Promise<void> {
    this.#isStopping = true;
    this.#parts.names.close();
    await Promise.all([...this.#watches.values()].map((each) => each.stop("error", STOPPED)));
  }

  /** What is known last, once everything is closed. */
  async settleLast(): Promise<void> {
    await this.#keeper.stop();
    await this.#states.flush();
    await this.#parts.observations.flush();
  }

  #inTurn(work: () => Promise<void>): Promise<void> {
    const turn = this.#turn.then(work);
    this.#turn = turn.catch(() => {});
    return turn;
  }

  /** Runs one rule or all as they are stored. */
  async #run(id: number | undefined): Promise<void> {
    const { database, instance } = this.#parts;
    const rules = await store.readRulesToRun(database.db, instance, id);
    if (id !== undefined && rules.length === 0) await this.#release(id, null);
    const memoryOf = await this.#remember(id);
    let delayMs = 0;
    const betweenMs = Math.min(BETWEEN_STARTS_MS, LONGEST_START_MS / rules.length);
    for (const rule of rules) {
      const watch = this.#watches.get(rule.id);
      if (watch?.rule.revision === rule.revision) continue;
      if (watch?.adopt(rule, memoryOf(rule.id))) continue;
      await this.#release(rule.id, null);
      if (this.#isStopping) return;
      this.#start(rule, memoryOf(rule.id), delayMs);
      delayMs += betweenMs;
    }
  }

  #start(rule: StunRule, memory: WatchMemory, delayMs: number): void {
    const { observations } = this.#parts;
    const watch = new RuleWatch(rule, memory, {
      ...this.#parts,
      onObservation: (ruleId, observation) => {
        this.counts[observation.mapped ? "answered" : "unanswered"]++;
        observations.note(ruleId, observation);
      },
      onConfirmed: (ruleId, confirmed) => this.#keeper.keep(ruleId, confirmed),
      onChanged: (ruleId) => this.#noteChanged(ruleId),
    });
    this.#watches.set(rule.id, watch);
    watch.start(delayMs);
  }

  async #release(id: number, reason: string | null): Promise<void> {
    const watch = this.#watches.get(id);
    if (!watch) return;
    await watch.stop("disabled", reason);
    this.#log.forget(id);
    await this.#states.flush();
    this.#watches.delete(id);
    this.#parts.observations.forget(id);
  }

  async #remember(id: number | undefined): Promise<(ruleId: number) => WatchMemory> {
    const { database, clock, time } = this.#parts;
    const { db } = database;
    const mappings = await store.readMappings(db, id);
    const states = await store.readStates(db, id);
    const now = clock.now();
    const changes = await store.readChangeTimes(db, now - CHANGES_COUNT_MS);
    return (ruleId) => ({
      stored: toEndpoint(mappings.get(ruleId)),
      changedAt: (changes.get(ruleId) ?? []).map((at) => time.now() - Math.max(0, now - at)),
      pickedPort: states.get(ruleId)?.pickedPort ?? null,
    });
  }

  #known(ruleId: number): store.KnownState | undefined {
    const watch = this.#watches.get(ruleId);
    const state = this.stateOf(ruleId);
    return watch && state && { state, pickedPort: watch.pickedPort };
  }

  #noteStored(ruleId: number, change: MappingChange | null): void {
    if (change?.previous) this.counts.changes++;
    if (change) this.#tell({ kind: "change", ruleId, change });
    this.#noteChanged(ruleId);
  }

  #noteChanged(ruleId: number): void {
    this.#states.note(ruleId);
    const rule = this.#watches.get(ruleId)?.rule;
    // The port that was picked must be known after a crash, too.
    if (rule?.localPort === 0) void this.#states.flush();
    const state = this.stateOf(ruleId);
    if (rule && state && !this.#isStopping) this.#log.note(ruleId, rule.name, state);
    this.#tell({ kind: "state", ruleId });
  }

  #tell(event: WatchEvent): void {
    for (const listener of this.#listeners) {
      try {
        listener(event);
      } catch (error) {
        this.#parts.logger.error({ err: error }, "a listener of rules failed");
      }
    }
  }
}

function toEndpoint(mapping: Endpoint | undefined): Endpoint | null {
  return mapping ? { address: mapping.address, port: mapping.port } : null;
}
