import type { Rule } from "../../shared/api/stun.ts";
import type { Clock } from "../lib/clock.ts";
import { AppError } from "../lib/errors.ts";
import { isLive } from "../stun/rule.ts";
import type { Mapping } from "./change.ts";
import type { Occasion } from "./template-values.ts";

/** The rules as they are now. */
export interface Rules {
  /** @throws AppError not_found */
  get(id: number): Promise<Rule>;
}

/** What a rule says when nothing has changed: to test, to try, to show. */
export class Occasions {
  readonly #rules: Rules;
  readonly #clock: Clock;

  constructor(rules: Rules, clock: Clock) {
    this.#rules = rules;
    this.#clock = clock;
  }

  /**
   * A rule whose mapping can be used now.
   * @throws AppError not_found; conflict when it has no live mapping
   */
  async live(ruleId: number): Promise<{ rule: Occasion["rule"]; mapping: Mapping }> {
    const rule = await this.#rules.get(ruleId);
    const mapping = liveMapping(rule);
    if (mapping) return { rule: toOccasionRule(rule), mapping };
    const { status, last_error: why } = rule.state;
    const what = `The rule ${rule.name} has no live mapping; its status is ${status}`;
    throw new AppError("conflict", why === null ? what : `${what}: ${why}`);
  }

  /** With the live mapping of a rule where there is one, else with an example. */
  async forTest(ruleId: number | undefined): Promise<Occasion> {
    const shown = await this.forPreview(ruleId);
    return { ...shown.occasion, event: "test", previous: null };
  }

  /** @throws AppError not_found */
  async forPreview(ruleId: number | undefined): Promise<{ occasion: Occasion; isLive: boolean }> {
    const rule = ruleId === undefined ? undefined : await this.#rules.get(ruleId);
    const mapping = rule && liveMapping(rule);
    const occasion: Occasion = {
      ...example,
      rule: rule ? toOccasionRule(rule) : example.rule,
      mapping: mapping ?? example.mapping,
      at: this.#clock.now(),
    };
    return { occasion, isLive: mapping !== undefined };
  }
}

/** Addresses of RFC 5737. */
const example: Omit<Occasion, "at"> = {
  rule: { id: 1, name: "example", transport: "udp" },
  mapping: { publicIp: "203.0.113.7", publicPort: 40_001 },
  previous: { publicIp: "198.51.100.7", publicPort: 40_000 },
  event: "stun_ip_and_port_change",
  runId: null,
};

function liveMapping({ state }: Rule): Mapping | undefined {
  const { status, public_ip: publicIp, public_port: publicPort } = state;
  if (!isLive(status) || publicIp === null || publicPort === null) return undefined;
  return { publicIp, publicPort };
}

function toOccasionRule({ id, name, transport }: Rule): Occasion["rule"] {
  return { id, name, transport };
}
