import type { Selectable } from "kysely";
import type { PublicationType } from "../../shared/api/publications.ts";
import type { QueryInput } from "../../shared/api/query.ts";
import type { NodePublicationTable } from "../database/schema-publications.ts";

/** What an administrator sets. */
export interface PublicationSettings {
  accountId: number;
  /** In its one spelling. */
  name: string;
  type: PublicationType;
  /** Which nodes, and at most how many. */
  wish: QueryInput;
  intervalSeconds: number;
  ttlSeconds: number;
  enabled: boolean;
}

/** A node as it is published. */
export interface Member {
  id: number;
  url: string;
  /** 1–100. */
  weight: number;
}

export interface PublicationRecord extends PublicationSettings {
  id: number;
  /** It goes as soon as its records are withdrawn. */
  removed: boolean;
  revision: number;
  /** As of the last success. */
  nodes: readonly Member[];
  note: string | null;
  failures: number;
  error: string | null;
  dueAt: number;
  attemptedAt: number | null;
  succeededAt: number | null;
  changedAt: number | null;
  leaseUntil: number | null;
  createdAt: number;
  updatedAt: number;
}

export function toPublication(row: Selectable<NodePublicationTable>): PublicationRecord {
  return {
    id: row.id,
    accountId: row.account_id,
    name: row.name,
    type: row.type,
    wish: JSON.parse(row.wish) as QueryInput,
    intervalSeconds: row.interval_seconds,
    ttlSeconds: row.ttl_seconds,
    enabled: row.enabled === 1,
    removed: row.removed === 1,
    revision: row.revision,
    nodes: JSON.parse(row.nodes) as Member[],
    note: row.note,
    failures: row.failures,
    error: row.error,
    dueAt: row.due_at,
    attemptedAt: row.attempted_at,
    succeededAt: row.succeeded_at,
    changedAt: row.changed_at,
    leaseUntil: row.lease_until,
    createdAt: row.created_at,
    updatedAt: row.updated_at,
  };
}

/** Whether nothing of it is to stand anywhere. */
export function isWithdrawn({ enabled, removed }: PublicationRecord): boolean {
  return removed || !enabled;
}
