import type { Migration } from "./migration.ts";

export const instances: Migration = {
  name: "005-instances",
  // Who does not know what stays in the journal after a fold would fold it again.
  breaking: true,
  async up(db, types) {
    await db.schema
      .createTable("instances")
      .addColumn("name", "text", (c) => c.primaryKey())
      .addColumn("process", "text", (c) => c.notNull())
      .addColumn("beat_at", types.integer, (c) => c.notNull())
      .addColumn("ended", types.integer, (c) => c.notNull())
      .execute();
    for (const column of ["dropped_seq", "marked_seq", "marked_at"]) {
      await db.schema
        .alterTable("report_positions")
        .addColumn(column, types.integer, (c) => c.notNull().defaultTo(0))
        .execute();
    }
    await db.schema
      .createTable("node_changes")
      .addColumn("transaction_id", types.integer, (c) => c.notNull())
      .addColumn("owner_id", types.integer, (c) => c.notNull())
      .addColumn("node_id", types.integer, (c) => c.notNull())
      .addColumn("at", types.integer, (c) => c.notNull())
      .execute();
    await db.schema
      .createIndex("node_changes_by_transaction")
      .on("node_changes")
      .column("transaction_id")
      .execute();
    await db.schema
      .createTable("stun_stand_ins")
      .addColumn("rule_id", types.integer, (c) =>
        c.primaryKey().references("stun_rules.id").onDelete("cascade"),
      )
      .addColumn("instance", "text", (c) => c.notNull())
      .addColumn("since", types.integer, (c) => c.notNull())
      .execute();
  },
};
