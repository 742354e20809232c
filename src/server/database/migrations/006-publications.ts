import type { Migration } from "./migration.ts";

export const publications: Migration = {
  name: "006-publications",
  breaking: false,
  async up(db, types) {
    await db.schema
      .createTable("node_publications")
      .addColumn("id", types.id, types.asId)
      .addColumn("account_id", types.integer, (c) => c.notNull().references("domain_accounts.id"))
      .addColumn("name", "text", (c) => c.notNull())
      .addColumn("type", "text", (c) => c.notNull())
      .addColumn("wish", "text", (c) => c.notNull())
      .addColumn("interval_seconds", types.integer, (c) => c.notNull())
      .addColumn("ttl_seconds", types.integer, (c) => c.notNull())
      .addColumn("enabled", types.integer, (c) => c.notNull())
      .addColumn("removed", types.integer, (c) => c.notNull())
      .addColumn("revision", types.integer, (c) => c.notNull())
      .addColumn("nodes", "text", (c) => c.notNull())
      .addColumn("note", "text")
      .addColumn("failures", types.integer, (c) => c.notNull())
      .addColumn("error", "text")
      .addColumn("due_at", types.integer, (c) => c.notNull())
      .addColumn("attempted_at", types.integer)
      .addColumn("succeeded_at", types.integer)
      .addColumn("changed_at", types.integer)
      .addColumn("lease_owner", "text")
      .addColumn("lease_until", types.integer)
      .addColumn("created_at", types.integer, (c) => c.notNull())
      .addColumn("updated_at", types.integer, (c) => c.notNull())
      .addUniqueConstraint("node_publications_place", ["account_id", "name", "type"])
      .execute();
    await db.schema
      .createTable("node_publication_sets")
      .addColumn("publication_id", types.integer, (c) =>
        c.notNull().references("node_publications.id").onDelete("cascade"),
      )
      .addColumn("account_id", types.integer, (c) => c.notNull().references("domain_accounts.id"))
      .addColumn("name", "text", (c) => c.notNull())
      .addColumn("type", "text", (c) => c.notNull())
      .addColumn("record_values", "text", (c) => c.notNull())
      .addPrimaryKeyConstraint("node_publication_sets_key", [
        "publication_id",
        "account_id",
        "name",
        "type",
      ])
      .$call(types.clustered)
      .execute();
  },
};
