import type { Chance } from "../lib/chance.ts";
import type { Clock } from "../lib/clock.ts";
import type { HostPort } from "../lib/host-port.ts";
import type { Endpoint } from "./endpoint.ts";
import type { HoleKeeperParts } from "./hole-keeper.ts";
import { Judge, type ConfirmedMapping } from "./judge.ts";
import type { NameCache } from "./name-cache.ts";
import type { Observation } from "./observation.ts";
import type { StunRule } from "./rule.ts";

export interface WatchParts extends HoleKeeperParts {
  clock: Clock;
  chance: Chance;
  names: Pick<NameCache, "resolve">;
  /** The servers of rules that name none. */
  defaultServers: (transport: StunRule["transport"]) => readonly HostPort[];
  onObservation(ruleId: number, observation: Observation): void;
  onConfirmed(ruleId: number, confirmed: ConfirmedMapping): void;
  /** Something of the state is another. */
  onChanged(ruleId: number): void;
}

/** What is known of a rule from before. */
export interface WatchMemory {
  stored: Endpoint | null;
  /** When its mapping changed, by the time of the watcher. */
  changedAt: readonly number[];
  /** The port that a rule with port 0 has. */
  pickedPort: number | null;
}

const boundBy = ["transport", "localAddress", "localPort", "keepaliveHosts"] as const;
const judgedBy = ["stunServers", "probeIntervalSeconds", "settleSeconds"] as const;

/** Whether one rule can go on with the hole of the other. */
export function hasSameHole(one: StunRule, other: StunRule): boolean {
  return isSame(one, other, boundBy);
}

/** Whether one rule can go on with what was found out for the other. */
export function isJudgedAlike(one: StunRule, other: StunRule): boolean {
  return isSame(one, other, judgedBy);
}

export function hostsOf(
  rule: StunRule,
  { defaultServers }: Pick<WatchParts, "defaultServers">,
): readonly HostPort[] {
  return rule.stunServers.length > 0 ? rule.stunServers : defaultServers(rule.transport);
}

export function newJudge(rule: StunRule, { stored, changedAt }: WatchMemory): Judge {
  return new Judge({ stored, changedAt, settleMs: rule.settleSeconds * 1000 });
}

function isSame(one: StunRule, other: StunRule, names: readonly (keyof StunRule)[]): boolean {
  return names.every((name) => JSON.stringify(one[name]) === JSON.stringify(other[name]));
}
