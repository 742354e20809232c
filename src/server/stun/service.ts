import type {
  MappingChange as WireChange,
  Rule,
  StandIn,
  StunObservation,
} from "../../shared/api/stun.ts";
import type { Database, Db } from "../database/database.ts";
import { refuseTaken } from "../database/taken.ts";
import type { Clock } from "../lib/clock.ts";
import { AppError, invalidFields } from "../lib/errors.ts";
import type { HostPort } from "../lib/host-port.ts";
import { auditTrail, type AuditTrail } from "../system/audit.ts";
import type { Caller } from "../users/caller.ts";
import { namesOfChanges, rebinds, repicks, toWireName } from "./changed-settings.ts";
import type { HoleFactory } from "./hole-keeper.ts";
import { withDefaults, type NewRuleSettings } from "./input.ts";
import type { NeighbourEvent, NeighbourNews } from "./neighbour-news.ts";
import type { ObservationStore } from "./observation-store.ts";
import { isOwnListener } from "./own-listener.ts";
import { tryHole } from "./try-hole.ts";
import { RuleViews } from "./rule-views.ts";
import { holderOf, type RuleSettings, type StunRule } from "./rule.ts";
import * as store from "./store.ts";
import { toWireChange, toWireObservation } from "./view.ts";
import type { Watcher, WatchEvent } from "./watcher.ts";

export interface StunServiceParts {
  database: Database;
  clock: Clock;
  instance: string;
  watcher: Watcher;
  createHole: HoleFactory;
  observations: ObservationStore;
  /** Undefined where there can be no other instances. */
  neighbourNews: NeighbourNews | undefined;
  /** Names of what needs a rule. */
  ruleUsers: (ruleId: number, transaction: Db) => Promise<string[]>;
  /** Where the service itself listens. */
  ownListener: () => HostPort;
}

/** What has happened to a rule; what it is now can be asked for. */
export type RuleNews =
  | { kind: "state"; ruleId: number }
  | { kind: "change"; ruleId: number; change: WireChange };

interface Page {
  limit: number;
  before?: number | undefined;
}

/** What administrators do with rules. Changes come one after the other. */
export class StunService {
  readonly #parts: StunServiceParts;
  readonly #db: Db;
  readonly #audit: AuditTrail;
  readonly #views: RuleViews;
  #turn: Promise<unknown> = Promise.resolve();

  constructor(parts: StunServiceParts) {
    this.#parts = parts;
    this.#db = parts.database.db;
    this.#audit = auditTrail("stun_rule", parts.clock);
    this.#views = new RuleViews({ db: this.#db, instance: parts.instance, live: parts.watcher });
  }

  /** By id. */
  list(): Promise<Rule[]> {
    return this.#views.list();
  }

  /** Those of the ids that there are. */
  listOf(ids: readonly number[]): Promise<Rule[]> {
    return this.#views.listOf(ids);
  }

  /** @throws AppError not_found */
  async get(id: number): Promise<Rule> {
    const rule = await this.#views.find(id);
    if (!rule) throw noSuchRule();
    return rule;
  }

  /** By rule. */
  async listStandIns(): Promise<StandIn[]> {
    const standIns = await store.readStandIns(this.#db);
    return Array.from(standIns, ([ruleId, instance]) => ({ rule_id: ruleId, instance }));
  }

  /** @throws AppError invalid_request, name_taken */
  create(caller: Caller, given: NewRuleSettings): Promise<Rule> {
    return this.#inTurn(async () => {
      const settings = withDefaults(given, this.#parts.instance);
      await this.#check(settings, undefined);
      if (this.#isRunHere(settings)) await tryHole(settings, this.#parts.createHole);
      const id = await refuseTakenName(this.#parts.database, settings.name, () =>
        this.#db.transaction().execute(async (tx) => {
          const stored = await store.insertRule(tx, settings, this.#parts.clock.now());
          await this.#audit(tx, caller, "stun_rule.create", stored, { name: settings.name });
          return stored;
        }),
      );
      await this.#parts.watcher.refresh(id);
      return this.get(id);
    });
  }

  /**
   * Changes what is given.
   * @throws AppError not_found, invalid_request, name_taken
   */
  change(caller: Caller, id: number, given: Partial<RuleSettings>): Promise<Rule> {
    return this.#inTurn(async () => {
      const before = await this.#find(id);
      const after: StunRule = { ...before, ...given };
      const changed = namesOfChanges(before, after);
      if (changed.length === 0) return this.get(id);
      await this.#check(after, id);
      try {
        if (rebinds(changed) && this.#isRunHere(after)) {
          // It may be the same port that the rule holds now.
          await this.#parts.watcher.release(id);
          await tryHole(after, this.#parts.createHole);
        }
        await refuseTakenName(this.#parts.database, after.name, () =>
          this.#db.transaction().execute((tx) => this.#update(tx, caller, id, given, changed)),
        );
      } finally {
        await this.#parts.watcher.refresh(id);
      }
      return this.get(id);
    });
  }

  /** @throws AppError not_found; conflict naming what needs it */
  remove(caller: Caller, id: number): Promise<void> {
    return this.#inTurn(async () => {
      await this.#db.transaction().execute(async (tx) => {
        const rule = await store.lockRule(tx, this.#parts.database.dialect, id);
        if (!rule) throw noSuchRule();
        const users = await this.#parts.ruleUsers(id, tx);
        if (users.length > 0) {
          const names = users.join(", ");
          throw new AppError("conflict", `The rule is used by these callback tasks: ${names}`);
        }
        await store.deleteRule(tx, id);
        await this.#audit(tx, caller, "stun_rule.delete", id, { name: rule.name });
      });
      await this.#parts.watcher.refresh(id);
    });
  }

  /**
   * Probes now.
   * @throws AppError not_found; conflict when the rule has no hole here
   */
  async probe(id: number): Promise<StunObservation> {
    const rule = await this.#find(id);
    const observation = await this.#parts.watcher.probe(id);
    if (observation) return toWireObservation(observation);
    throw new AppError("conflict", this.#whyNoHole(rule));
  }

  /** Newest first. @throws AppError not_found */
  async listChanges(id: number, page: Page): Promise<WireChange[]> {
    await this.#find(id);
    return (await store.listChanges(this.#db, id, page)).map(toWireChange);
  }

  /** Newest first. @throws AppError not_found */
  async listObservations(id: number, page: Page): Promise<StunObservation[]> {
    await this.#find(id);
    await this.#parts.watcher.settle();
    return (await this.#parts.observations.list(id, page)).map(toWireObservation);
  }

  /** News of the rules that run here. @returns what ends the subscription */
  subscribe(listener: (news: RuleNews) => void): () => void {
    return this.#parts.watcher.subscribe((event) => listener(toNews(event)));
  }

  /** News of all rules, from its resolution on. @returns what ends it */
  async follow(listener: (news: RuleNews) => void): Promise<() => void> {
    const { neighbourNews } = this.#parts;
    const endOthers = await neighbourNews?.subscribe((event) => listener(toNews(event)));
    const endOwn = this.subscribe(listener);
    return () => {
      endOwn();
      endOthers?.();
    };
  }

  #inTurn<T>(work: () => Promise<T>): Promise<T> {
    const turn = this.#turn.then(work);
    this.#turn = turn.catch(() => {});
    return turn;
  }

  async #find(id: number): Promise<StunRule> {
    const rule = await store.findRule(this.#db, id);
    if (!rule) throw noSuchRule();
    return rule;
  }

  #isRunHere(settings: RuleSettings): boolean {
    return settings.enabled && settings.instance === this.#parts.instance;
  }

  /** What other rules and this service itself leave free. */
  async #check(settings: RuleSettings, id: number | undefined): Promise<void> {
    const { forwardTo, keepaliveHosts, transport } = settings;
    if (forwardTo && isOwnListener(forwardTo, this.#parts.ownListener())) {
      refuse("forward_to", "is where this service itself listens");
    }
    if (forwardTo?.proxyProtocol && transport !== "tcp") {
      refuse("forward_to.proxy_protocol", "is for rules over tcp only");
    }
    if (keepaliveHosts.length > 0 && transport !== "tcp") {
      refuse("keepalive_hosts", "is for rules over tcp only");
    }
    const [rival] = await store.findRivals(this.#db, settings, id);
    if (rival !== undefined) refuse("local_port", `is the port of the rule ${rival}`);
  }

  async #update(
    tx: Db,
    caller: Caller,
    id: number,
    given: Partial<RuleSettings>,
    changed: readonly (keyof RuleSettings)[],
  ): Promise<void> {
    const rule = await store.lockRule(tx, this.#parts.database.dialect, id);
    if (!rule) throw noSuchRule();
    await store.updateRule(tx, { ...rule, ...given, revision: rule.revision + 1 });
    if (repicks(changed)) await store.forgetPickedPort(tx, id);
    const fields = changed.map(toWireName);
    await this.#audit(tx, caller, "stun_rule.update", id, { name: rule.name, changed: fields });
  }

  #whyNoHole(rule: StunRule): string {
    if (!rule.enabled) return "The rule is switched off";
    if (holderOf(rule) !== this.#parts.instance) {
      return `The hole is held by the instance ${holderOf(rule)}; ask that one`;
    }
    const reason = this.#parts.watcher.stateOf(rule.id)?.lastError;
    return reason ? `The hole is not open: ${reason}` : "The hole is being opened; try again";
  }
}

function toNews(event: WatchEvent | NeighbourEvent): RuleNews {
  return event.kind === "state" ? event : { ...event, change: toWireChange(event.change) };
}

function refuseTakenName<T>(
  { dialect }: Database,
  name: string,
  write: () => Promise<T>,
): Promise<T> {
  const error = `There is a rule named ${name} already`;
  return refuseTaken(
    dialect,
    { error, path: "name", message: "is the name of another rule" },
    write,
  );
}

function refuse(path: string, message: string): never {
  throw invalidFields([{ path, message }]);
}

function noSuchRule(): AppError {
  return new AppError("not_found", "There is no rule with this id");
}
