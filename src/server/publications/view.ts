import {
  publicationLimits,
  type NewPublication,
  type Publication,
  type PublicationChange,
  type PublicationStatus,
  type PublishedNode,
} from "../../shared/api/publications.ts";
import { queryPriorities, queryRegions, type QueryInput } from "../../shared/api/query.ts";
import { transports } from "../../shared/api/nodes.ts";
import { toIso } from "../lib/clock.ts";
import { isWithdrawn, type PublicationRecord, type PublicationSettings } from "./publication.ts";
import type { HeldSet } from "./set-store.ts";
import type { ShownPublication } from "./store.ts";

interface Surroundings {
  nodes: PublishedNode[];
  /** Of this publication. */
  sets: readonly HeldSet[];
  /** Whether one of its nodes can be used now. */
  isUsable: boolean;
}

/** A publication as administrators see it. */
export function toView(
  publication: ShownPublication,
  { nodes, sets, isUsable }: Surroundings,
): Publication {
  const { id, accountId, accountName, name, type, wish } = publication;
  return {
    id,
    domain_account_id: accountId,
    domain_account_name: accountName,
    name,
    type,
    node_count: wish.limit ?? publicationLimits.nodesUnasked,
    region: wish.region ?? "all",
    priority: wish.priority ?? null,
    relay_only: wish.relay_only ?? false,
    tag: wish.tag ?? null,
    transport: transports.find((each) => each === wish.transport) ?? null,
    interval_seconds: publication.intervalSeconds,
    ttl_seconds: publication.ttlSeconds,
    enabled: publication.enabled,
    peer_url: `${type.toLowerCase()}://${name}`,
    created_at: toIso(publication.createdAt),
    updated_at: toIso(publication.updatedAt),
    state: {
      status: statusOf(publication, sets.length > 0, isUsable),
      nodes,
      records: sets.map(({ name: at, type: kind, values }) => ({ name: at, type: kind, values })),
      note: publication.note,
      error: publication.error,
      failures: publication.failures,
      last_attempt_at: toTime(publication.attemptedAt),
      last_success_at: toTime(publication.succeededAt),
      last_change_at: toTime(publication.changedAt),
      next_attempt_at: isAtRest(publication, sets) ? null : toIso(publication.dueAt),
    },
  };
}

function toTime(at: number | null): string | null {
  return at === null ? null : toIso(at);
}

/** Switched off, and nothing left to withdraw. */
function isAtRest(publication: PublicationRecord, sets: readonly HeldSet[]): boolean {
  return !publication.enabled && !publication.removed && sets.length === 0;
}

function statusOf(
  publication: PublicationRecord,
  stands: boolean,
  isUsable: boolean,
): PublicationStatus {
  const { removed, failures, succeededAt, nodes } = publication;
  if (removed) return "deleting";
  if (isWithdrawn(publication)) return stands ? "withdrawing" : "disabled";
  if (failures > 0) return "failing";
  if (succeededAt === null) return "pending";
  if (nodes.length === 0) return "empty";
  return isUsable ? "published" : "stale";
}

/** What is given, over what is stored, or else over what is usual. */
export function toSettings(given: NewPublication, stored: undefined): PublicationSettings;
export function toSettings(
  given: PublicationChange,
  stored: PublicationSettings,
): PublicationSettings;
export function toSettings(
  given: PublicationChange,
  stored: PublicationSettings | undefined,
): PublicationSettings {
  const limits = publicationLimits;
  return {
    accountId: given.domain_account_id ?? stored?.accountId ?? 0,
    name: given.name ?? stored?.name ?? "",
    type: given.type ?? stored?.type ?? "TXT",
    wish: toWish(given, stored?.wish ?? {}),
    intervalSeconds: given.interval_seconds ?? stored?.intervalSeconds ?? limits.intervalSeconds,
    ttlSeconds: given.ttl_seconds ?? stored?.ttlSeconds ?? limits.ttlSeconds,
    enabled: given.enabled ?? stored?.enabled ?? true,
  };
}

function toWish(given: PublicationChange, stored: QueryInput): QueryInput {
  const priority = given.priority === undefined ? stored.priority : given.priority;
  const tag = (given.tag === undefined ? stored.tag : given.tag)?.trim();
  const transport = given.transport === undefined ? stored.transport : given.transport;
  return {
    limit: given.node_count ?? stored.limit ?? publicationLimits.nodesUnasked,
    region: queryRegions.find((each) => each === (given.region ?? stored.region)) ?? "all",
    relay_only: given.relay_only ?? stored.relay_only ?? false,
    ...(priority && { priority: queryPriorities.find((each) => each === priority) ?? priority }),
    ...(tag && { tag }),
    ...(transport && { transport }),
  };
}
