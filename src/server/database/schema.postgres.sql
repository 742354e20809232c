-- What all migrations together make. Written by `npm run generate`.

create table audit (
  id bigint not null generated always as identity,
  at bigint not null,
  actor_id bigint,
  actor text not null,
  action text not null,
  subject text not null,
  details text not null,
  constraint audit_pkey PRIMARY KEY (id)
);

create table callback_accounts (
  id bigint not null generated always as identity,
  name text not null,
  type text not null,
  config text not null,
  created_at bigint not null,
  updated_at bigint not null,
  constraint callback_accounts_pkey PRIMARY KEY (id),
  constraint callback_accounts_name_key UNIQUE (name)
);

create table callback_alerts (
  task_id bigint not null,
  state text not null,
  told bigint not null,
  run_id bigint not null,
  error text,
  at bigint not null,
  due_at bigint,
  constraint callback_alerts_pkey PRIMARY KEY (task_id)
);

create table callback_attempts (
  run_id bigint not null,
  number bigint not null,
  stages text not null,
  error_class text,
  error text,
  started_at bigint not null,
  duration_ms bigint not null,
  constraint callback_attempts_key PRIMARY KEY (run_id, number),
  constraint callback_attempts_run_id_fkey FOREIGN KEY (run_id) REFERENCES callback_runs(id) ON DELETE CASCADE
);

create table callback_runs (
  id bigint not null generated always as identity,
  task_id bigint not null,
  task_name text not null,
  account_id bigint not null,
  account_name text not null,
  account_type text not null,
  rule_id bigint not null,
  rule_name text not null,
  transport text not null,
  trigger text not null,
  event text not null,
  public_ip text not null,
  public_port bigint not null,
  previous_ip text,
  previous_port bigint,
  status text not null,
  attempt_count bigint not null,
  http_status bigint,
  response_body text,
  error text,
  created_at bigint not null,
  started_at bigint,
  finished_at bigint,
  due_at bigint,
  lease_owner text,
  cancel_requested bigint not null,
  constraint callback_runs_pkey PRIMARY KEY (id)
);

CREATE INDEX callback_runs_by_rule_id ON public.callback_runs USING btree (rule_id, id);

CREATE INDEX callback_runs_by_task_id ON public.callback_runs USING btree (task_id, id);

CREATE INDEX callback_runs_due ON public.callback_runs USING btree (due_at, id) WHERE (due_at IS NOT NULL);

CREATE INDEX callback_runs_finished_by_rule_id_and_status ON public.callback_runs USING btree (rule_id, status, id) WHERE (due_at IS NULL);

CREATE INDEX callback_runs_finished_by_status ON public.callback_runs USING btree (status, id) WHERE (due_at IS NULL);

CREATE INDEX callback_runs_finished_by_task_id_and_status ON public.callback_runs USING btree (task_id, status, id) WHERE (due_at IS NULL);

CREATE INDEX callback_runs_open ON public.callback_runs USING btree (task_id) WHERE (due_at IS NOT NULL);

CREATE UNIQUE INDEX callback_runs_serial ON public.callback_runs USING btree (task_id) WHERE (status = 'running'::text);

create table callback_tasks (
  id bigint not null generated always as identity,
  name text not null,
  enabled bigint not null,
  trigger text not null,
  stun_rule_id bigint not null,
  account_id bigint not null,
  created_at bigint not null,
  updated_at bigint not null,
  constraint callback_tasks_pkey PRIMARY KEY (id),
  constraint callback_tasks_account_id_fkey FOREIGN KEY (account_id) REFERENCES callback_accounts(id),
  constraint callback_tasks_name_key UNIQUE (name),
  constraint callback_tasks_stun_rule_id_fkey FOREIGN KEY (stun_rule_id) REFERENCES stun_rules(id)
);

CREATE INDEX callback_tasks_by_account_id ON public.callback_tasks USING btree (account_id);

CREATE INDEX callback_tasks_by_stun_rule_id ON public.callback_tasks USING btree (stun_rule_id);

create table domain_accounts (
  id bigint not null generated always as identity,
  name text not null,
  provider text not null,
  config text not null,
  created_at bigint not null,
  updated_at bigint not null,
  constraint domain_accounts_pkey PRIMARY KEY (id),
  constraint domain_accounts_name_key UNIQUE (name)
);

create table domain_published (
  account_id bigint not null,
  publisher text not null,
  name text not null,
  type text not null,
  value text not null,
  at bigint not null,
  constraint domain_published_key PRIMARY KEY (account_id, publisher, name, type),
  constraint domain_published_account_id_fkey FOREIGN KEY (account_id) REFERENCES domain_accounts(id) ON DELETE CASCADE
);

create table fleet_rollups (
  span bigint not null,
  at bigint not null,
  total_nodes double precision not null,
  online_nodes double precision not null,
  bandwidth double precision not null,
  connections double precision not null,
  traffic double precision not null,
  constraint fleet_rollups_key PRIMARY KEY (span, at)
);

create table instances (
  name text not null,
  process text not null,
  beat_at bigint not null,
  ended bigint not null,
  constraint instances_pkey PRIMARY KEY (name)
);

create table migrations (
  name text not null,
  breaking bigint not null,
  applied_at bigint not null,
  constraint migrations_pkey PRIMARY KEY (name)
);

create table node_changes (
  transaction_id bigint not null,
  owner_id bigint not null,
  node_id bigint not null,
  at bigint not null
);

CREATE INDEX node_changes_by_transaction ON public.node_changes USING btree (transaction_id);

create table node_checks (
  node_id bigint not null,
  connection text not null,
  at bigint not null,
  checks bigint not null,
  reachable bigint not null,
  "overlay" bigint not null,
  latency_sum bigint not null,
  checked_at bigint not null,
  is_online bigint,
  latency_ms bigint not null,
  handshake text,
  error text,
  constraint node_checks_key PRIMARY KEY (node_id, connection, at),
  constraint node_checks_node_id_fkey FOREIGN KEY (node_id) REFERENCES node_live(node_id) ON DELETE CASCADE
);

CREATE INDEX node_checks_by_time ON public.node_checks USING btree (at);

create table node_live (
  node_id bigint not null,
  reported_at bigint not null,
  bandwidth double precision not null,
  connections bigint not null,
  status text not null,
  used double precision not null,
  used_rest double precision not null,
  period_start bigint not null,
  tier_bandwidth double precision,
  tier_at bigint not null,
  interval_ms bigint not null,
  version text not null,
  journal_seq bigint not null,
  open_history bytea,
  silent bigint not null,
  constraint node_live_pkey PRIMARY KEY (node_id),
  constraint node_live_node_id_fkey FOREIGN KEY (node_id) REFERENCES nodes(id) ON DELETE CASCADE
) with (fillfactor=50);

create table node_publication_sets (
  publication_id bigint not null,
  account_id bigint not null,
  name text not null,
  type text not null,
  record_values text not null,
  constraint node_publication_sets_key PRIMARY KEY (publication_id, account_id, name, type),
  constraint node_publication_sets_account_id_fkey FOREIGN KEY (account_id) REFERENCES domain_accounts(id),
  constraint node_publication_sets_publication_id_fkey FOREIGN KEY (publication_id) REFERENCES node_publications(id) ON DELETE CASCADE
);

create table node_publications (
  id bigint not null generated always as identity,
  account_id bigint not null,
  name text not null,
  type text not null,
  wish text not null,
  interval_seconds bigint not null,
  ttl_seconds bigint not null,
  enabled bigint not null,
  removed bigint not null,
  revision bigint not null,
  nodes text not null,
  note text,
  failures bigint not null,
  error text,
  due_at bigint not null,
  attempted_at bigint,
  succeeded_at bigint,
  changed_at bigint,
  lease_owner text,
  lease_until bigint,
  created_at bigint not null,
  updated_at bigint not null,
  constraint node_publications_pkey PRIMARY KEY (id),
  constraint node_publications_account_id_fkey FOREIGN KEY (account_id) REFERENCES domain_accounts(id),
  constraint node_publications_place UNIQUE (account_id, name, type)
);

create table node_rollups (
  span bigint not null,
  at bigint not null,
  node_id bigint not null,
  up_ms bigint not null,
  bandwidth double precision not null,
  connections double precision not null,
  traffic double precision not null,
  constraint node_rollups_key PRIMARY KEY (span, at, node_id)
);

create table nodes (
  id bigint not null generated always as identity,
  owner_id bigint not null,
  node_name text not null,
  region_type text not null,
  region_detail text not null,
  connections text not null,
  tier_bandwidth double precision not null,
  tier_since bigint not null,
  max_bandwidth double precision not null,
  max_traffic double precision not null,
  reset_cycle bigint not null,
  max_connections bigint not null,
  tags text not null,
  valid_until text,
  allow_relay bigint not null,
  enabled bigint not null,
  token_hash text not null,
  previous_token_hash text,
  previous_token_until bigint,
  period_start bigint not null,
  period_end bigint not null,
  created_at bigint not null,
  constraint nodes_pkey PRIMARY KEY (id),
  constraint nodes_name_per_owner UNIQUE (owner_id, node_name),
  constraint nodes_owner_id_fkey FOREIGN KEY (owner_id) REFERENCES users(id)
);

create table report_journal (
  instance text not null,
  seq bigint not null,
  batch bytea not null,
  constraint report_journal_key PRIMARY KEY (instance, seq)
);

create table report_positions (
  instance text not null,
  folded_seq bigint not null,
  dropped_seq bigint not null default 0,
  marked_seq bigint not null default 0,
  marked_at bigint not null default 0,
  constraint report_positions_pkey PRIMARY KEY (instance)
);

create table report_receipts (
  node_id bigint not null,
  report_id text not null,
  at bigint not null,
  used_traffic double precision not null,
  max_traffic double precision not null,
  reset_at bigint not null,
  constraint report_receipts_key PRIMARY KEY (node_id, report_id)
);

CREATE INDEX report_receipts_by_time ON public.report_receipts USING btree (at);

create table settings (
  key text not null,
  value text not null,
  constraint settings_pkey PRIMARY KEY (key)
);

create table stun_changes (
  id bigint not null generated always as identity,
  change_key text not null,
  rule_id bigint not null,
  public_ip text not null,
  public_port bigint not null,
  previous_ip text,
  previous_port bigint,
  changed text not null,
  confirmed_by text not null,
  at bigint not null,
  constraint stun_changes_pkey PRIMARY KEY (id),
  constraint stun_changes_change_key_key UNIQUE (change_key),
  constraint stun_changes_rule_id_fkey FOREIGN KEY (rule_id) REFERENCES stun_rules(id) ON DELETE CASCADE
);

CREATE INDEX stun_changes_by_rule ON public.stun_changes USING btree (rule_id, id);

create table stun_mappings (
  rule_id bigint not null,
  public_ip text not null,
  public_port bigint not null,
  at bigint not null,
  constraint stun_mappings_pkey PRIMARY KEY (rule_id),
  constraint stun_mappings_rule_id_fkey FOREIGN KEY (rule_id) REFERENCES stun_rules(id) ON DELETE CASCADE
);

create table stun_observations (
  rule_id bigint not null,
  at bigint not null,
  server text not null,
  public_ip text,
  public_port bigint,
  rtt_ms double precision,
  error text,
  constraint stun_observations_key PRIMARY KEY (rule_id, at, server),
  constraint stun_observations_rule_id_fkey FOREIGN KEY (rule_id) REFERENCES stun_rules(id) ON DELETE CASCADE
);

create table stun_rules (
  id bigint not null generated always as identity,
  name text not null,
  enabled bigint not null,
  transport text not null,
  local_address text,
  local_port bigint not null,
  stun_servers text not null,
  keepalive_hosts text not null,
  probe_interval_seconds bigint not null,
  settle_seconds bigint not null,
  forward_to text,
  trigger_callbacks bigint not null,
  instance text not null,
  revision bigint not null,
  created_at bigint not null,
  constraint stun_rules_pkey PRIMARY KEY (id),
  constraint stun_rules_name_key UNIQUE (name)
);

create table stun_stand_ins (
  rule_id bigint not null,
  instance text not null,
  since bigint not null,
  constraint stun_stand_ins_pkey PRIMARY KEY (rule_id),
  constraint stun_stand_ins_rule_id_fkey FOREIGN KEY (rule_id) REFERENCES stun_rules(id) ON DELETE CASCADE
);

create table stun_states (
  rule_id bigint not null,
  status text not null,
  local_address text,
  local_port bigint,
  server text,
  last_probe_at bigint,
  consecutive_failures bigint not null,
  last_error text,
  picked_port bigint,
  constraint stun_states_pkey PRIMARY KEY (rule_id),
  constraint stun_states_rule_id_fkey FOREIGN KEY (rule_id) REFERENCES stun_rules(id) ON DELETE CASCADE
);

create table user_tokens (
  token_hash text not null,
  user_id bigint not null,
  purpose text not null,
  expires_at bigint not null,
  constraint user_tokens_pkey PRIMARY KEY (token_hash),
  constraint user_tokens_user_id_fkey FOREIGN KEY (user_id) REFERENCES users(id) ON DELETE CASCADE
);

CREATE INDEX user_tokens_by_user ON public.user_tokens USING btree (user_id, purpose);

create table users (
  id bigint not null generated always as identity,
  email text not null,
  email_key text not null,
  password_hash text not null,
  is_admin bigint not null,
  verified bigint not null,
  disabled bigint not null,
  session_version bigint not null,
  created_at bigint not null,
  constraint users_pkey PRIMARY KEY (id),
  constraint users_email_key_key UNIQUE (email_key)
);
