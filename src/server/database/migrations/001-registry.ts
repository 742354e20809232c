import type { Kysely } from "kysely";
import type { ColumnTypes } from "../dialect.ts";
import type { Migration } from "./migration.ts";

export const registry: Migration = {
  name: "001-registry",
  breaking: true,
  async up(db, types) {
    await accounts(db, types);
    await nodes(db, types);
    await reports(db, types);
    await history(db, types);
    await checks(db, types);
    await audit(db, types);
  },
};

type Db = Kysely<unknown>;

async function accounts(db: Db, types: ColumnTypes): Promise<void> {
  await db.schema
    .createTable("settings")
    .addColumn("key", "text", (c) => c.primaryKey())
    .addColumn("value", "text", (c) => c.notNull())
    .execute();
  await db.schema
    .createTable("users")
    .addColumn("id", types.id, types.asId)
    .addColumn("email", "text", (c) => c.notNull())
    .addColumn("email_key", "text", (c) => c.notNull().unique())
    .addColumn("password_hash", "text", (c) => c.notNull())
    .addColumn("is_admin", types.integer, (c) => c.notNull())
    .addColumn("verified", types.integer, (c) => c.notNull())
    .addColumn("disabled", types.integer, (c) => c.notNull())
    .addColumn("session_version", types.integer, (c) => c.notNull())
    .addColumn("created_at", types.integer, (c) => c.notNull())
    .execute();
  await db.schema
    .createTable("user_tokens")
    .addColumn("token_hash", "text", (c) => c.primaryKey())
    .addColumn("user_id", types.integer, (c) =>
      c.notNull().references("users.id").onDelete("cascade"),
    )
    .addColumn("purpose", "text", (c) => c.notNull())
    .addColumn("expires_at", types.integer, (c) => c.notNull())
    .execute();
  await db.schema
    .createIndex("user_tokens_by_user")
    .on("user_tokens")
    .columns(["user_id", "purpose"])
    .execute();
}

async function nodes(db: Db, types: ColumnTypes): Promise<void> {
  await db.schema
    .createTable("nodes")
    .addColumn("id", types.id, types.asId)
    .addColumn("owner_id", types.integer, (c) => c.notNull().references("users.id"))
    .addColumn("node_name", "text", (c) => c.notNull())
    .addColumn("region_type", "text", (c) => c.notNull())
    .addColumn("region_detail", "text", (c) => c.notNull())
    .addColumn("connections", "text", (c) => c.notNull())
    .addColumn("tier_bandwidth", types.real, (c) => c.notNull())
    .addColumn("tier_since", types.integer, (c) => c.notNull())
    .addColumn("max_bandwidth", types.real, (c) => c.notNull())
    .addColumn("max_traffic", types.real, (c) => c.notNull())
    .addColumn("reset_cycle", types.integer, (c) => c.notNull())
    .addColumn("max_connections", types.integer, (c) => c.notNull())
    .addColumn("tags", "text", (c) => c.notNull())
    .addColumn("valid_until", "text")
    .addColumn("allow_relay", types.integer, (c) => c.notNull())
    .addColumn("enabled", types.integer, (c) => c.notNull())
    .addColumn("token_hash", "text", (c) => c.notNull())
    .addColumn("previous_token_hash", "text")
    .addColumn("previous_token_until", types.integer)
    .addColumn("period_start", types.integer, (c) => c.notNull())
    .addColumn("period_end", types.integer, (c) => c.notNull())
    .addColumn("created_at", types.integer, (c) => c.notNull())
    .addUniqueConstraint("nodes_name_per_owner", ["owner_id", "node_name"])
    .execute();
}

async function reports(db: Db, types: ColumnTypes): Promise<void> {
  await db.schema
    .createTable("node_live")
    .addColumn("node_id", types.integer, (c) =>
      c.primaryKey().references("nodes.id").onDelete("cascade"),
    )
    .addColumn("reported_at", types.integer, (c) => c.notNull())
    .addColumn("bandwidth", types.real, (c) => c.notNull())
    .addColumn("connections", types.integer, (c) => c.notNull())
    .addColumn("status", "text", (c) => c.notNull())
    .addColumn("used", types.real, (c) => c.notNull())
    .addColumn("used_rest", types.real, (c) => c.notNull())
    .addColumn("period_start", types.integer, (c) => c.notNull())
    .addColumn("tier_bandwidth", types.real)
    .addColumn("tier_at", types.integer, (c) => c.notNull())
    .addColumn("interval_ms", types.integer, (c) => c.notNull())
    .addColumn("version", "text", (c) => c.notNull())
    .addColumn("journal_seq", types.integer, (c) => c.notNull())
    .addColumn("open_history", types.bytes)
    .addColumn("silent", types.integer, (c) => c.notNull())
    .$call(types.hotRows)
    .execute();
  await db.schema
    .createTable("report_journal")
    .addColumn("instance", "text", (c) => c.notNull())
    .addColumn("seq", types.integer, (c) => c.notNull())
    .addColumn("batch", types.bytes, (c) => c.notNull())
    .addPrimaryKeyConstraint("report_journal_key", ["instance", "seq"])
    .execute();
  await db.schema
    .createTable("report_positions")
    .addColumn("instance", "text", (c) => c.primaryKey())
    .addColumn("folded_seq", types.integer, (c) => c.notNull())
    .execute();
  await db.schema
    .createTable("report_receipts")
    .addColumn("node_id", types.integer, (c) => c.notNull())
    .addColumn("report_id", "text", (c) => c.notNull())
    .addColumn("at", types.integer, (c) => c.notNull())
    .addColumn("used_traffic", types.real, (c) => c.notNull())
    .addColumn("max_traffic", types.real, (c) => c.notNull())
    .addColumn("reset_at", types.integer, (c) => c.notNull())
    .addPrimaryKeyConstraint("report_receipts_key", ["node_id", "report_id"])
    .$call(types.clustered)
    .execute();
  await db.schema
    .createIndex("report_receipts_by_time")
    .on("report_receipts")
    .column("at")
    .execute();
}

/** Keyed by time first: rows are appended and expire in key order. */
async function history(db: Db, types: ColumnTypes): Promise<void> {
  await db.schema
    .createTable("node_rollups")
    .addColumn("span", types.integer, (c) => c.notNull())
    .addColumn("at", types.integer, (c) => c.notNull())
    .addColumn("node_id", types.integer, (c) => c.notNull())
    .addColumn("up_ms", types.integer, (c) => c.notNull())
    .addColumn("bandwidth", types.real, (c) => c.notNull())
    .addColumn("connections", types.real, (c) => c.notNull())
    .addColumn("traffic", types.real, (c) => c.notNull())
    .addPrimaryKeyConstraint("node_rollups_key", ["span", "at", "node_id"])
    .$call(types.clustered)
    .execute();
  await db.schema
    .createTable("fleet_rollups")
    .addColumn("span", types.integer, (c) => c.notNull())
    .addColumn("at", types.integer, (c) => c.notNull())
    .addColumn("total_nodes", types.real, (c) => c.notNull())
    .addColumn("online_nodes", types.real, (c) => c.notNull())
    .addColumn("bandwidth", types.real, (c) => c.notNull())
    .addColumn("connections", types.real, (c) => c.notNull())
    .addColumn("traffic", types.real, (c) => c.notNull())
    .addPrimaryKeyConstraint("fleet_rollups_key", ["span", "at"])
    .execute();
}

/** They go with the live state and so with the node, in the order in which that is locked. */
async function checks(db: Db, types: ColumnTypes): Promise<void> {
  await db.schema
    .createTable("node_checks")
    .addColumn("node_id", types.integer, (c) =>
      c.notNull().references("node_live.node_id").onDelete("cascade"),
    )
    .addColumn("connection", "text", (c) => c.notNull())
    .addColumn("at", types.integer, (c) => c.notNull())
    .addColumn("checks", types.integer, (c) => c.notNull())
    .addColumn("reachable", types.integer, (c) => c.notNull())
    .addColumn("overlay", types.integer, (c) => c.notNull())
    .addColumn("latency_sum", types.integer, (c) => c.notNull())
    .addColumn("checked_at", types.integer, (c) => c.notNull())
    .addColumn("is_online", types.integer)
    .addColumn("latency_ms", types.integer, (c) => c.notNull())
    .addColumn("handshake", "text")
    .addColumn("error", "text")
    .addPrimaryKeyConstraint("node_checks_key", ["node_id", "connection", "at"])
    .$call(types.clustered)
    .execute();
  await db.schema.createIndex("node_checks_by_time").on("node_checks").column("at").execute();
}

async function audit(db: Db, types: ColumnTypes): Promise<void> {
  await db.schema
    .createTable("audit")
    .addColumn("id", types.id, types.asId)
    .addColumn("at", types.integer, (c) => c.notNull())
    .addColumn("actor_id", types.integer)
    .addColumn("actor", "text", (c) => c.notNull())
    .addColumn("action", "text", (c) => c.notNull())
    .addColumn("subject", "text", (c) => c.notNull())
    .addColumn("details", "text", (c) => c.notNull())
    .execute();
}
