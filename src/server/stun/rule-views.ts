import type { Rule } from "../../shared/api/stun.ts";
import type { Db } from "../database/database.ts";
import { holderOf, type LiveState, type StunRule } from "./rule.ts";
import * as store from "./store.ts";
import { toWireRule } from "./view.ts";

export interface RuleViewParts {
  db: Db;
  instance: string;
  /** How the rules of this instance run. */
  live: { stateOf(id: number): LiveState | undefined };
}

/** More rules than that are cheaper to read all together. */
const READ_SINGLY = 16;

const nothingKnown: LiveState = {
  status: "starting",
  local: null,
  server: null,
  lastProbeAt: null,
  consecutiveFailures: 0,
  lastError: null,
};

/** Rules with their state, as they are shown. */
export class RuleViews {
  readonly #parts: RuleViewParts;

  constructor(parts: RuleViewParts) {
    this.#parts = parts;
  }

  /** By id. */
  async list(): Promise<Rule[]> {
    const { db } = this.#parts;
    const rules = await store.readRules(db);
    // Before the mappings: a rule is open once its mapping is stored.
    const live = new Map(rules.map((rule) => [rule.id, this.#parts.live.stateOf(rule.id)]));
    const mappings = await store.readMappings(db);
    const states = await store.readStates(db);
    return rules.map((rule) => {
      const state = this.#stateOf(rule, live.get(rule.id), states.get(rule.id));
      return toWireRule(rule, state, mappings.get(rule.id));
    });
  }

  /** Those of the ids that there are. */
  async listOf(ids: readonly number[]): Promise<Rule[]> {
    if (ids.length > READ_SINGLY) {
      const wanted = new Set(ids);
      return (await this.list()).filter((rule) => wanted.has(rule.id));
    }
    const found = await Promise.all(ids.map((id) => this.find(id)));
    return found.filter((rule) => rule !== undefined);
  }

  async find(id: number): Promise<Rule | undefined> {
    const { db } = this.#parts;
    const rule = await store.findRule(db, id);
    if (!rule) return undefined;
    const live = this.#parts.live.stateOf(id);
    const mappings = await store.readMappings(db, id);
    const states = await store.readStates(db, id);
    return toWireRule(rule, this.#stateOf(rule, live, states.get(id)), mappings.get(id));
  }

  #stateOf(
    rule: StunRule,
    live: LiveState | undefined,
    known: store.KnownState | undefined,
  ): LiveState {
    if (!rule.enabled) return { ...nothingKnown, status: "disabled" };
    if (live) return live;
    const isOthers = holderOf(rule) !== this.#parts.instance;
    return (isOthers ? known?.state : undefined) ?? nothingKnown;
  }
}
