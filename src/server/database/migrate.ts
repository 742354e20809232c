import { sql, type Kysely } from "kysely";
import type { Clock } from "../lib/clock.ts";
import type { Dialect } from "./dialect.ts";
import { migrations as released } from "./migrations/index.ts";
import type { Migration } from "./migrations/migration.ts";
import type { Schema } from "./schema.ts";

/** The database was written by a newer program, in a way this one would misread. */
export class SchemaTooNewError extends Error {
  constructor(name: string) {
    super(
      `The database was upgraded by a newer version of Waypost (${name}); start that version, or restore a backup from before`,
    );
  }
}

/** The database was written by another version of the program. */
export class SchemaNotCurrentError extends Error {}

/** The names of the migrations that have been applied, in the order of their names. */
export async function appliedMigrations(db: Kysely<Schema>): Promise<string[]> {
  const rows = await db.selectFrom("migrations").select("name").orderBy("name").execute();
  return rows.map(({ name }) => name);
}

/** Those among migrations that this program does not know. */
export function unknownMigrations(names: readonly string[]): string[] {
  return names.filter((name) => !released.some((each) => each.name === name));
}

/** @throws SchemaNotCurrentError unless the schema is the one of this program */
export async function requireCurrentSchema(db: Kysely<Schema>): Promise<void> {
  const applied = await appliedMigrations(db);
  const known = released.map(({ name }) => name).toSorted();
  if (applied.join() === known.join()) return;
  throw new SchemaNotCurrentError(
    "The service that runs on this database is of another version of Waypost; use that version, or stop it first",
  );
}

/**
 * Brings the schema up to date in one transaction. Processes that start together take turns.
 * @returns the names of the migrations that were applied
 * @throws SchemaTooNewError
 */
export async function migrate(
  db: Kysely<Schema>,
  dialect: Dialect,
  clock: Clock,
  list: readonly Migration[] = released,
): Promise<string[]> {
  return db.transaction().execute(async (transaction) => {
    await dialect.lockForMigration(transaction);
    await sql`create table if not exists migrations (
      name text primary key, breaking bigint not null, applied_at bigint not null)`.execute(
      transaction,
    );
    const applied = await transaction.selectFrom("migrations").selectAll().execute();
    const unknown = applied.find(
      (row) => row.breaking === 1 && !list.some((each) => each.name === row.name),
    );
    if (unknown) throw new SchemaTooNewError(unknown.name);

    const pending = list.filter((each) => !applied.some((row) => row.name === each.name));
    for (const migration of pending) {
      await migration.up(transaction as unknown as Kysely<unknown>, dialect.types);
      await transaction
        .insertInto("migrations")
        .values({
          name: migration.name,
          breaking: migration.breaking ? 1 : 0,
          applied_at: clock.now(),
        })
        .execute();
    }
    return pending.map((each) => each.name);
  });
}
