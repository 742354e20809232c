import type { Insertable, Selectable } from "kysely";
import type { RuleStatus } from "../../shared/api/stun.ts";
import type { StunChangeTable, StunRuleTable, StunStateTable } from "../database/schema-stun.ts";
import { formatHostPort, parseHostPort, type HostPort } from "../lib/host-port.ts";
import type { ForwardTarget } from "./hole.ts";
import type { LiveState, MappingChange, RuleSettings, StunRule } from "./rule.ts";

export function toRule(row: Selectable<StunRuleTable> & { stand_in: string | null }): StunRule {
  return {
    id: row.id,
    name: row.name,
    enabled: row.enabled === 1,
    transport: row.transport,
    localAddress: row.local_address,
    localPort: row.local_port,
    stunServers: readHostPorts(row.stun_servers),
    keepaliveHosts: readHostPorts(row.keepalive_hosts),
    probeIntervalSeconds: row.probe_interval_seconds,
    settleSeconds: row.settle_seconds,
    forwardTo: row.forward_to === null ? null : (JSON.parse(row.forward_to) as ForwardTarget),
    triggerCallbacks: row.trigger_callbacks === 1,
    instance: row.instance,
    standIn: row.stand_in,
    revision: row.revision,
  };
}

type RuleColumns = Omit<Insertable<StunRuleTable>, "id" | "revision" | "created_at">;

export function toRuleColumns(settings: RuleSettings): RuleColumns {
  return {
    name: settings.name,
    enabled: settings.enabled ? 1 : 0,
    transport: settings.transport,
    local_address: settings.localAddress,
    local_port: settings.localPort,
    stun_servers: JSON.stringify(settings.stunServers.map(formatHostPort)),
    keepalive_hosts: JSON.stringify(settings.keepaliveHosts.map(formatHostPort)),
    probe_interval_seconds: settings.probeIntervalSeconds,
    settle_seconds: settings.settleSeconds,
    forward_to: settings.forwardTo && JSON.stringify(settings.forwardTo),
    trigger_callbacks: settings.triggerCallbacks ? 1 : 0,
    instance: settings.instance,
  };
}

/** What was checked before it was stored. */
function readHostPorts(text: string): HostPort[] {
  return (JSON.parse(text) as string[]).flatMap((each) => parseHostPort(each) ?? []);
}

type StateColumns = Omit<Insertable<StunStateTable>, "rule_id" | "picked_port">;

export function toStateColumns(state: LiveState): StateColumns {
  return {
    status: state.status,
    local_address: state.local?.address ?? null,
    local_port: state.local?.port ?? null,
    server: state.server,
    last_probe_at: state.lastProbeAt,
    consecutive_failures: state.consecutiveFailures,
    last_error: state.lastError,
  };
}

export function toLiveState(row: Selectable<StunStateTable>): LiveState {
  const { local_address: address, local_port: port } = row;
  return {
    status: row.status as RuleStatus,
    local: address === null || port === null ? null : { address, port },
    server: row.server,
    lastProbeAt: row.last_probe_at,
    consecutiveFailures: row.consecutive_failures,
    lastError: row.last_error,
  };
}

export function toChange(row: Selectable<StunChangeTable>): MappingChange {
  const { previous_ip: address, previous_port: port } = row;
  return {
    id: row.id,
    ruleId: row.rule_id,
    mapping: { address: row.public_ip, port: row.public_port },
    previous: address === null || port === null ? null : { address, port },
    changed: JSON.parse(row.changed) as ("ip" | "port")[],
    confirmedBy: JSON.parse(row.confirmed_by) as string[],
    at: row.at,
  };
}
