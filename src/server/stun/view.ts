import type {
  Forward,
  MappingChange as WireChange,
  Rule,
  RuleState,
  StunObservation,
} from "../../shared/api/stun.ts";
import { toIso } from "../lib/clock.ts";
import { formatHostPort } from "../lib/host-port.ts";
import type { ForwardTarget } from "./hole.ts";
import type { Observation } from "./observation.ts";
import {
  isLive,
  type LiveState,
  type MappingChange,
  type StoredMapping,
  type StunRule,
} from "./rule.ts";

export function toWireRule(
  rule: StunRule,
  state: LiveState,
  mapping: StoredMapping | undefined,
): Rule {
  return {
    id: rule.id,
    name: rule.name,
    enabled: rule.enabled,
    transport: rule.transport,
    local_address: rule.localAddress,
    local_port: rule.localPort,
    stun_servers: rule.stunServers.map(formatHostPort),
    keepalive_hosts: rule.keepaliveHosts.map(formatHostPort),
    probe_interval_seconds: rule.probeIntervalSeconds,
    settle_seconds: rule.settleSeconds,
    forward_to: rule.forwardTo && toForward(rule.forwardTo),
    trigger_callbacks: rule.triggerCallbacks,
    instance: rule.instance,
    state: toWireState(state, mapping),
  };
}

function toForward({ host, port, proxyProtocol }: ForwardTarget): Forward {
  return { host, port, ...(proxyProtocol ? { proxy_protocol: true } : {}) };
}

/** A mapping is shown while it can be used. */
function toWireState(state: LiveState, mapping: StoredMapping | undefined): RuleState {
  const live = isLive(state.status) ? mapping : undefined;
  return {
    status: state.status,
    public_ip: live?.address ?? null,
    public_port: live?.port ?? null,
    local_address: state.local?.address ?? null,
    local_port: state.local?.port ?? null,
    server: state.server,
    last_probe_at: state.lastProbeAt === null ? null : toIso(state.lastProbeAt),
    last_change_at: mapping ? toIso(mapping.at) : null,
    consecutive_failures: state.consecutiveFailures,
    last_error: state.lastError,
  };
}

export function toWireChange(change: MappingChange): WireChange {
  return {
    id: change.id,
    rule_id: change.ruleId,
    public_ip: change.mapping.address,
    public_port: change.mapping.port,
    previous_ip: change.previous?.address ?? null,
    previous_port: change.previous?.port ?? null,
    changed: [...change.changed],
    confirmed_by: [...change.confirmedBy],
    at: toIso(change.at),
  };
}

export function toWireObservation(observation: Observation): StunObservation {
  const { rttMs } = observation;
  return {
    at: toIso(observation.at),
    server: observation.server,
    public_ip: observation.mapped?.address ?? null,
    public_port: observation.mapped?.port ?? null,
    rtt_ms: rttMs === null ? null : Math.round(rttMs * 10) / 10,
    error: observation.error,
  };
}
