import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import type { DatabaseTarget } from "../../src/server/config.ts";
import { openDatabase, type Database } from "../../src/server/database/database.ts";
import { migrate, SchemaTooNewError } from "../../src/server/database/migrate.ts";
import { migrations } from "../../src/server/database/migrations/index.ts";
import type { Migration } from "../../src/server/database/migrations/migration.ts";
import { createLogger } from "../../src/server/lib/logger.ts";
import { ManualClock } from "../support/manual-clock.ts";
import { newEmptyPostgresDatabase } from "../support/postgres.ts";

const clock = new ManualClock();

function open(target: DatabaseTarget): Promise<Database> {
  return openDatabase(target, clock, createLogger("silent"));
}

async function withEmptyStorage(
  dialect: "sqlite" | "postgres",
  use: (target: DatabaseTarget) => Promise<void>,
): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), "waypost-test-"));
  await use(
    dialect === "sqlite"
      ? { dialect, file: join(folder, "waypost.db") }
      : { dialect, url: await newEmptyPostgresDatabase() },
  );
  await rm(folder, { recursive: true });
}

function addTable(name: string, breaking: boolean): Migration {
  return {
    name,
    breaking,
    up: async (db) => db.schema.createTable("later").addColumn("id", "integer").execute(),
  };
}

describe.each(["sqlite", "postgres"] as const)("migrations on %s", (dialect) => {
  it("are applied once, in order", () =>
    withEmptyStorage(dialect, async (target) => {
      const database = await open(target);
      const applied = await database.db.selectFrom("migrations").select("name").execute();
      expect(applied.map((row) => row.name)).toEqual(migrations.map((each) => each.name));
      expect(await migrate(database.db, database.dialect, clock)).toEqual([]);
      await database.close();
    }));

  it("leave nothing behind when one fails", () =>
    withEmptyStorage(dialect, async (target) => {
      const database = await open(target);
      const failing: Migration = {
        name: "002-fails",
        breaking: false,
        up: async (db, types) => {
          await addTable("002-fails", false).up(db, types);
          throw new Error("half way");
        },
      };
      const all = [...migrations, failing];
      await expect(migrate(database.db, database.dialect, clock, all)).rejects.toThrow("half way");
      const tables = await database.db.introspection.getTables();
      expect(tables.map((table) => table.name)).not.toContain("later");
      await database.close();
    }));

  it("refuse an older program after a change it would misread, and no other", () =>
    withEmptyStorage(dialect, async (target) => {
      const newer = await open(target);
      const harmless = [...migrations, addTable("002-harmless", false)];
      expect(await migrate(newer.db, newer.dialect, clock, harmless)).toEqual(["002-harmless"]);
      expect(await migrate(newer.db, newer.dialect, clock)).toEqual([]);
      const drop: Migration = { name: "003-breaking", breaking: true, up: async () => {} };
      await migrate(newer.db, newer.dialect, clock, [...harmless, drop]);
      await newer.close();
      await expect(open(target)).rejects.toThrow(SchemaTooNewError);
      await expect(open(target)).rejects.toThrow(/003-breaking/);
    }));
});

it("processes that start together on one PostgreSQL take turns", () =>
  withEmptyStorage("postgres", async (target) => {
    const all = await Promise.all(Array.from({ length: 4 }, () => open(target)));
    const applied = await all[0]?.db.selectFrom("migrations").select("name").execute();
    expect(applied).toHaveLength(migrations.length);
    await Promise.all(all.map((database) => database.close()));
  }));
