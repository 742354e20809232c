import type { Generated } from "kysely";

/** A hole that is to be kept open. */
export interface StunRuleTable {
  id: Generated<number>;
  name: string;
  enabled: number;
  transport: "udp" | "tcp";
  local_address: string | null;
  /** 0 = any; then `stun_states.picked_port` is the one. */
  local_port: number;
  /** JSON array of `host:port`. */
  stun_servers: string;
  keepalive_hosts: string;
  probe_interval_seconds: number;
  settle_seconds: number;
  /** JSON object of `host`, `port` and perhaps `proxy_protocol`. */
  forward_to: string | null;
  trigger_callbacks: number;
  instance: string;
  /** Raised by every change of the row, so that the instance that runs the rule sees it. */
  revision: number;
  created_at: number;
}

/** What the instance that runs a rule last told about it; all of it can be had again. */
export interface StunStateTable {
  rule_id: number;
  status: string;
  local_address: string | null;
  local_port: number | null;
  server: string | null;
  last_probe_at: number | null;
  consecutive_failures: number;
  last_error: string | null;
  /** The port that was picked for a rule that leaves it open. */
  picked_port: number | null;
}

/** The confirmed mapping of a rule. */
export interface StunMappingTable {
  rule_id: number;
  public_ip: string;
  public_port: number;
  at: number;
}

export interface StunChangeTable {
  id: Generated<number>;
  /** Made when the change was confirmed: a change that is stored again is found by it. */
  change_key: string;
  rule_id: number;
  public_ip: string;
  public_port: number;
  /** Null in the first mapping of a rule. */
  previous_ip: string | null;
  previous_port: number | null;
  /** JSON array of `ip` and `port`, empty in the first mapping of a rule. */
  changed: string;
  /** JSON array of servers. */
  confirmed_by: string;
  at: number;
}

/** What single probes showed, of the last seven days; the mapping or the error is null. */
export interface StunObservationTable {
  rule_id: number;
  at: number;
  server: string;
  public_ip: string | null;
  public_port: number | null;
  rtt_ms: number | null;
  error: string | null;
}
