import type { Generated } from "kysely";

/** The credentials of a target, and how it is spoken to. */
export interface CallbackAccountTable {
  id: Generated<number>;
  name: string;
  type: string;
  /** JSON object; what is secret in it is sealed. */
  config: string;
  created_at: number;
  updated_at: number;
}

/** Which changes of which rule go to which account. */
export interface CallbackTaskTable {
  id: Generated<number>;
  name: string;
  enabled: number;
  trigger: string;
  stun_rule_id: number;
  account_id: number;
  created_at: number;
  updated_at: number;
}

/** One delivery of a mapping to a target, with all its tries. */
export interface CallbackRunTable {
  id: Generated<number>;
  task_id: number;
  task_name: string;
  account_id: number;
  account_name: string;
  account_type: string;
  rule_id: number;
  rule_name: string;
  transport: "udp" | "tcp";
  /** What started it: a trigger of tasks, or `manual`. */
  trigger: string;
  /** What the target is told that happened. */
  event: string;
  public_ip: string;
  public_port: number;
  previous_ip: string | null;
  previous_port: number | null;
  status: string;
  /** Tries that were begun. */
  attempt_count: number;
  http_status: number | null;
  response_body: string | null;
  error: string | null;
  created_at: number;
  started_at: number | null;
  finished_at: number | null;
  /** When it may be taken up: by anybody, or once the lease of a running one has ended. Null when finished. */
  due_at: number | null;
  /** `<instance>:<process>` of a running one. */
  lease_owner: string | null;
  /** 1 when a running one is to end. */
  cancel_requested: number;
}

export interface CallbackAttemptTable {
  run_id: number;
  /** From 1. */
  number: number;
  /** JSON array of requests and answers without secrets. */
  stages: string;
  error_class: string | null;
  error: string | null;
  started_at: number;
  duration_ms: number;
}

/** A task whose last run failed, or that people still believe to be failing. */
export interface CallbackAlertTable {
  task_id: number;
  state: "failing" | "recovered";
  /** 1 when a notice of this state has been sent, 2 while it is being sent. */
  told: number;
  run_id: number;
  error: string | null;
  at: number;
  /** When the notice is due; null when there is none to send. */
  due_at: number | null;
}

/** An account at a provider of DNS records. */
export interface DomainAccountTable {
  id: Generated<number>;
  name: string;
  provider: string;
  /** JSON object, its secrets sealed. */
  config: string;
  created_at: number;
  updated_at: number;
}

/** The value that a record was last given. */
export interface DomainPublishedTable {
  account_id: number;
  /** Who gave it: `rule:<id>`; empty where what it holds cannot be read, and so is everybody's. */
  publisher: string;
  name: string;
  type: string;
  /** As a zone file has it. */
  value: string;
  at: number;
}
