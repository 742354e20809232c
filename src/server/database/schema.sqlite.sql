-- What all migrations together make. Written by `npm run generate`.

CREATE TABLE "audit" (
  "id" integer primary key autoincrement,
  "at" integer not null,
  "actor_id" integer,
  "actor" text not null,
  "action" text not null,
  "subject" text not null,
  "details" text not null
);

CREATE TABLE "callback_accounts" (
  "id" integer primary key autoincrement,
  "name" text not null unique,
  "type" text not null,
  "config" text not null,
  "created_at" integer not null,
  "updated_at" integer not null
);

CREATE TABLE "callback_alerts" (
  "task_id" integer primary key,
  "state" text not null,
  "told" integer not null,
  "run_id" integer not null,
  "error" text,
  "at" integer not null,
  "due_at" integer
);

CREATE TABLE "callback_attempts" (
  "run_id" integer not null references "callback_runs" ("id") on delete cascade,
  "number" integer not null,
  "stages" text not null,
  "error_class" text,
  "error" text,
  "started_at" integer not null,
  "duration_ms" integer not null,
  constraint "callback_attempts_key" primary key ("run_id", "number")
);

CREATE TABLE "callback_runs" (
  "id" integer primary key autoincrement,
  "task_id" integer not null,
  "task_name" text not null,
  "account_id" integer not null,
  "account_name" text not null,
  "account_type" text not null,
  "rule_id" integer not null,
  "rule_name" text not null,
  "transport" text not null,
  "trigger" text not null,
  "event" text not null,
  "public_ip" text not null,
  "public_port" integer not null,
  "previous_ip" text,
  "previous_port" integer,
  "status" text not null,
  "attempt_count" integer not null,
  "http_status" integer,
  "response_body" text,
  "error" text,
  "created_at" integer not null,
  "started_at" integer,
  "finished_at" integer,
  "due_at" integer,
  "lease_owner" text,
  "cancel_requested" integer not null
);

CREATE INDEX "callback_runs_by_rule_id" on "callback_runs" (
  "rule_id",
  "id"
);

CREATE INDEX "callback_runs_by_task_id" on "callback_runs" (
  "task_id",
  "id"
);

CREATE INDEX "callback_runs_due" on "callback_runs" (
  "due_at",
  "id"
) where "due_at" is not null;

CREATE INDEX "callback_runs_finished_by_rule_id_and_status" on "callback_runs" (
  "rule_id",
  "status",
  "id"
) where "due_at" is null;

CREATE INDEX "callback_runs_finished_by_status" on "callback_runs" (
  "status",
  "id"
) where "due_at" is null;

CREATE INDEX "callback_runs_finished_by_task_id_and_status" on "callback_runs" (
  "task_id",
  "status",
  "id"
) where "due_at" is null;

CREATE INDEX "callback_runs_open" on "callback_runs" (
  "task_id"
) where "due_at" is not null;

CREATE UNIQUE INDEX "callback_runs_serial" on "callback_runs" (
  "task_id"
) where "status" = 'running';

CREATE TABLE "callback_tasks" (
  "id" integer primary key autoincrement,
  "name" text not null unique,
  "enabled" integer not null,
  "trigger" text not null,
  "stun_rule_id" integer not null references "stun_rules" ("id"),
  "account_id" integer not null references "callback_accounts" ("id"),
  "created_at" integer not null,
  "updated_at" integer not null
);

CREATE INDEX "callback_tasks_by_account_id" on "callback_tasks" (
  "account_id"
);

CREATE INDEX "callback_tasks_by_stun_rule_id" on "callback_tasks" (
  "stun_rule_id"
);

CREATE TABLE "domain_accounts" (
  "id" integer primary key autoincrement,
  "name" text not null unique,
  "provider" text not null,
  "config" text not null,
  "created_at" integer not null,
  "updated_at" integer not null
);

CREATE TABLE "domain_published" (
  "account_id" integer not null references "domain_accounts" ("id") on delete cascade,
  "publisher" text not null,
  "name" text not null,
  "type" text not null,
  "value" text not null,
  "at" integer not null,
  constraint "domain_published_key" primary key ("account_id", "publisher", "name", "type")
) without rowid;

CREATE TABLE "fleet_rollups" (
  "span" integer not null,
  "at" integer not null,
  "total_nodes" real not null,
  "online_nodes" real not null,
  "bandwidth" real not null,
  "connections" real not null,
  "traffic" real not null,
  constraint "fleet_rollups_key" primary key ("span", "at")
);

CREATE TABLE "instances" (
  "name" text primary key,
  "process" text not null,
  "beat_at" integer not null,
  "ended" integer not null
);

CREATE TABLE migrations (
  name text primary key,
  breaking bigint not null,
  applied_at bigint not null
);

CREATE TABLE "node_changes" (
  "transaction_id" integer not null,
  "owner_id" integer not null,
  "node_id" integer not null,
  "at" integer not null
);

CREATE INDEX "node_changes_by_transaction" on "node_changes" (
  "transaction_id"
);

CREATE TABLE "node_checks" (
  "node_id" integer not null references "node_live" ("node_id") on delete cascade,
  "connection" text not null,
  "at" integer not null,
  "checks" integer not null,
  "reachable" integer not null,
  "overlay" integer not null,
  "latency_sum" integer not null,
  "checked_at" integer not null,
  "is_online" integer,
  "latency_ms" integer not null,
  "handshake" text,
  "error" text,
  constraint "node_checks_key" primary key ("node_id", "connection", "at")
) without rowid;

CREATE INDEX "node_checks_by_time" on "node_checks" (
  "at"
);

CREATE TABLE "node_live" (
  "node_id" integer primary key references "nodes" ("id") on delete cascade,
  "reported_at" integer not null,
  "bandwidth" real not null,
  "connections" integer not null,
  "status" text not null,
  "used" real not null,
  "used_rest" real not null,
  "period_start" integer not null,
  "tier_bandwidth" real,
  "tier_at" integer not null,
  "interval_ms" integer not null,
  "version" text not null,
  "journal_seq" integer not null,
  "open_history" blob,
  "silent" integer not null
);

CREATE TABLE "node_publication_sets" (
  "publication_id" integer not null references "node_publications" ("id") on delete cascade,
  "account_id" integer not null references "domain_accounts" ("id"),
  "name" text not null,
  "type" text not null,
  "record_values" text not null,
  constraint "node_publication_sets_key" primary key ("publication_id", "account_id", "name", "type")
) without rowid;

CREATE TABLE "node_publications" (
  "id" integer primary key autoincrement,
  "account_id" integer not null references "domain_accounts" ("id"),
  "name" text not null,
  "type" text not null,
  "wish" text not null,
  "interval_seconds" integer not null,
  "ttl_seconds" integer not null,
  "enabled" integer not null,
  "removed" integer not null,
  "revision" integer not null,
  "nodes" text not null,
  "note" text,
  "failures" integer not null,
  "error" text,
  "due_at" integer not null,
  "attempted_at" integer,
  "succeeded_at" integer,
  "changed_at" integer,
  "lease_owner" text,
  "lease_until" integer,
  "created_at" integer not null,
  "updated_at" integer not null,
  constraint "node_publications_place" unique ("account_id", "name", "type")
);

CREATE TABLE "node_rollups" (
  "span" integer not null,
  "at" integer not null,
  "node_id" integer not null,
  "up_ms" integer not null,
  "bandwidth" real not null,
  "connections" real not null,
  "traffic" real not null,
  constraint "node_rollups_key" primary key ("span", "at", "node_id")
) without rowid;

CREATE TABLE "nodes" (
  "id" integer primary key autoincrement,
  "owner_id" integer not null references "users" ("id"),
  "node_name" text not null,
  "region_type" text not null,
  "region_detail" text not null,
  "connections" text not null,
  "tier_bandwidth" real not null,
  "tier_since" integer not null,
  "max_bandwidth" real not null,
  "max_traffic" real not null,
  "reset_cycle" integer not null,
  "max_connections" integer not null,
  "tags" text not null,
  "valid_until" text,
  "allow_relay" integer not null,
  "enabled" integer not null,
  "token_hash" text not null,
  "previous_token_hash" text,
  "previous_token_until" integer,
  "period_start" integer not null,
  "period_end" integer not null,
  "created_at" integer not null,
  constraint "nodes_name_per_owner" unique ("owner_id", "node_name")
);

CREATE TABLE "report_journal" (
  "instance" text not null,
  "seq" integer not null,
  "batch" blob not null,
  constraint "report_journal_key" primary key ("instance", "seq")
);

CREATE TABLE "report_positions" (
  "instance" text primary key,
  "folded_seq" integer not null,
  "dropped_seq" integer default 0 not null,
  "marked_seq" integer default 0 not null,
  "marked_at" integer default 0 not null
);

CREATE TABLE "report_receipts" (
  "node_id" integer not null,
  "report_id" text not null,
  "at" integer not null,
  "used_traffic" real not null,
  "max_traffic" real not null,
  "reset_at" integer not null,
  constraint "report_receipts_key" primary key ("node_id", "report_id")
) without rowid;

CREATE INDEX "report_receipts_by_time" on "report_receipts" (
  "at"
);

CREATE TABLE "settings" (
  "key" text primary key,
  "value" text not null
);

CREATE TABLE "stun_changes" (
  "id" integer primary key autoincrement,
  "change_key" text not null unique,
  "rule_id" integer not null references "stun_rules" ("id") on delete cascade,
  "public_ip" text not null,
  "public_port" integer not null,
  "previous_ip" text,
  "previous_port" integer,
  "changed" text not null,
  "confirmed_by" text not null,
  "at" integer not null
);

CREATE INDEX "stun_changes_by_rule" on "stun_changes" (
  "rule_id",
  "id"
);

CREATE TABLE "stun_mappings" (
  "rule_id" integer primary key references "stun_rules" ("id") on delete cascade,
  "public_ip" text not null,
  "public_port" integer not null,
  "at" integer not null
);

CREATE TABLE "stun_observations" (
  "rule_id" integer not null references "stun_rules" ("id") on delete cascade,
  "at" integer not null,
  "server" text not null,
  "public_ip" text,
  "public_port" integer,
  "rtt_ms" real,
  "error" text,
  constraint "stun_observations_key" primary key ("rule_id", "at", "server")
) without rowid;

CREATE TABLE "stun_rules" (
  "id" integer primary key autoincrement,
  "name" text not null unique,
  "enabled" integer not null,
  "transport" text not null,
  "local_address" text,
  "local_port" integer not null,
  "stun_servers" text not null,
  "keepalive_hosts" text not null,
  "probe_interval_seconds" integer not null,
  "settle_seconds" integer not null,
  "forward_to" text,
  "trigger_callbacks" integer not null,
  "instance" text not null,
  "revision" integer not null,
  "created_at" integer not null
);

CREATE TABLE "stun_stand_ins" (
  "rule_id" integer primary key references "stun_rules" ("id") on delete cascade,
  "instance" text not null,
  "since" integer not null
);

CREATE TABLE "stun_states" (
  "rule_id" integer primary key references "stun_rules" ("id") on delete cascade,
  "status" text not null,
  "local_address" text,
  "local_port" integer,
  "server" text,
  "last_probe_at" integer,
  "consecutive_failures" integer not null,
  "last_error" text,
  "picked_port" integer
);

CREATE TABLE "user_tokens" (
  "token_hash" text primary key,
  "user_id" integer not null references "users" ("id") on delete cascade,
  "purpose" text not null,
  "expires_at" integer not null
);

CREATE INDEX "user_tokens_by_user" on "user_tokens" (
  "user_id",
  "purpose"
);

CREATE TABLE "users" (
  "id" integer primary key autoincrement,
  "email" text not null,
  "email_key" text not null unique,
  "password_hash" text not null,
  "is_admin" integer not null,
  "verified" integer not null,
  "disabled" integer not null,
  "session_version" integer not null,
  "created_at" integer not null
);
