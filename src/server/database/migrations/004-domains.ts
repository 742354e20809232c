import type { Migration } from "./migration.ts";

export const domains: Migration = {
  name: "004-domains",
  breaking: false,
  async up(db, types) {
    await db.schema
      .createTable("domain_accounts")
      .addColumn("id", types.id, types.asId)
      .addColumn("name", "text", (c) => c.notNull().unique())
      .addColumn("provider", "text", (c) => c.notNull())
      .addColumn("config", "text", (c) => c.notNull())
      .addColumn("created_at", types.integer, (c) => c.notNull())
      .addColumn("updated_at", types.integer, (c) => c.notNull())
      .execute();
    await db.schema
      .createTable("domain_published")
      .addColumn("account_id", types.integer, (c) =>
        c.notNull().references("domain_accounts.id").onDelete("cascade"),
      )
      .addColumn("publisher", "text", (c) => c.notNull())
      .addColumn("name", "text", (c) => c.notNull())
      .addColumn("type", "text", (c) => c.notNull())
      .addColumn("value", "text", (c) => c.notNull())
      .addColumn("at", types.integer, (c) => c.notNull())
      .addPrimaryKeyConstraint("domain_published_key", ["account_id", "publisher", "name", "type"])
      .$call(types.clustered)
      .execute();
  },
};
