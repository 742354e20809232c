import type { Updateable } from "kysely";
import type { Db } from "../database/database.ts";
import type { Dialect } from "../database/dialect.ts";
import type { NodeTable } from "../database/schema.ts";
import type { NodeRecord } from "./node.ts";
import { toRecord } from "./rows.ts";
import { wireNames, type NodeSettings } from "./settings.ts";

const IDS_AT_ONCE = 500;

/** A node that is not stored yet. */
export type UnstoredNode = Omit<NodeRecord, "id" | "ownerEmailKey" | "previousToken">;

/**
 * The owner's lower-case address; undefined when there is no such account. The account stays until
 * the transaction ends.
 */
export async function lockOwner(
  transaction: Db,
  dialect: Dialect,
  ownerId: number,
): Promise<string | undefined> {
  const query = transaction.selectFrom("users").select("email_key").where("id", "=", ownerId);
  return (await dialect.lockRows(query).executeTakeFirst())?.email_key;
}

/** Stores the node and its empty live state. @returns the id */
export async function insertNode(db: Db, node: UnstoredNode): Promise<number> {
  const { id } = await db
    .insertInto("nodes")
    .values({
      owner_id: node.ownerId,
      node_name: node.name,
      region_type: node.regionType,
      region_detail: node.regionDetail,
      connections: JSON.stringify(node.connections),
      tier_bandwidth: node.tierBandwidth,
      tier_since: node.tierSince,
      max_bandwidth: node.maxBandwidth,
      max_traffic: node.maxTraffic,
      reset_cycle: node.resetCycleDays,
      max_connections: node.maxConnections,
      tags: node.tags,
      valid_until: node.validUntil,
      allow_relay: node.allowRelay ? 1 : 0,
      enabled: node.enabled ? 1 : 0,
      token_hash: node.tokenHash.toString("hex"),
      previous_token_hash: null,
      previous_token_until: null,
      period_start: node.period.start,
      period_end: node.period.end,
      created_at: node.createdAt,
    })
    .returning("id")
    .executeTakeFirstOrThrow();
  await insertLive(db, id, node.period.start);
  return id;
}

async function insertLive(db: Db, nodeId: number, periodStart: number): Promise<void> {
  await db
    .insertInto("node_live")
    .values({
      node_id: nodeId,
      reported_at: 0,
      bandwidth: 0,
      connections: 0,
      status: "offline",
      used: 0,
      used_rest: 0,
      period_start: periodStart,
      tier_bandwidth: null,
      tier_at: 0,
      interval_ms: 0,
      version: "",
      journal_seq: 0,
      open_history: null,
      silent: 0,
    })
    .execute();
}

/** Reads a node and keeps others from changing it until the transaction ends. */
export async function lockNode(
  transaction: Db,
  dialect: Dialect,
  id: number,
): Promise<NodeRecord | undefined> {
  const query = transaction.selectFrom("nodes").selectAll().where("id", "=", id);
  const row = await dialect.lockRows(query).executeTakeFirst();
  if (!row) return undefined;
  const { email_key } = await transaction
    .selectFrom("users")
    .select("email_key")
    .where("id", "=", row.owner_id)
    .executeTakeFirstOrThrow();
  return toRecord({ ...row, email_key });
}

/** Every node of an owner, as stored now. */
export async function readNodesOf(db: Db, ownerId: number): Promise<NodeRecord[]> {
  const rows = await nodesWithOwners(db).where("nodes.owner_id", "=", ownerId).execute();
  return rows.map(toRecord);
}

/** Those of the nodes that there are. */
export async function readNodes(db: Db, ids: readonly number[]): Promise<NodeRecord[]> {
  const nodes: NodeRecord[] = [];
  for (let at = 0; at < ids.length; at += IDS_AT_ONCE) {
    const some = ids.slice(at, at + IDS_AT_ONCE);
    nodes.push(
      ...(await nodesWithOwners(db).where("nodes.id", "in", some).execute()).map(toRecord),
    );
  }
  return nodes;
}

function nodesWithOwners(db: Db) {
  return db
    .selectFrom("nodes")
    .innerJoin("users", "users.id", "nodes.owner_id")
    .selectAll("nodes")
    .select("users.email_key");
}

/** What of a stored node can change. */
export type NodeUpdate = Partial<
  NodeSettings &
    Pick<NodeRecord, "tierSince" | "enabled" | "period" | "tokenHash" | "previousToken">
>;

export async function updateNode(db: Db, id: number, update: NodeUpdate): Promise<void> {
  await db.updateTable("nodes").set(toColumns(update)).where("id", "=", id).execute();
}

function toColumns(update: NodeUpdate): Updateable<NodeTable> {
  const { tierSince, enabled, period, tokenHash, previousToken, ...settings } = update;
  return {
    ...toSettingColumns(settings),
    ...(tierSince === undefined ? {} : { tier_since: tierSince }),
    ...(enabled === undefined ? {} : { enabled: enabled ? 1 : 0 }),
    ...(period ? { period_start: period.start, period_end: period.end } : {}),
    ...(tokenHash ? { token_hash: tokenHash.toString("hex") } : {}),
    ...(previousToken
      ? {
          previous_token_hash: previousToken.hash.toString("hex"),
          previous_token_until: previousToken.until,
        }
      : {}),
  };
}

function toSettingColumns(settings: Partial<NodeSettings>): Updateable<NodeTable> {
  const { connections, allowRelay, ...plain } = settings;
  const columns = Object.entries(plain).map(([key, value]) => [
    wireNames[key as keyof typeof plain],
    value,
  ]);
  return {
    ...(Object.fromEntries(columns) as Updateable<NodeTable>),
    ...(connections ? { connections: JSON.stringify(connections) } : {}),
    ...(allowRelay === undefined ? {} : { allow_relay: allowRelay ? 1 : 0 }),
  };
}

export async function deleteNode(db: Db, id: number): Promise<void> {
  await db.deleteFrom("nodes").where("id", "=", id).execute();
}

/** @returns the ids of the nodes that are gone */
export async function deleteNodesOf(
  transaction: Db,
  dialect: Dialect,
  ownerId: number,
): Promise<number[]> {
  // In the order in which reports are folded, so that neither waits for the other for ever.
  const live = transaction
    .selectFrom("node_live")
    .select("node_id")
    .where("node_id", "in", (e) =>
      e.selectFrom("nodes").select("id").where("owner_id", "=", ownerId),
    )
    .orderBy("node_id");
  await dialect.lockRows(live).execute();
  const rows = await transaction
    .deleteFrom("nodes")
    .where("owner_id", "=", ownerId)
    .returning("id")
    .execute();
  return rows.map((row) => row.id);
}

export async function findOwner(db: Db, nodeId: number): Promise<number | undefined> {
  const query = db.selectFrom("nodes").select("owner_id").where("id", "=", nodeId);
  return (await query.executeTakeFirst())?.owner_id;
}

/** The addresses of accounts as they were registered. */
export async function readAddresses(db: Db, ids: readonly number[]): Promise<Map<number, string>> {
  if (ids.length === 0) return new Map();
  const rows = await db
    .selectFrom("users")
    .select(["id", "email"])
    .where("id", "in", ids)
    .execute();
  return new Map(rows.map((row) => [row.id, row.email]));
}
