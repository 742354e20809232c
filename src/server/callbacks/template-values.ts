import { toIso } from "../lib/clock.ts";
import { toIp4p } from "../lib/ip4p.ts";
import { changedParts, type EventWord, type Mapping } from "./change.ts";

/** What a template can name. Null where there is no value. */
export interface TemplateValues {
  public_ip: string;
  public_port: number;
  /** `ip:port`, an IPv6 address in brackets. */
  public_address: string;
  previous_ip: string | null;
  previous_port: number | null;
  rule_id: number;
  rule_name: string;
  transport: "udp" | "tcp";
  event: EventWord;
  /** `ip`, `port`, `ip,port` or nothing. */
  changed: string;
  /** Null when it is no run: a test, a dry run. */
  run_id: number | null;
  /** ISO 8601, UTC. */
  timestamp: string;
  /** Null when the public address is IPv6. */
  ip4p: string | null;
}

/** What a run knows; `at` is in milliseconds since 1970. */
export interface Occasion {
  rule: { id: number; name: string; transport: "udp" | "tcp" };
  mapping: Mapping;
  previous: Mapping | null;
  event: EventWord;
  runId: number | null;
  at: number;
}

export function toTemplateValues(occasion: Occasion): TemplateValues {
  const { rule, mapping, previous, event, runId, at } = occasion;
  return {
    ...mappingValues(mapping),
    previous_ip: previous?.publicIp ?? null,
    previous_port: previous?.publicPort ?? null,
    rule_id: rule.id,
    rule_name: rule.name,
    transport: rule.transport,
    event,
    changed: changedParts(previous, mapping).join(","),
    run_id: runId,
    timestamp: toIso(at),
  };
}

/** The same occasion with another mapping. */
export function withMapping(values: TemplateValues, mapping: Mapping): TemplateValues {
  return { ...values, ...mappingValues(mapping) };
}

function mappingValues(mapping: Mapping) {
  return {
    public_ip: mapping.publicIp,
    public_port: mapping.publicPort,
    public_address: toAuthority(mapping),
    ip4p: toIp4p(mapping.publicIp, mapping.publicPort) ?? null,
  };
}

function toAuthority({ publicIp, publicPort }: Mapping): string {
  return `${publicIp.includes(":") ? `[${publicIp}]` : publicIp}:${publicPort}`;
}

/** To try a template with: values with and without each of those that may be missing. */
export function sampleValues(): TemplateValues[] {
  const found: TemplateValues[] = [];
  for (const hasPrevious of [true, false]) {
    for (const run_id of [1, null]) {
      for (const ip4p of ["2001::1:2:3", null]) {
        found.push({
          public_ip: "192.0.2.1",
          public_port: 50_000,
          public_address: "192.0.2.1:50000",
          previous_ip: hasPrevious ? "192.0.2.2" : null,
          previous_port: hasPrevious ? 50_001 : null,
          rule_id: 1,
          rule_name: "rule",
          transport: "udp",
          event: "stun_ip_and_port_change",
          changed: "ip,port",
          run_id,
          timestamp: "2000-01-01T00:00:00.000Z",
          ip4p,
        });
      }
    }
  }
  return found;
}
