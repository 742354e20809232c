import {
  stunLimits,
  type HoleTransport,
  type Rule,
  type RuleChange,
} from "../../shared/api/stun.ts";
import { changesOf } from "../lib/changes.ts";
import { onlyWrong, toLines, type FieldChecks } from "../lib/field-checks.ts";

/** What stands in the form; numbers are "" while a field is empty. */
export interface RuleValues {
  name: string;
  transport: HoleTransport;
  enabled: boolean;
  trigger_callbacks: boolean;
  forwards: boolean;
  forward_to: { host: string; port: number | ""; proxy_protocol: boolean };
  probe_interval_seconds: number | "";
  settle_seconds: number | "";
  local_address: string;
  local_port: number | "";
  /** One a line, as are the hosts. */
  stun_servers: string;
  keepalive_hosts: string;
  instance: string;
}

export const emptyRule: RuleValues = {
  name: "",
  transport: "udp",
  enabled: true,
  trigger_callbacks: true,
  forwards: false,
  forward_to: { host: "", port: "", proxy_protocol: false },
  probe_interval_seconds: 20,
  settle_seconds: 3,
  local_address: "",
  local_port: 0,
  stun_servers: "",
  keepalive_hosts: "",
  instance: "",
};

export function toRuleValues(rule: Rule): RuleValues {
  const { name, transport, enabled, trigger_callbacks, forward_to: target } = rule;
  return {
    name,
    transport,
    enabled,
    trigger_callbacks,
    forwards: target !== null,
    forward_to: target
      ? { ...target, proxy_protocol: target.proxy_protocol ?? false }
      : emptyRule.forward_to,
    probe_interval_seconds: rule.probe_interval_seconds,
    settle_seconds: rule.settle_seconds,
    local_address: rule.local_address ?? "",
    local_port: rule.local_port,
    stun_servers: rule.stun_servers.join("\n"),
    keepalive_hosts: rule.keepalive_hosts.join("\n"),
    instance: rule.instance,
  };
}

/** What the service is told. An empty instance is the one that is asked. */
export function toRuleBody(values: RuleValues) {
  const { forwards, forward_to: target, local_address: address, instance } = values;
  const isTcp = values.transport === "tcp";
  return {
    name: values.name.trim(),
    transport: values.transport,
    enabled: values.enabled,
    trigger_callbacks: values.trigger_callbacks,
    forward_to: forwards
      ? {
          host: target.host.trim(),
          port: Number(target.port),
          ...(isTcp && target.proxy_protocol && { proxy_protocol: true }),
        }
      : null,
    probe_interval_seconds: Number(values.probe_interval_seconds),
    settle_seconds: Number(values.settle_seconds),
    local_address: address.trim() === "" ? null : address.trim(),
    local_port: Number(values.local_port),
    stun_servers: toLines(values.stun_servers),
    keepalive_hosts: isTcp ? toLines(values.keepalive_hosts) : [],
    ...(instance.trim() !== "" && { instance: instance.trim() }),
  };
}

/**
 * What differs. A rule that becomes one over UDP is told, too, that it has nothing of TCP: somebody
 * else may have given it that meanwhile.
 */
export function toRuleChange(before: RuleValues, after: RuleValues): RuleChange {
  const body = toRuleBody(after);
  const changes = changesOf(toRuleBody(before), body);
  if (changes.transport !== "udp") return changes;
  return { ...changes, forward_to: body.forward_to, keepalive_hosts: body.keepalive_hosts };
}

const LARGEST_PORT = 65_535;

/** What is wrong, by path. */
export function judgeRule(values: RuleValues, checks: FieldChecks): Record<string, string> {
  const { name, forwards, forward_to: target, transport } = values;
  const { nameLength, servers, keepaliveHosts, probeIntervalSeconds, settleSeconds } = stunLimits;
  return onlyWrong({
    name: checks.required(name) ?? checks.atMost(name, nameLength),
    ...(forwards && {
      "forward_to.host": checks.required(target.host) ?? checks.host(target.host),
      "forward_to.port": checks.wholeNumber(target.port, 1, LARGEST_PORT),
    }),
    probe_interval_seconds: checks.wholeNumber(
      values.probe_interval_seconds,
      1,
      probeIntervalSeconds,
    ),
    settle_seconds: checks.wholeNumber(values.settle_seconds, 0, settleSeconds),
    local_port: checks.wholeNumber(values.local_port, 0, LARGEST_PORT),
    stun_servers: checks.hostPorts(values.stun_servers, servers),
    ...(transport === "tcp" && {
      keepalive_hosts: checks.hostPorts(values.keepalive_hosts, keepaliveHosts),
    }),
  });
}
