import type { Generated } from "kysely";
import type {
  CallbackAccountTable,
  CallbackTaskTable,
  CallbackRunTable,
  CallbackAttemptTable,
  CallbackAlertTable,
  DomainAccountTable,
  DomainPublishedTable,
} from "./schema-callbacks.ts";
import type { NodePublicationSetTable, NodePublicationTable } from "./schema-publications.ts";
import type {
  InstanceTable,
  NodeChangeTable,
  ReportPositionTable,
  StunStandInTable,
} from "./schema-instances.ts";
import type {
  StunRuleTable,
  StunStateTable,
  StunMappingTable,
  StunChangeTable,
  StunObservationTable,
} from "./schema-stun.ts";

/**
 * The tables, as both databases hold them: text, integer, real, null, and bytes where a row is a
 * packed record of ours. Times are integer milliseconds UTC, flags 0 or 1, documents JSON text.
 */
export interface Schema {
  migrations: MigrationTable;
  settings: SettingTable;
  users: UserTable;
  user_tokens: UserTokenTable;
  nodes: NodeTable;
  node_live: NodeLiveTable;
  report_journal: ReportJournalTable;
  report_positions: ReportPositionTable;
  report_receipts: ReportReceiptTable;
  node_rollups: NodeRollupTable;
  fleet_rollups: FleetRollupTable;
  node_checks: NodeCheckTable;
  instances: InstanceTable;
  node_changes: NodeChangeTable;
  stun_stand_ins: StunStandInTable;
  stun_rules: StunRuleTable;
  stun_states: StunStateTable;
  stun_mappings: StunMappingTable;
  stun_changes: StunChangeTable;
  stun_observations: StunObservationTable;
  callback_accounts: CallbackAccountTable;
  callback_tasks: CallbackTaskTable;
  callback_runs: CallbackRunTable;
  callback_attempts: CallbackAttemptTable;
  callback_alerts: CallbackAlertTable;
  domain_accounts: DomainAccountTable;
  domain_published: DomainPublishedTable;
  node_publications: NodePublicationTable;
  node_publication_sets: NodePublicationSetTable;
  audit: AuditTable;
}

export interface MigrationTable {
  name: string;
  breaking: number;
  applied_at: number;
}

/** Facts about the system itself; `initialized_at` is the first. */
export interface SettingTable {
  key: string;
  value: string;
}

export interface UserTable {
  id: Generated<number>;
  /** As registered, trimmed. */
  email: string;
  /** Lower case; what addresses are compared by. */
  email_key: string;
  password_hash: string;
  is_admin: number;
  verified: number;
  disabled: number;
  /** Raised to end every session of the account. */
  session_version: number;
  created_at: number;
}

export interface UserTokenTable {
  /** SHA-256 of the token, hexadecimal. */
  token_hash: string;
  user_id: number;
  purpose: "verify" | "reset";
  expires_at: number;
}

/** What the owner and the administrator decide about a node. */
export interface NodeTable {
  id: Generated<number>;
  owner_id: number;
  node_name: string;
  region_type: string;
  region_detail: string;
  /** JSON array of `{ type, ip, port }`. */
  connections: string;
  tier_bandwidth: number;
  /** When the owner last set the tier; a later report replaces it. */
  tier_since: number;
  max_bandwidth: number;
  max_traffic: number;
  reset_cycle: number;
  max_connections: number;
  tags: string;
  /** `YYYY-MM-DD`. */
  valid_until: string | null;
  allow_relay: number;
  enabled: number;
  /** SHA-256 of the report token, hexadecimal. */
  token_hash: string;
  previous_token_hash: string | null;
  previous_token_until: number | null;
  /** The traffic period in force when the cycle was last set; see reports/period.ts. */
  period_start: number;
  period_end: number;
  created_at: number;
}

/** What reports decide about a node; written by the journal's fold only. */
export interface NodeLiveTable {
  node_id: number;
  reported_at: number;
  bandwidth: number;
  connections: number;
  status: string;
  /** Used traffic of the period that begins at `period_start`, in GB: `used + used_rest`, exactly. */
  used: number;
  used_rest: number;
  period_start: number;
  /** Replaces the owner's tier when newer than `tier_since`. */
  tier_bandwidth: number | null;
  tier_at: number;
  /** Stated or observed time between reports, 0 when unknown. */
  interval_ms: number;
  version: string;
  /** Sequence of the last journal row folded in (SQLite). */
  journal_seq: number;
  /** The open minute, hour and day of the node's history; see reports/history.ts. */
  open_history: Uint8Array | null;
  /** 1 after the silence detector declared the node offline, until it reports again. */
  silent: number;
}

/** A group commit: every report that arrived while the previous one was written, as one row. */
export interface ReportJournalTable {
  instance: string;
  seq: number;
  batch: Uint8Array;
}

/** The answer given to a report that carried a `report_id`, kept for 24 hours. */
export interface ReportReceiptTable {
  node_id: number;
  report_id: string;
  at: number;
  used_traffic: number;
  max_traffic: number;
  reset_at: number;
}

/** A node's history. `span` is the bucket's length in seconds: 60, 3600 or 86400. */
export interface NodeRollupTable {
  span: number;
  /** Start of the bucket. */
  at: number;
  node_id: number;
  /** Time within the bucket for which an online report stood. */
  up_ms: number;
  /** Mean Mbit/s over `up_ms`. */
  bandwidth: number;
  /** Mean connections over `up_ms`. */
  connections: number;
  /** GB reported within the bucket. */
  traffic: number;
}

/** The fleet's history, sampled each minute. */
export interface FleetRollupTable {
  span: number;
  at: number;
  total_nodes: number;
  online_nodes: number;
  bandwidth: number;
  connections: number;
  traffic: number;
}

/** What background checks of one connection of a node showed within an hour. */
export interface NodeCheckTable {
  node_id: number;
  /** `<transport>://<host>:<port>` */
  connection: string;
  /** Start of the hour. */
  at: number;
  checks: number;
  /** Checks that reached it. */
  reachable: number;
  /** Checks in which the overlay answered. */
  overlay: number;
  /** Milliseconds over the checks that reached it. */
  latency_sum: number;
  /** When the last check ended; the columns from here on are its verdict. */
  checked_at: number;
  /** null = it must not or could not be checked; that is no check. */
  is_online: number | null;
  latency_ms: number;
  handshake: string | null;
  error: string | null;
}

export interface AuditTable {
  id: Generated<number>;
  at: number;
  actor_id: number | null;
  actor: string;
  action: string;
  subject: string;
  /** JSON document: what changed, never a secret. */
  details: string;
}
