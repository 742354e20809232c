import type { Kysely } from "kysely";
import type { ColumnTypes } from "../dialect.ts";
import type { Migration } from "./migration.ts";

export const stun: Migration = {
  name: "002-stun",
  breaking: false,
  async up(db, types) {
    await rules(db, types);
    await mappings(db, types);
    await observations(db, types);
  },
};

type Db = Kysely<unknown>;

async function rules(db: Db, types: ColumnTypes): Promise<void> {
  await db.schema
    .createTable("stun_rules")
    .addColumn("id", types.id, types.asId)
    .addColumn("name", "text", (c) => c.notNull().unique())
    .addColumn("enabled", types.integer, (c) => c.notNull())
    .addColumn("transport", "text", (c) => c.notNull())
    .addColumn("local_address", "text")
    .addColumn("local_port", types.integer, (c) => c.notNull())
    .addColumn("stun_servers", "text", (c) => c.notNull())
    .addColumn("keepalive_hosts", "text", (c) => c.notNull())
    .addColumn("probe_interval_seconds", types.integer, (c) => c.notNull())
    .addColumn("settle_seconds", types.integer, (c) => c.notNull())
    .addColumn("forward_to", "text")
    .addColumn("trigger_callbacks", types.integer, (c) => c.notNull())
    .addColumn("instance", "text", (c) => c.notNull())
    .addColumn("revision", types.integer, (c) => c.notNull())
    .addColumn("created_at", types.integer, (c) => c.notNull())
    .execute();
  await db.schema
    .createTable("stun_states")
    .addColumn("rule_id", types.integer, (c) =>
      c.primaryKey().references("stun_rules.id").onDelete("cascade"),
    )
    .addColumn("status", "text", (c) => c.notNull())
    .addColumn("local_address", "text")
    .addColumn("local_port", types.integer)
    .addColumn("server", "text")
    .addColumn("last_probe_at", types.integer)
    .addColumn("consecutive_failures", types.integer, (c) => c.notNull())
    .addColumn("last_error", "text")
    .addColumn("picked_port", types.integer)
    .execute();
}

async function mappings(db: Db, types: ColumnTypes): Promise<void> {
  await db.schema
    .createTable("stun_mappings")
    .addColumn("rule_id", types.integer, (c) =>
      c.primaryKey().references("stun_rules.id").onDelete("cascade"),
    )
    .addColumn("public_ip", "text", (c) => c.notNull())
    .addColumn("public_port", types.integer, (c) => c.notNull())
    .addColumn("at", types.integer, (c) => c.notNull())
    .execute();
  await db.schema
    .createTable("stun_changes")
    .addColumn("id", types.id, types.asId)
    .addColumn("change_key", "text", (c) => c.notNull().unique())
    .addColumn("rule_id", types.integer, (c) =>
      c.notNull().references("stun_rules.id").onDelete("cascade"),
    )
    .addColumn("public_ip", "text", (c) => c.notNull())
    .addColumn("public_port", types.integer, (c) => c.notNull())
    .addColumn("previous_ip", "text")
    .addColumn("previous_port", types.integer)
    .addColumn("changed", "text", (c) => c.notNull())
    .addColumn("confirmed_by", "text", (c) => c.notNull())
    .addColumn("at", types.integer, (c) => c.notNull())
    .execute();
  await db.schema
    .createIndex("stun_changes_by_rule")
    .on("stun_changes")
    .columns(["rule_id", "id"])
    .execute();
}

/** Keyed by rule and time: a rule's are read and dropped in the order of the key. */
async function observations(db: Db, types: ColumnTypes): Promise<void> {
  await db.schema
    .createTable("stun_observations")
    .addColumn("rule_id", types.integer, (c) =>
      c.notNull().references("stun_rules.id").onDelete("cascade"),
    )
    .addColumn("at", types.integer, (c) => c.notNull())
    .addColumn("server", "text", (c) => c.notNull())
    .addColumn("public_ip", "text")
    .addColumn("public_port", types.integer)
    .addColumn("rtt_ms", types.real)
    .addColumn("error", "text")
    .addPrimaryKeyConstraint("stun_observations_key", ["rule_id", "at", "server"])
    .$call(types.clustered)
    .execute();
}
