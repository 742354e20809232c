import type { HoleTransport, RuleStatus } from "../../shared/api/stun.ts";
import type { HostPort } from "../lib/host-port.ts";
import type { Endpoint } from "./endpoint.ts";
import type { ForwardTarget } from "./hole.ts";

/** What an administrator decides about a hole. */
export interface RuleSettings {
  name: string;
  enabled: boolean;
  transport: HoleTransport;
  /** Source address; null = whichever the system chooses. */
  localAddress: string | null;
  /** 0 = any, the same for the life of the rule. */
  localPort: number;
  /** Empty = those of the service. */
  stunServers: readonly HostPort[];
  keepaliveHosts: readonly HostPort[];
  probeIntervalSeconds: number;
  settleSeconds: number;
  forwardTo: ForwardTarget | null;
  triggerCallbacks: boolean;
  instance: string;
}

export interface StunRule extends RuleSettings {
  id: number;
  /** The instance that holds the hole in place of the one that is named, while that one is dead. */
  standIn: string | null;
  /** Another one after every change. */
  revision: number;
}

/** The instance that is to hold the hole. */
export function holderOf(rule: Pick<StunRule, "instance" | "standIn">): string {
  return rule.standIn ?? rule.instance;
}

/** What there is to know about a rule as it runs. Times are milliseconds since 1970. */
export interface LiveState {
  status: RuleStatus;
  local: Endpoint | null;
  /** The server that answered last. */
  server: string | null;
  lastProbeAt: number | null;
  consecutiveFailures: number;
  lastError: string | null;
}

/** The mapping that is stored for a rule. */
export interface StoredMapping extends Endpoint {
  at: number;
}

/** A confirmed change, as it is stored. */
export interface MappingChange {
  id: number;
  ruleId: number;
  mapping: Endpoint;
  /** Null in the first mapping of a rule, which is no change to act on. */
  previous: Endpoint | null;
  /** Empty in the first mapping of a rule. */
  changed: readonly ("ip" | "port")[];
  /** The servers that agreed. */
  confirmedBy: readonly string[];
  at: number;
}

/** Whether the mapping can be used: it is confirmed, and nothing speaks against it. */
export function isLive(status: RuleStatus): boolean {
  return status === "open" || status === "suspect" || status === "unstable";
}

export function differences(before: Endpoint, after: Endpoint): ("ip" | "port")[] {
  const changed: ("ip" | "port")[] = [];
  if (before.address !== after.address) changed.push("ip");
  if (before.port !== after.port) changed.push("port");
  return changed;
}
